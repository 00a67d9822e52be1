"""The flows behind the write methods of sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import entity_of, primary_key
from partita.model.errors import ConditionFailed, NotStored, OlderForm, OutcomeUnknown, WriteRefused
from partita.model.expressions.conditions import Condition
from partita.model.expressions.raw import Raw
from partita.model.expressions.updates import Update
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow
from partita.model.flows.progress import Progress, progress_of
from partita.model.flows.retries import Attempts, ask
from partita.model.keys.key_conditions import KeyCondition
from partita.model.schema import EntitySchema
from partita.model.values.attribute_values import shortened
from partita.model.writing.batches import BatchWrite, Duplicates, distinct, write_batches
from partita.model.writing.changing import plan_change
from partita.model.writing.mending import mending
from partita.model.writing.performing import perform
from partita.model.writing.planning import plan_check, plan_create, plan_delete, plan_put, plan_update
from partita.model.writing.plans import WritePlan
from partita.model.writing.targets import Target, key_of_target, required_entity, schema_of, subject_of

E = TypeVar("E", bound=Entity)
T = TypeVar("T")


def create(context: Context, entity: Entity) -> Flow[None]:
    yield from perform(context, plan_create(context, entity))


def put(context: Context, entity: Entity, when: Condition | None) -> Flow[None]:
    plan = plan_put(context, entity, when)
    yield from _in_this_form(context, lambda: perform(context, plan))


def update(context: Context, entity: Entity, when: Condition | None) -> Flow[bool]:
    """Whether there was anything to send."""
    plan = plan_update(context, entity, when)
    if plan is None:
        return False
    yield from perform(context, plan)
    return True


def change(
    context: Context,
    ref: KeyCondition[E],
    updates: tuple[Update | Raw, ...],
    when: Condition | None,
    or_create: bool,
) -> Flow[E]:
    """The entity as it is after the change."""
    plan = plan_change(context, ref, updates, when, or_create)
    item = yield from _in_this_form(context, lambda: perform(context, plan, "ALL_NEW"))
    assert item is not None
    return entity_of(item, ref.entity)


def delete(context: Context, target: Target, when: Condition | None) -> Flow[None]:
    if isinstance(target, KeyCondition) and target.entity.__schema__.uniques:
        yield from _in_this_form(context, lambda: _delete_with_markers(context, target, when))
    else:
        plan = plan_delete(context, target, when)
        yield from _in_this_form(context, lambda: perform(context, plan))


def _delete_with_markers(context: Context, ref: KeyCondition[E], when: Condition | None) -> Flow[None]:
    """Reads the item, to know its markers, and deletes what was read; again if it changed in between."""
    schema = ref.entity.__schema__
    parameters = {
        "TableName": context.table_name(schema.table),
        "Key": ref.item_key(),
        "ConsistentRead": True,
    }
    attempts = Attempts(context.retries)
    while True:
        item = (yield from ask(context.retries, Call("GetItem", parameters))).get("Item")
        if item is None:
            if when is not None:
                raise NotStored(f"{subject_of(schema, ref.item_key())} is not stored")
            return
        entity: E = entity_of(item, ref.entity)
        try:
            yield from perform(context, plan_delete(context, entity, when))
        except ConditionFailed as failed:
            changed = failed.current is None or failed.current._stored != item
            if not changed or attempts.used_up:
                raise
        else:
            return
        yield attempts.pause()


def check(context: Context, target: Target, condition: Condition | None) -> Flow[None]:
    plan = plan_check(context, target, condition)
    yield from _in_this_form(context, lambda: perform(context, plan))


def _in_this_form(context: Context, attempt: Callable[[], Flow[T]]) -> Flow[T]:
    """What an attempt gives; where it meets an item in an older form, that is brought over first.

    As a backfill does it: for a reader nothing changes, the version neither.
    """
    for number in range(1, context.retries.attempts + 1):
        try:
            return (yield from attempt())
        except OlderForm as older:
            current = older.current
        assert current is not None
        assert current._stored is not None
        made = mending(context, current.__schema__, current._stored, (), None)
        assert made is not None, "an older form is another one"
        try:
            yield from perform(context, WritePlan(made.actions))
        except (ConditionFailed, OutcomeUnknown):
            # Others may have written it meanwhile: the next attempt shows what it is now.
            yield context.retries.pause(number)
    return (yield from attempt())


def batch_write(
    context: Context,
    put: Iterable[Entity],
    delete: Iterable[Target],
    duplicates: Duplicates,
    progress: Progress | bool,
) -> Flow[None]:
    if duplicates not in get_args(Duplicates):
        raise WriteRefused(f'duplicates is "refuse" or "last", not {duplicates!r}')
    for name, given in (("put", put), ("delete", delete)):
        if isinstance(given, Entity | KeyCondition) or not isinstance(given, Iterable):
            raise WriteRefused(f"batch_write takes lists: {name}=[…], not {name}={shortened(given)}")
    writes = [*(_put(context, entity) for entity in put), *(_delete(context, target) for target in delete)]
    yield from write_batches(context, distinct(writes, duplicates), progress_of(progress))


def _put(context: Context, entity: Entity) -> BatchWrite:
    schema = required_entity(entity, "put").__schema__
    _check_batchable(schema)
    plan = plan_put(context, entity)
    (action,) = plan.actions
    item = action.parameters["Item"]
    return BatchWrite(action.table, primary_key(schema.table, item), item, entity, _settled(plan.settle))


def _delete(context: Context, target: Target) -> BatchWrite:
    schema = schema_of(target, "delete")
    _check_batchable(schema)
    plan = plan_delete(context, target)
    return BatchWrite(
        context.table_name(schema.table), key_of_target(target), None, target, _settled(plan.settle)
    )


def _settled(settle: Callable[[Any], None]) -> Callable[[], None]:
    return lambda: settle(None)


def _check_batchable(schema: EntitySchema) -> None:
    name = schema.cls.__name__
    if schema.uniques:
        raise WriteRefused(
            f"{name} has unique values: their markers have to be written in one transaction with it, "
            "which a batch is not. Write each by itself, or in transactions"
        )
    if schema.version is not None:
        raise WriteRefused(
            f"{name} has a version, which every write checks; a batch takes no conditions. Write each by "
            "itself, or in transactions"
        )
