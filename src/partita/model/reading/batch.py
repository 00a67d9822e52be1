"""Many items by their primary keys, of several entities and tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import entity_of, key_of
from partita.model.errors import ReadRefused, Unprocessed
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.progress import Progress, progress_of
from partita.model.keys.key_conditions import KeyCondition
from partita.model.reading.keys import KeyReading, Ref, read_keys
from partita.model.reading.options import Duplicates
from partita.model.reading.ranges import primary_key_attributes, table_key_of
from partita.model.values.attribute_values import shortened
from partita.words import counted

Wanted = KeyCondition[Any] | Entity


def batch_get(
    context: Context,
    wanted: Iterable[Wanted],
    *,
    consistent: bool = False,
    duplicates: Duplicates = "remove",
    progress: Progress | bool = False,
) -> Flow[list[Any]]:
    """The entities in the order asked, None where there is no item; a key asked for twice is read once.

    Raises ReadRefused for duplicates if these are to be refused, Unprocessed with those of `wanted` that the
    service left out however often it was asked, UnreadableItem for an item of another type.
    """
    if isinstance(wanted, str | Entity) or not isinstance(wanted, Iterable):
        raise ReadRefused(f"a batch reads a list of keys and entities, not {shortened(wanted)}")
    wanted = list(wanted)
    refs = [_ref(context, one) for one in wanted]
    if duplicates == "refuse" and len(set(refs)) < len(refs):
        again = next(ref for position, ref in enumerate(refs) if ref in refs[:position])
        raise ReadRefused(f"{' / '.join(map(str, again.key))} is asked for twice")
    tables = {
        ref.table: primary_key_attributes(_entity(one).__schema__.table)
        for ref, one in zip(refs, wanted, strict=True)
    }
    reading = KeyReading(refs, tables, consistent=consistent)
    yield from read_keys(reading, context.retries, progress_of(progress))
    if reading.waiting:
        waiting = set(reading.waiting)
        left = [one for ref, one in zip(refs, wanted, strict=True) if ref in waiting]
        times = counted(context.retries.attempts, "time")
        raise Unprocessed(
            f"{len(left)} of {counted(len(refs), 'key')} came back unprocessed {times}",
            left,
        )
    return [
        None if (item := reading.found.get(ref)) is None else entity_of(item, _entity(one))
        for ref, one in zip(refs, wanted, strict=True)
    ]


def _entity(one: Wanted) -> type[Entity]:
    return one.entity if isinstance(one, KeyCondition) else type(one)


def _ref(context: Context, one: Wanted) -> Ref:
    if not isinstance(one, KeyCondition | Entity):
        raise ReadRefused(f"a batch reads keys such as Order.key(…) and entities, not {one!r}")
    table = _entity(one).__schema__.table
    if isinstance(one, KeyCondition) and not one.is_item:
        one.item_key()
    key = one.item_key() if isinstance(one, KeyCondition) else key_of(one)
    return Ref(context.table_name(table), table_key_of(primary_key_attributes(table), key))
