"""What a session sent, compared with the pattern on whose behalf it did."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from partita.design.designs import Pattern
from partita.design.patterns import ByKey, Keyed, Ranged
from partita.design.reads import Read, Scan
from partita.design.writes import Write
from partita.model.declaring.entity import Entity
from partita.model.declaring.items import has_keys_of, type_of
from partita.model.flows.consumption import READS, WRITES, Sent
from partita.model.schema import Item, TableSchema
from partita.model.uniqueness.rules import is_marker_key
from partita.model.values.attribute_values import key_text as shown_key
from partita.model.writing.recording import is_record_key
from partita.words import counted

TableName = Callable[[TableSchema], str]
"""The name in DynamoDB that a session has for a table."""

_SINGLE = {"PutItem": "Put", "UpdateItem": "Update", "DeleteItem": "Delete"}
_PHRASE = {"put": "one PutItem, UpdateItem or DeleteItem", "transaction": "one TransactWriteItems"}
_PARTS = {"Put": "written", "Update": "written", "Delete": "deleted", "ConditionCheck": "checked"}
_EXISTENCE = re.compile(r"attribute_(not_)?exists\([#\w]+\)")
_EQUALITY = re.compile(r"(#\w+) = (:\w+)")


def differences(
    pattern: Pattern, sent: Sequence[Sent], table_name: TableName, *, including: bool = False
) -> list[str]:
    """What was sent otherwise than the pattern declares, a sentence each; empty if it is exactly that.

    A request that was sent again, the same to the byte, counts once. `including`: the strong reads of
    `including=` may stand beside those of a query.
    """
    requests = _distinct(one for one in sent if one.operation in READS | WRITES)
    reads = [one for one in requests if one.operation in READS]
    writes = [one for one in requests if one.operation in WRITES]
    if isinstance(pattern, Write):
        return [*_of_write(pattern, writes, table_name), *_decided(pattern, reads, table_name)]
    found = [f"{spoken(one)}: a read pattern writes nothing" for one in writes]
    return found + list(_of_read(pattern, reads, table_name, including))


def declared_text(pattern: Pattern) -> str:
    """The pattern's requests in a line: `Query of GSI1: GSI1PK = CUST#{customer}`."""
    index = f" of {pattern.index_name}" if pattern.index_name else ""
    return f"{pattern.request}{index}: {pattern.words}"


def spoken(sent: Sent) -> str:
    """A request in a line: `UpdateItem of ORDER#1 / META`."""
    actions = _actions(sent)
    if actions:
        shown = [f"{one.kind} {shown_key(one.key)}" for one in actions[:3]]
        more = f" and {len(actions) - 3} more" if len(actions) > 3 else ""
        single = sent.operation in _SINGLE
        return f"{sent.operation} of {shown_key(actions[0].key) if single else ', '.join(shown) + more}"
    keys = _keys(sent)
    if keys:
        more = f" and {len(keys) - 3} more" if len(keys) > 3 else ""
        return f"{sent.operation} of {', '.join(shown_key(key) for _, key in keys[:3])}{more}"
    index = sent.parameters.get("IndexName", "table")
    return f"{sent.operation} of {index if sent.operation == 'Query' else sent.parameters.get('TableName')}"


def _distinct(sent: Iterator[Sent]) -> list[Sent]:
    found: dict[str, Sent] = {}
    for one in sent:
        found.setdefault(f"{one.operation} {one.parameters!r}", one)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Action:
    """One write of one item."""

    kind: str
    table: str
    key: Item
    """The primary key, or the item as a whole."""
    condition: str | None


def _actions(sent: Sent) -> list[_Action]:
    parameters = sent.parameters
    if sent.operation in _SINGLE:
        return [_action(_SINGLE[sent.operation], parameters)]
    if sent.operation == "TransactWriteItems":
        return [
            _action(kind, action) for member in parameters["TransactItems"] for kind, action in member.items()
        ]
    if sent.operation == "BatchWriteItem":
        return [
            _action(kind.removesuffix("Request"), {"TableName": table, **request})
            for table, members in parameters["RequestItems"].items()
            for member in members
            for kind, request in member.items()
        ]
    return []


