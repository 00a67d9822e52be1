"""Rules of reads: by key, bounded, in one request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from partita.design.findings import Finding, refused, warning
from partita.design.patterns import Keyed, Ranged
from partita.design.reach import neighbours, selects_one, shares_partition
from partita.design.reads import Get, GetMany, Query, Read, Scan
from partita.design.sizes import MOST_TRANSACTION_BYTES, PAGE_BYTES, most_bytes
from partita.design.transact_gets import TransactGet
from partita.model.errors import DeclarationError, KeyValueError, ReadRefused
from partita.model.keys.key_conditions import BoundKey, KeyCondition, names_of
from partita.model.keys.templates import SHARD, Slot
from partita.model.reading.projections import projection_for
from partita.model.reading.queries import check_entities, check_filter, key_in

MOST_KEYS = 100
"""Of one BatchGetItem, and of one TransactGetItems."""
BATCH_BYTES = 16 * 1024 * 1024
"""What one BatchGetItem takes and gives:
https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
"""


def check_read(read: Read) -> Iterator[Finding]:
    """Everything that is wrong with one read."""
    if isinstance(read, Scan):
        names = ", ".join(entity.__name__ for entity in read.of)
        yield refused(
            "scan",
            read,
            f"a Scan reads the whole table to find some of {names}, and costs more with every item: give "
            "them a key that the pattern can ask, or keep scan_everything for repairs",
        )
        return
    if isinstance(read, TransactGet):
        yield from _at_one_moment(read)
        return
    for first in (_names, _entities):
        # What follows asks what these make sure of.
        if found := list(first(read)):
            yield from found
            return
    yield from _consistency(read)
    yield from _bounds(read)
    if isinstance(read, Query):
        yield from _order(read)
    if isinstance(read, Ranged):
        yield from _found_beside(read)
        yield from _size(read)
    else:
        yield from _whole_key(read)
    if isinstance(read, Query):
        yield from _requests(read)
    if isinstance(read, GetMany):
        yield from _keys(read)
    yield from _projected(read)


def where(condition: KeyCondition[Any]) -> str:
    """`Order.gsi1`."""
    index = condition.key.index
    return f"{condition.entity.__name__}.{'key' if index is None else index.attribute}"


def _names(read: Keyed) -> Iterator[Finding]:
    condition = read.key
    bound = BoundKey(condition.entity, condition.entity.__schema__, condition.key)
    partition, sort = bound.partition_names, bound.sort_names
    missing = [name for name in partition if name not in condition.values]
    if missing:
        yield refused(
            "partition-equality",
            read,
            f"{where(condition)} needs a value for {_listed(missing)}: a request asks one value of every "
            f"partition attribute; {_other_keys(condition)}",
        )
    known = {*partition, *sort, *((SHARD,) if condition.key.shards is not None else ())}
    unknown = [name for name in condition.values if name not in known]
    if unknown:
        yield refused(
            "partition-equality",
            read,
            f"{_listed(unknown)} {'is' if len(unknown) == 1 else 'are'} not in {where(condition)}: "
            f"{_other_keys(condition)}",
        )
    given = [name in condition.sort_values for name in sort]
    if given != sorted(given, reverse=True):
        gap = sort[given.index(False)]
        yield refused(
            "sort-order",
            read,
            f"the sort key of {where(condition)} is bound from the left ({_listed(sort)}), and {gap} is left "
            "out: give it a value, or a key in which it comes later",
        )


def _other_keys(condition: KeyCondition[Any]) -> str:
    """Where what is given would be enough."""
    schema = condition.entity.__schema__
    given = set(condition.values)
    enough = [
        name
        for name, key in {"key": schema.key, **schema.index_keys}.items()
        if key is not condition.key
        and given.issuperset(names_of(key.partition))
        and given.issubset({*names_of(key.partition), *names_of(key.sort)})
    ]
    if enough:
        return f"{' and '.join(f'{schema.cls.__name__}.{name}' for name in enough)} can be asked so"
    fields = [name for name in condition.values if name in schema.fields]
    return f"an index with {_listed(fields)} as its partition key would answer it" if fields else "give it"


def _entities(read: Keyed) -> Iterator[Finding]:
    try:
        check_entities(read.of, read.key)
    except ReadRefused as refusal:
        yield refused("other-partition", read, f"{refusal}: leave it out of `of`, or read it by itself")
        return
    key = key_in(read.key.entity, read.key.key)
    for entity in read.of:
        if entity is not read.key.entity and not shares_partition(entity, key, read.key.key):
            other = key_in(entity, read.key.key).partition[0].text
            yield refused(
                "other-partition",
                read,
                f'{entity.__name__} is never in a partition of {where(read.key)}: its own is "{other}"; give '
                "both the same partition key, or read it by itself",
            )


def _consistency(read: Keyed) -> Iterator[Finding]:
    index = read.index
    if read.consistent and index is not None and index.scope == "global":
        yield refused(
            "strong-gsi",
            read,
            f"{where(read.key)} is a global index, which follows the table later, and a strong read of it is "
            "refused: read by the table's key, or include what was just written (including=)",
        )


def _bounds(read: Get[Any] | GetMany[Any] | Ranged) -> Iterator[Finding]:
    most = read.most if isinstance(read, Ranged) else read.items
    if isinstance(read, Ranged) and most is None:
        yield refused("bounded", read, read.unbounded)
    if most is not None and most < 1:
        yield refused("bounded", read, f"a bound of {most} gives nothing: it is at least 1")


def _whole_key(read: Get[Any] | GetMany[Any]) -> Iterator[Finding]:
    if read.key.is_item:
        return
    if read.key.key.index is not None:
        yield refused(
            "bounded",
            read,
            f"{where(read.key)} is an index, in which keys need not be unique: an item is got by the table's "
            "key; declare a Query with a limit",
        )
    else:
        missing = _listed(read.key.open_names) if read.key.range is None else "equality, not a range"
        yield refused(
            "bounded",
            read,
            f"an item is got by its full primary key, which needs {missing}: or declare a Query with a limit",
        )


def _order(read: Query[Any]) -> Iterator[Finding]:
    condition = read.key
    if selects_one(read.of, condition):
        return
    for template in condition.key.sort:
        unordered = [
            segment.field
            for segment in template.segments
            if isinstance(segment, Slot)
            and not segment.format.sorts
            and (segment.field not in condition.sort_values)
        ]
        if unordered:
            yield refused(
                "sorting",
                read,
                f'in "{template.text}" of {where(condition)} {_listed(unordered)} is a number without a '
                "width, so that 10 comes before 9: pages and ranges are out of order; write it with a width, "
                f"as in {{{unordered[0]}:8}}",
            )


def _found_beside(read: Ranged) -> Iterator[Finding]:
    try:
        others = neighbours(read.of, read.key)
    except KeyValueError as error:
        yield refused("partition-equality", read, f"a value does not fit its key: {error}")
        return
    for entity, witness in others:
        such = f", such as {witness!r}" if witness else ""
        yield refused(
            "swallow",
            read,
            f"it also finds {entity.__name__}{such}, which is read and paid for and makes pages short: begin "
            f"the sort keys differently, or add {entity.__name__} to `of`",
        )


def _requests(read: Query[Any]) -> Iterator[Finding]:
    if read.max_requests != 1:
        yield refused(
            "one-request",
            read,
            f"it searches on for up to {read.max_requests} requests: leave max_requests at 1 and let "
            "the page be short, or give what the filter asks a place in a key",
        )
    index = read.index
    if read.fetch and index is not None and index.scope == "global" and index.project != "all":
        yield refused(
            "one-request",
            read,
            f"what {where(read.key)} does not project is fetched from the table in more requests: project "
            "it, or read a view of what is there",
        )


def _keys(read: GetMany[Any]) -> Iterator[Finding]:
    if read.each not in read.parameters:
        yield refused(
            "bounded",
            read,
            f"{read.each} is no parameter of {where(read.key)} here, so that all keys would be one: each= "
            f"names one of {_listed(read.parameters) or 'its parameters'}",
        )
    if read.at_most > MOST_KEYS:
        yield refused(
            "one-request",
            read,
            f"up to {read.at_most} keys are {-(-read.at_most // MOST_KEYS)} requests of {MOST_KEYS}: lower "
            "at_most, or keep what is read together in one item collection",
        )
    size = most_bytes(read.key.entity.__schema__)
    if size is not None and (largest := read.at_most * size) > BATCH_BYTES:
        yield warning(
            "page-size",
            read,
            f"{read.at_most} items can be {largest:,} bytes by their declared lengths, and one request reads "
            f"{BATCH_BYTES:,}: more requests follow then; lower at_most, or the declared lengths",
        )


def _at_one_moment(read: TransactGet[Any]) -> Iterator[Finding]:
    if not read.keys:
        yield refused("bounded", read, "it names no key: say what it reads")
        return
    for key in read.keys:
        yield from check_read(Get(read.name, key))
    if read.each is not None and read.each not in read.parameters:
        yield refused(
            "bounded",
            read,
            f"{read.each} is no parameter of its keys: each= names one of "
            f"{_listed(read.parameters) or 'theirs'}",
        )
    if read.at_most < 1:
        yield refused("bounded", read, f"a bound of {read.at_most} gives nothing: it is at least 1")
    if read.items > MOST_KEYS:
        yield refused(
            "one-request",
            read,
            f"up to {read.items} items are more than the {MOST_KEYS} of one transaction, and two are not of "
            "one moment: lower at_most, or keep what is read together in one item collection",
        )
    sizes = [(most_bytes(key.entity.__schema__), number) for key, number in read.counted]
    known = [size * number for size, number in sizes if size is not None]
    if len(known) == len(sizes) and (largest := sum(known)) > MOST_TRANSACTION_BYTES:
        yield warning(
            "page-size",
            read,
            f"its items can be {largest:,} bytes by their declared lengths, and a transaction reads "
            f"{MOST_TRANSACTION_BYTES:,}: lower at_most, or the declared lengths",
        )


def _projected(read: Keyed) -> Iterator[Finding]:
    index = read.index
    table = read.key.entity.__schema__.table
    try:
        if read.filter is not None:
            check_filter(read.filter, read.key)
    except ReadRefused as refusal:
        yield refused("projection", read, f"{refusal}: project it, or leave it out")
    primary = {one.name for one in (table.partition, table.sort) if one is not None}
    keys = {one.name for one in (*index.partition, *index.sort)} if index is not None else set()
    fetch = isinstance(read, Query) and read.fetch
    name = None if index is None else index.attribute
    try:
        projection_for(read.of, name, read.view, fetch, frozenset(primary | keys))
    except ReadRefused as refusal:
        yield refused("projection", read, str(refusal))
    except DeclarationError as error:
        yield refused("projection", read, f"{error}")


def _size(read: Ranged) -> Iterator[Finding]:
    bound = read.most
    sizes = [most_bytes(entity.__schema__) for entity in read.of]
    known = [size for size in sizes if size is not None]
    if bound is None or not known or (largest := bound * max(known)) <= PAGE_BYTES:
        return
    if selects_one(read.of, read.key):
        return
    yield warning(
        "page-size",
        read,
        f"{bound} items can be {largest:,} bytes by their declared lengths, and one request reads "
        f"{PAGE_BYTES:,}: more requests follow then; lower {read.bound} to {PAGE_BYTES // max(known)}, or "
        "the declared lengths",
    )


def _listed(names: Any) -> str:
    return ", ".join(names)
