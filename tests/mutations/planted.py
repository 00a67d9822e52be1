"""Thirty mutations, of messages and of semantics, each small enough to slip into a change unseen."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

MUTATIONS: tuple[Mutation, ...] = (
    # Errors
    Mutation(
        "one blank in the text of an empty set",
        "partita.errors.values",
        '"An string set  may not be empty"',
        '"An string set may not be empty"',
        ("3.16",),
    ),
    Mutation(
        "a blank before the limit of a hash key",
        "partita.errors.items",
        "maximum size limit of2048 bytes",
        "maximum size limit of 2048 bytes",
        ("5.7",),
    ),
    Mutation(
        "DeleteItem leaves out the prefix",
        "partita.errors.base",
        '    "DeleteItem": _ON_SINGLE_WRITES,\n',
        "",
        ("0.2.Del", "2.22"),
    ),
    # Attribute values
    Mutation(
        "a 39th digit is rounded away",
        "partita.attributes.numbers",
        "        raise values.too_many_digits(family)\n",
        "        exponent += len(digits) - MAX_DIGITS\n        digits = digits[:MAX_DIGITS]\n",
        ("3.3", "8.12"),
    ),
    Mutation(
        "a number's digits are counted over the point",
        "partita.attributes.numbers",
        "(len(whole) + 1) // 2 + (len(fraction) + 1) // 2",
        "(len(whole) + len(fraction) + 1) // 2",
        ("4.4",),
    ),
    Mutation(
        "duplicate numbers are judged by their texts",
        "partita.attributes.sets",
        "    if len(set(normal)) != len(normal):\n        raise values.duplicate_numbers()",
        "    if len(set(members)) != len(members):\n        raise values.duplicate_numbers()",
        ("3.15",),
    ),
    Mutation(
        "values may nest one level deeper",
        "partita.attributes.depth",
        "MAX_LEVELS = 32",
        "MAX_LEVELS = 33",
        ("3.27", "3.28"),
    ),
    # Expressions
    Mutation(
        "OR binds as AND does",
        "partita.expressions.grammar",
        "        self._end_conjunction(group)\n        return True\n",
        "        return True\n",
        ("7.6",),
    ),
    Mutation(
        "near begins with the token itself",
        "partita.expressions.tokens",
        "tokens[at - 1].start if at else 0",
        "tokens[at].start if at else 0",
        ("6.4",),
    ),
    Mutation(
        "what is missing differs from nothing",
        "partita.expressions.conditions",
        "        return not same(x, y)\n",
        "        return x is not None and y is not None and not same(x, y)\n",
        ("7.1",),
    ),
    Mutation(
        "list_append puts the second list first",
        "partita.expressions.update",
        '{"L": a["L"] + b["L"]}',
        '{"L": b["L"] + a["L"]}',
        ("8.9",),
    ),
    Mutation(
        "SET sees what the update has set already",
        "partita.expressions.update",
        "                result = change(values, item)\n",
        "                result = change(values, updated)\n",
        ("8.1",),
    ),
    Mutation(
        "UPDATED_NEW shows the paths of REMOVE",
        "partita.expressions.update",
        "fragment(item, self.plan.remaining)",
        "fragment(item, self.plan.tree)",
        ("9.6",),
    ),
    Mutation(
        "unused values are not minded",
        "partita.expressions.prepare",
        "        raise errors.unused_values(unused)\n",
        "        pass\n",
        ("2.36",),
    ),
    # Shapes and limits of requests
    Mutation(
        "the enum set of attributeType in another order",
        "partita.api.captured",
        '"ScalarAttributeType": ("B", "N", "S")',
        '"ScalarAttributeType": ("S", "N", "B")',
        ("2.17",),
    ),
    Mutation(
        "a batch may write 26 items",
        "partita.api.checks",
        "MAX_BATCH_WRITES = 25",
        "MAX_BATCH_WRITES = 26",
        ("12.4",),
    ),
    # Items and indexes
    Mutation(
        "a missing item fulfils every condition",
        "partita.engine.writes",
        "if not condition(item):",
        "if row is not None and not condition(item):",
        ("7.19",),
    ),
    Mutation(
        "an index keeps the entry at the old place",
        "partita.engine.indexes",
        "return IndexChange((put,), ((index.space, *old_place),), (old_size, size), 0, size - old_size)",
        "return IndexChange((put,), (), (old_size, size), 0, size - old_size)",
        ("14.10",),
    ),
    Mutation(
        "an item that loses an index key stays in the index",
        "partita.engine.indexes",
        "return IndexChange((), ((index.space, *old_place),), (size,), -1, -size)",
        "return IndexChange((), (), (size,), -1, -size)",
        ("5.17",),
    ),
    Mutation(
        "an index shows more than it projects",
        "partita.engine.table",
        'if index.projection == "ALL"',
        'if index.projection != "KEYS_ONLY"',
        ("11.35",),
    ),
    Mutation(
        "transactions cost what other writes cost",
        "partita.engine.write_answers",
        "units * 2 if doubled else units",
        "units",
        ("14.15",),
    ),
    Mutation(
        "an item collection is named by the whole key",
        "partita.engine.write_answers",
        "{table.hash.name: key_of[table.hash.name]}",
        "{name: key_of[name] for name in sorted(table.key_names)}",
        ("14.21",),
    ),
    # Reads
    Mutation(
        "LastEvaluatedKey of an index lacks the table's key",
        "partita.engine.pages",
        "else self._table.key_names | self._index.key_names",
        "else self._index.key_names",
        ("11.20",),
    ),
    Mutation(
        "a page ends only past its bytes",
        "partita.engine.pages",
        "self._bytes >= self._most_bytes",
        "self._bytes > self._most_bytes",
        ("4.13",),
    ),
    Mutation(
        "segments of a scan overlap",
        "partita.engine.operations.scan",
        "low = (segment * _PARTITIONS + total - 1) // total",
        "low = segment * _PARTITIONS // (total + 1)",
        ("11.39",),
    ),
    # Batches, transactions, tables
    Mutation(
        "a batch may put and delete one item",
        "partita.engine.operations.batch_write_item",
        "len({(write.table.space, write.place) for write in writes})",
        "len({(write.kind, write.table.space, write.place) for write in writes})",
        ("12.5",),
    ),
    Mutation(
        "reasons of a cancelled transaction come first",
        "partita.engine.reasons",
        '[reasons.get(at, {"Code": "None"}) for at in range(count)]',
        '[*reasons.values(), *({"Code": "None"} for _ in range(count - len(reasons)))]',
        ("13.5",),
    ),
    Mutation(
        "a transaction does what it can",
        "partita.engine.operations.transact_write_items",
        "    if reasons:\n",
        "    if len(reasons) == len(writes):\n",
        ("13.15",),
    ),
    Mutation(
        "a token is forgotten after a minute",
        "partita.engine.settings",
        "token_seconds: int = 600",
        "token_seconds: int = 60",
        ("13.16",),
    ),
    Mutation(
        "a table serves while it is made",
        "partita.engine.catalogue",
        '("ACTIVE", "UPDATING")',
        '("ACTIVE", "UPDATING", "CREATING")',
        ("15.3",),
    ),
)