def _action(kind: str, parameters: Mapping[str, Any]) -> _Action:
    key = parameters["Item"] if kind == "Put" else parameters["Key"]
    return _Action(kind, parameters["TableName"], key, parameters.get("ConditionExpression"))


def _keys(sent: Sent) -> list[tuple[str, Item]]:
    """The table and key of each item that a read asks for by its key."""
    parameters = sent.parameters
    match sent.operation:
        case "GetItem":
            return [(parameters["TableName"], parameters["Key"])]
        case "BatchGetItem":
            return [
                (table, key) for table, asked in parameters["RequestItems"].items() for key in asked["Keys"]
            ]
        case "TransactGetItems":
            return [(one["Get"]["TableName"], one["Get"]["Key"]) for one in parameters["TransactItems"]]
    return []


def _of_write(pattern: Write, writes: Sequence[Sent], table_name: TableName) -> Iterator[str]:
    if not writes:
        yield "nothing was written"
        return
    yield from _manner(pattern, writes)
    counts: Counter[tuple[str, type[Entity]]] = Counter()
    for request in writes:
        for action in _actions(request):
            if is_marker_key(action.key) or is_record_key(action.key):
                continue
            entity = _entity_of(action, pattern.of, table_name)
            what = f"{action.kind} of {shown_key(_short(action.key))}"
            if entity is None:
                yield f"{what}: the pattern names no such entity"
                continue
            part = _PARTS[action.kind]
            counts[part, entity] += 1
            if not _most(pattern, part, entity):
                yield f"{what}: the pattern does not declare that {entity.__name__} is {part}"
            if entity in pattern.guarded and action.kind in ("Update", "Delete") and not _is_guarded(action):
                yield f"{what}: {entity.__name__} is declared as guarded, and the write asks no condition"
    for entity in pattern.of:
        for part in dict.fromkeys(_PARTS.values()):
            most, number = _most(pattern, part, entity), counts[part, entity]
            if most and not number:
                yield f"no {entity.__name__} was {part}, which the pattern declares"
            elif most and number > most:
                yield f"{number} {entity.__name__} were {part}, and the pattern declares at most {most}"


def _manner(pattern: Write, writes: Sequence[Sent]) -> Iterator[str]:
    """Single writes, batches or a transaction, and how many."""
    if pattern.how == "batch":
        for one in writes:
            if one.operation != "BatchWriteItem":
                yield f"{spoken(one)}: the pattern declares a batch"
        if len(_first_times(writes)) > (most := pattern.requests):
            yield f"{len(writes)} batches were sent, and the pattern declares at most {most}"
        return
    fits = _SINGLE if pattern.how == "put" else ("TransactWriteItems",)
    for one in writes:
        if one.operation not in fits:
            yield f"{spoken(one)}: the pattern declares {_PHRASE[pattern.how]}"
    if len(writes) > 1:
        yield f"{len(writes)} writes were sent, and the pattern declares {_PHRASE[pattern.how]}"


def _first_times(writes: Sequence[Sent]) -> list[Sent]:
    """The batches that have items which no earlier one had: others carry what came back unprocessed."""
    known: set[str] = set()
    found = []
    for one in writes:
        keys = {repr((action.kind, action.key)) for action in _actions(one)}
        if not keys <= known:
            found.append(one)
        known |= keys
    return found


def _most(pattern: Write, part: str, entity: type[Entity]) -> int:
    if part == "written":
        return pattern.creates.get(entity, 0) + pattern.changes.get(entity, 0)
    return (pattern.deletes if part == "deleted" else pattern.checks).get(entity, 0)


def _is_guarded(action: _Action) -> bool:
    return action.condition is not None and _EXISTENCE.fullmatch(action.condition) is None


def _entity_of(
    action: _Action, entities: Sequence[type[Entity]], table_name: TableName
) -> type[Entity] | None:
    """Which of these entities an action is about."""
    for entity in entities:
        schema = entity.__schema__
        if table_name(schema.table) != action.table:
            continue
        if action.kind == "Put":
            if type_of(action.key, schema.table) is entity:
                return entity
        elif has_keys_of(action.key, schema):
            return entity
    return None


