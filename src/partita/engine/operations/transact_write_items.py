"""TransactWriteItems: up to 100 writes and checks, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from partita.attributes import Item, normalise_item, value_size
from partita.engine.capacity import Consumed, add_capacities, read_units
from partita.engine.keys import (
    Place,
    check_keys_not_empty,
    check_paths,
    item_place,
    quick_place,
    request_place,
)
from partita.engine.reasons import Reason, cancelled, conflicts, reason_of
from partita.engine.table import Scope, Table
from partita.engine.tokens import Token
from partita.engine.write_answers import add_write_capacity, note_collection, wants_item_on_failure
from partita.engine.writes import (
    MAX_ITEM_BYTES,
    Effect,
    Write,
    check_of,
    delete_of,
    effect_of,
    put_of,
    update_of,
)
from partita.errors import (
    ConditionalCheckFailedException,
    ItemCollectionSizeLimitExceededException,
    ValidationException,
)
from partita.errors import items as errors
from partita.expressions import (
    NOTHING,
    TX_CHECK,
    TX_DELETE,
    TX_PUT,
    TX_UPDATE,
    Prepared,
    check_earlier,
    prepare,
)
from partita.storage import Decision, Row

if TYPE_CHECKING:
    from partita.engine.engine import Engine

OPERATION = "TransactWriteItems"
MOST_BYTES = 4 * 1024**2


# Not frozen: one is made for every item, and that would take several times as long.
@dataclass(slots=True)
class _Action:
    """One action of the request, its values normal."""

    kind: str
    parameters: dict[str, Any]
    content: Item
    """The item of a Put, else the key."""
    size: int
    prepared: Prepared


class _Replay(NamedTuple):
    """The request's token was seen before, with the same content."""

    read_units: Sequence[float]
    """What it costs, action by action."""


async def transact_write_items(engine: Engine, request: dict[str, Any], scope: Scope) -> dict[str, Any]:
    actions = [_action(item) for item in request["TransactItems"]]
    if sum([action.size for action in actions]) > MOST_BYTES:
        raise errors.transaction_too_large()
    tables = [engine.catalogue.table(scope, action.parameters["TableName"]) for action in actions]
    places = [_place(table, action) for table, action in zip(tables, actions, strict=True)]
    writes, items = _plan(tables, actions, places)

    token = None
    if request.get("ClientRequestToken") is not None:
        token = Token.of(scope, request["ClientRequestToken"], request["TransactItems"])
        if engine.holds.is_running(token.partition):
            raise errors.transaction_in_progress()
        space, partition, sort, _ = token.touch
        replay = _replay(engine, token, await engine.store.get(space, partition, sort))
        if replay is not None:
            return _answer(request, actions, tables, replay)
    held = engine.holds.held_among(items)
    if held:
        raise conflicts(len(writes), held)
    if engine.settings.transaction_hold_ms[1]:
        result = await _hold_and_write(engine, writes, items, token)
    else:
        result = await _write(engine, writes, token)
    return _answer(request, actions, tables, result)


def _action(item: dict[str, Any]) -> _Action:
    if len(item) != 1:
        raise errors.several_actions() if item else errors.empty_action()
    ((kind, parameters),) = item.items()
    try:
        prepared = prepare(parameters, _TAKES[kind]) if len(parameters) > 2 else NOTHING
    except ValidationException:
        given = parameters["Item" if kind == "Put" else "Key"]
        if check_earlier(parameters, _TAKES[kind], given) > MAX_ITEM_BYTES:
            raise errors.item_too_large() from None
        raise
    if kind == "Put":
        content, size = normalise_item(parameters["Item"])
        if size > MAX_ITEM_BYTES:
            raise errors.item_too_large()
    else:
        content, size = normalise_item(parameters["Key"])
        if kind == "Update":
            for value in parameters.get("ExpressionAttributeValues", {}).values():
                size += value_size(value)
    return _Action(kind, parameters, content, size, prepared)


_TAKES = {"Put": TX_PUT, "Update": TX_UPDATE, "Delete": TX_DELETE, "ConditionCheck": TX_CHECK}


def _place(table: Table, action: _Action) -> Place | None:
    """Where the action's item stands, if that is quickly said; no key is empty (fact 13.9)."""
    content = action.content
    place = quick_place(table, content, len(content) if action.kind == "Put" else len(table.key_names))
    if place is None:
        check_keys_not_empty(table, content)
    return place


def _plan(
    tables: Sequence[Table], actions: Sequence[_Action], places: Sequence[Place | None]
) -> tuple[list[Write], list[tuple[int, Place]]]:
    """Plans every action, and says which items they write, by space and place.

    The first that does not fit its table cancels all (facts 13.7, 13.8).
    """
    writes: list[Write] = []
    failed: dict[int, Reason] = {}
    for at, (table, action, place) in enumerate(zip(tables, actions, places, strict=True)):
        try:
            writes.append(_write_of(table, action, place))
            check_paths(table, action.prepared)
        except errors.EmptyIndexKey:
            raise
        except ValidationException as failure:
            failed[at] = reason_of(failure, OPERATION)
            break
    items = [(write.table.space, write.place) for write in writes]
    if len(set(items)) < len(items):
        raise errors.several_on_one_item()
    if failed:
        raise cancelled(len(actions), failed)
    return writes, items


