"""BatchWriteItem: up to 25 puts and deletes, each by itself; what is held comes back unprocessed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from partita.attributes import Item, normalise_item
from partita.engine.capacity import Consumed, add_capacities
from partita.engine.keys import item_place, request_place
from partita.engine.table import Scope, Table
from partita.engine.write_answers import add_write_capacity, note_collection
from partita.engine.writes import MAX_ITEM_BYTES, Effect, Write, delete_of, put_of
from partita.errors import items as errors

if TYPE_CHECKING:
    from partita.engine.engine import Engine


# Not frozen: one is made for every item, and that would take several times as long.
@dataclass(slots=True)
class _Part:
    """One write request: the name it was given under, itself, and its item or key in normal form."""

    name: str
    request: dict[str, Any]
    is_put: bool
    content: Item
    size: int


async def batch_write_item(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    parts = [
        _part(name, write_request)
        for name, write_requests in request["RequestItems"].items()
        for write_request in write_requests
    ]
    tables = {name: engine.catalogue.table(scope, name) for name in request["RequestItems"]}
    writes = [_write(tables[part.name], part) for part in parts]
    if len({(write.table.space, write.place) for write in writes}) < len(writes):
        raise errors.duplicate_keys()

    unprocessed: dict[str, list[dict[str, Any]]] = {}
    taken: list[tuple[_Part, Write]] = []
    chance = engine.chance() if engine.settings.unprocessed_chance else None
    for part, write in zip(parts, writes, strict=True):
        is_left = taken and chance is not None and chance.happens(engine.settings.unprocessed_chance)
        if is_left or engine.holds.is_held(write.table.space, write.place):
            unprocessed.setdefault(part.name, []).append(part.request)
        else:
            taken.append((part, write))

    results = await engine.store.transact_each([engine.writer.one(write) for _, write in taken])
    effects = [result for result in results if isinstance(result, Effect)]
    engine.wrote(effects)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    answer: dict[str, Any] = {"UnprocessedItems": unprocessed}
    _add_metrics(answer, request, taken, effects)
    return answer


def _part(name: str, write_request: dict[str, Any]) -> _Part:
    put, delete = write_request.get("PutRequest"), write_request.get("DeleteRequest")
    if (put is None) == (delete is None):
        raise errors.write_request_shape()
    if put is None:
        assert delete is not None
        key, size = normalise_item(delete["Key"])
        return _Part(name, write_request, False, key, size)
    item, size = normalise_item(put["Item"])
    if size > MAX_ITEM_BYTES:
        raise errors.item_too_large()
    return _Part(name, write_request, True, item, size)


def _write(table: Table, part: _Part) -> Write:
    if not part.is_put:
        return delete_of(table, part.content, request_place(table, part.content))
    for key in (table.hash, table.range):
        # Fact 5.4: here a put has the words that elsewhere a key has.
        if key is not None and key.type not in part.content.get(key.name, ()):
            raise errors.key_schema_mismatch()
    return put_of(table, part.content, part.size, item_place(table, part.content))


def _add_metrics(
    answer: dict[str, Any], request: dict[str, Any], taken: list[tuple[_Part, Write]], effects: list[Effect]
) -> None:
    by_table: dict[int, Consumed] = {}
    metrics: dict[str, list[dict[str, Any]]] = {}
    for (part, write), effect in zip(taken, effects, strict=True):
        space = write.table.space
        consumed = by_table.get(space)
        if consumed is None:
            consumed = by_table[space] = Consumed(write.table, name=part.name)
        add_write_capacity(consumed, effect)
        if request.get("ReturnItemCollectionMetrics") == "SIZE":
            note_collection(metrics, consumed.name, write.table, part.content, effect)
    if metrics:
        answer["ItemCollectionMetrics"] = metrics
    add_capacities(answer, request, by_table.values())