def _short(item: Item) -> Item:
    """What names an item in a message: no more than the first two attributes, which are its key's."""
    return dict(list(item.items())[:2])


def _decided(pattern: Write, reads: Sequence[Sent], table_name: TableName) -> Iterator[str]:
    """Reads that none of `decided_by` declares."""
    free = [(read, read.requests) for read in pattern.decided_by]
    for request in reads:
        for position, (read, left) in enumerate(free):
            if left and not list(_unlike(read, request, table_name)):
                free[position] = (read, left - 1)
                break
        else:
            yield f"{spoken(request)}: no read in decided_by declares it"


def _of_read(read: Read, reads: Sequence[Sent], table_name: TableName, including: bool) -> Iterator[str]:
    if isinstance(read, Ranged) and (including or read.fetch):
        reads = [one for one in reads if one.operation != "BatchGetItem"]
    if not reads:
        yield "nothing was read"
        return
    for request in reads:
        yield from (f"{spoken(request)}: {why}" for why in _unlike(read, request, table_name))
    most = read.requests * read.max_requests
    if len(reads) > most:
        yield f"{len(reads)} reads were sent, and the pattern declares {most}"
    elif len(reads) < read.requests:
        yield f"{len(reads)} of {read.requests} shards were asked"


def _unlike(read: Read, request: Sent, table_name: TableName) -> Iterator[str]:
    """How a request differs from those of a read."""
    if request.operation != read.operation:
        yield f"the pattern declares {read.operation}"
        return
    match read:
        case ByKey():
            yield from _unlike_keys(read, request, table_name)
        case Ranged():
            yield from _unlike_query(read, request.parameters, table_name)
        case Scan():
            return
        case _:
            assert_never(read)


def _unlike_keys(read: ByKey, request: Sent, table_name: TableName) -> Iterator[str]:
    keys = _keys(request)
    if len(keys) > read.items:
        yield f"it asks for {counted(len(keys), 'item')}, and the pattern declares at most {read.items}"
    for table, key in keys:
        if not any(
            table_name(one.entity.__schema__.table) == table and has_keys_of(key, one.entity.__schema__)
            for one, _ in read.counted
        ):
            names = " or ".join(dict.fromkeys(one.entity.__name__ for one, _ in read.counted))
            yield f"{shown_key(key)} is no key of {names}"
    if isinstance(read, Keyed):
        asked = request.parameters.get("RequestItems", {"": request.parameters})
        yield from (line for one in asked.values() for line in _consistency(read, one))


def _unlike_query(read: Ranged, parameters: Mapping[str, Any], table_name: TableName) -> Iterator[str]:
    table, index = read.key.entity.__schema__.table, read.index
    if parameters["TableName"] != table_name(table):
        yield f"it asks the table {parameters['TableName']}, and the pattern declares {table_name(table)}"
    declared = None if index is None else index.name
    if parameters.get("IndexName") != declared:
        yield f"the pattern declares {declared or 'the table itself'}"
        return
    if parameters.get("ScanIndexForward", True) == read.newest_first:
        yield f"the pattern declares {'newest first' if read.newest_first else 'oldest first'}"
    yield from _consistency(read, parameters)
    names = parameters["ExpressionAttributeNames"]
    values = parameters["ExpressionAttributeValues"]
    asked = {
        names[name]: values[value] for name, value in _EQUALITY.findall(parameters["KeyConditionExpression"])
    }
    for template in read.key.key.partition:
        stored = asked.get(template.attribute)
        if stored is None or template.parse(stored) is None:
            shown = None if stored is None else next(iter(stored.values()))
            yield f"{template.attribute} = {shown!r} is no {template.text}"


def _consistency(read: Keyed, parameters: Mapping[str, Any]) -> Iterator[str]:
    if bool(parameters.get("ConsistentRead")) != read.consistent:
        yield f"the pattern declares {'a strong' if read.consistent else 'an eventual'} read"