def _write_of(table: Table, action: _Action, place: Place | None) -> Write:
    content, prepared = action.content, action.prepared
    if place is None:
        place = item_place(table, content) if action.kind == "Put" else request_place(table, content)
    shows_item = wants_item_on_failure(action.parameters)
    match action.kind:
        case "Put":
            return put_of(table, content, action.size, place, prepared, shows_item)
        case "Update":
            return update_of(table, content, place, prepared, shows_item)
        case "Delete":
            return delete_of(table, content, place, prepared, shows_item)
        case _:
            return check_of(table, content, place, prepared, shows_item)


def _replay(engine: Engine, token: Token, row: Row | None) -> _Replay | None:
    """What is remembered of the token; raises IdempotentParameterMismatchException for other content."""
    if row is None or row.size <= engine.clock.now_us():
        return None
    digest, read_units = token.remembered(row)
    if digest != token.digest:
        raise errors.token_mismatch()
    return _Replay(read_units)


async def _hold_and_write(
    engine: Engine, writes: Sequence[Write], items: Sequence[tuple[int, Place]], token: Token | None
) -> list[Effect] | _Replay:
    """Holds the items for the profile's time, so that others can collide with this transaction."""
    partition = token.partition if token is not None else None
    engine.holds.take(items, partition)
    try:
        held_us = engine.chance().between_us(engine.settings.transaction_hold_ms)
        await engine.pause(engine.clock.now_us() + held_us)
        for write in writes:
            engine.catalogue.require(write.table)
        return await _write(engine, writes, token)
    finally:
        engine.holds.release(items, partition)


async def _write(engine: Engine, writes: Sequence[Write], token: Token | None) -> list[Effect] | _Replay:
    touches = engine.writer.touches(writes)
    count = len(touches)
    if token is not None:
        touches.append(token.touch)

    def decide(rows: Sequence[Row | None], stamp: int) -> Decision:
        replay = _replay(engine, token, rows[count]) if token is not None else None
        if replay is not None:
            return Decision((), (), (), replay)
        effects = _effects(writes, rows, stamp)
        try:
            puts, deletes, records = engine.writer.decide(writes, effects, touches[:count], rows[:count])
        except ItemCollectionSizeLimitExceededException as failure:
            at = engine.writer.overgrowing(effects)
            assert at is not None
            raise cancelled(len(writes), {at: reason_of(failure, OPERATION)}) from None
        if token is not None:
            puts.append(engine.tokens.put(token, engine.clock.now_us(), _read_units(effects)))
        return Decision(puts, deletes, records, effects)

    result: list[Effect] | _Replay = await engine.store.transact(touches, decide)
    if not isinstance(result, _Replay):
        engine.wrote(result)
        if token is not None:
            engine.tokens.wake(engine)
    return result


def _effects(writes: Sequence[Write], rows: Sequence[Row | None], stamp: int) -> list[Effect]:
    """The effects of all actions on the state before; raises the cancellation if one of them fails."""
    effects: list[Effect] = []
    reasons: dict[int, Reason] = {}
    for at, write in enumerate(writes):
        try:
            effects.append(effect_of(write, rows[at], stamp))
        except ConditionalCheckFailedException as failure:
            reasons[at] = reason_of(failure, OPERATION)
        except errors.EmptyIndexKey:
            raise
        except ValidationException as failure:
            # Fact 13.8: an error in the data stands alone.
            raise cancelled(len(writes), {at: reason_of(failure, OPERATION)}) from None
    if reasons:
        raise cancelled(len(writes), reasons)
    return effects


def _read_units(effects: Sequence[Effect]) -> list[float]:
    """What a replay costs: each item read, as large as it was written (fact 14.23)."""
    return [2 * read_units(max(effect.old_size, effect.new_size), consistent=True) for effect in effects]


def _answer(
    request: dict[str, Any],
    actions: Sequence[_Action],
    tables: Sequence[Table],
    result: list[Effect] | _Replay,
) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    if len(request) == 1:
        return answer
    if isinstance(result, _Replay):
        return _replayed(request, actions, tables, result)
    by_table: dict[int, Consumed] = {}
    metrics: dict[str, list[dict[str, Any]]] = {}
    for action, effect in zip(actions, result, strict=True):
        table = effect.write.table
        consumed = by_table.setdefault(
            table.space, Consumed(table, kind="WriteCapacityUnits", name=action.parameters["TableName"])
        )
        add_write_capacity(consumed, effect, doubled=True)
        if request.get("ReturnItemCollectionMetrics") == "SIZE" and action.kind != "ConditionCheck":
            note_collection(metrics, consumed.name, table, action.content, effect)
    if metrics:
        answer["ItemCollectionMetrics"] = metrics
    add_capacities(answer, request, by_table.values())
    return answer


def _replayed(
    request: dict[str, Any], actions: Sequence[_Action], tables: Sequence[Table], replay: _Replay
) -> dict[str, Any]:
    """The answer to a token seen before: nothing happens, and its capacity is that of reads."""
    by_table: dict[int, Consumed] = {}
    for action, table, units in zip(actions, tables, replay.read_units, strict=True):
        consumed = by_table.setdefault(
            table.space, Consumed(table, kind="ReadCapacityUnits", name=action.parameters["TableName"])
        )
        consumed.units += units
    answer: dict[str, Any] = {}
    add_capacities(answer, request, by_table.values())
    return answer
