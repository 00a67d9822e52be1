"""Plans of the writes of one entity: create, put, update, change, delete, check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import primary_key
from partita.model.declaring.upcasting import is_older
from partita.model.errors import WriteRefused
from partita.model.expressions.conditions import Condition, Value
from partita.model.expressions.difference import difference
from partita.model.expressions.guards import guard_of_update, require_same_key
from partita.model.expressions.raw import Raw
from partita.model.expressions.updates import Remove, SetTo, Update
from partita.model.flows.context import Context
from partita.model.schema import EntitySchema, Item
from partita.model.uniqueness.marking import NOTHING, marking
from partita.model.writing.demands import absent, all_of, at_version, in_this_form, present
from partita.model.writing.item_actions import check_action, delete_action, put_action, update_action
from partita.model.writing.plans import Verdict, WritePlan
from partita.model.writing.refusals import Changed, Exists
from partita.model.writing.targets import Target, key_of_target, required_entity, schema_of
from partita.model.writing.verdicts import verdict_on_creation, verdict_on_overwriting

E = TypeVar("E", bound=Entity)


def plan_create(context: Context, entity: Entity, at: datetime | None = None) -> WritePlan:
    """Puts an entity whose primary key must not be stored yet."""
    schema = required_entity(entity, "create").__schema__
    draft = _draft(entity, at or context.now())
    item = schema.encode(draft)
    action = put_action(context, schema, item, absent(schema), Exists(schema.cls))
    markers = marking(context, schema, None, draft, item).actions
    applied = verdict_on_creation(schema, item)
    return WritePlan((action, *markers), applied=applied, settle=_settle(entity, draft, item))


def plan_put(
    context: Context, entity: Entity, when: Condition | None = None, at: datetime | None = None
) -> WritePlan:
    """Puts an entity whatever is stored; one with a version only over the version that it was read at.

    One with unique attributes must have been read: else markers of what it replaces would stay.
    """
    schema = required_entity(entity, "put").__schema__
    stored = _known_to_markers(entity, "put")
    version = _version(entity)
    draft = _draft(entity, at or context.now())
    item = schema.encode(draft)
    if entity._stored is not None:
        require_same_key(schema, entity._stored, primary_key(schema.table, item))
    markers = marking(context, schema, stored, draft, item, replaces=True)
    asked = in_this_form(schema, when)
    condition = all_of(at_version(schema, version), markers.guard, asked, when)
    action = put_action(context, schema, item, condition, Changed(schema.cls, version, asked is not None))
    applied = verdict_on_overwriting(schema, item, version)
    return WritePlan((action, *markers.actions), applied=applied, settle=_settle(entity, draft, item))


def plan_update(
    context: Context, entity: Entity, when: Condition | None = None, at: datetime | None = None
) -> WritePlan | None:
    """Sends what changed since the entity was read or written; None: nothing did, and it has no version."""
    schema = required_entity(entity, "update").__schema__
    stored = entity._stored
    if stored is None:
        raise WriteRefused(
            f"{schema.cls.__name__}: update sends what changed since an entity was read, and this one was "
            "not: create it, put it, or change the item by its key"
        )
    if when is not None and is_older(schema, stored):
        raise WriteRefused(
            f"{schema.cls.__name__}: the entity was read from an item in an older form, of which a condition "
            "cannot ask: update it without when= first, which stores it in the present form"
        )
    old = known_part(schema, stored)
    untimed = _hooked(entity)
    if schema.version is None and when is None and not difference(schema, old, schema.encode(untimed)):
        return None
    draft = _stamped(schema, untimed, at or context.now())
    new = schema.encode(draft)
    version = _version(entity)
    if schema.version is not None:
        # Set in any case: a caller may have set the version to the one that a form was filled in from.
        old = {name: value for name, value in old.items() if name != schema.fields[schema.version].attribute}
    updates = difference(schema, old, new)
    if not updates:
        return None
    markers = marking(context, schema, stored, draft, new)
    by_what_was_read = guard_of_update(schema, stored, updates) if version is None else None
    condition = all_of(present(schema), at_version(schema, version), markers.guard, by_what_was_read, when)
    refused = Changed(schema.cls, version)
    action = update_action(context, schema, primary_key(schema.table, new), updates, condition, refused)
    kept = {name: value for name, value in stored.items() if name not in old}
    return WritePlan(
        (action, *markers.actions),
        repeats=version is not None or (when is None and may_repeat(updates)),
        applied=verdict_on_overwriting(schema, new, version),
        settle=_settle(entity, draft, kept | new),
        item=kept | new,
    )


def plan_delete(context: Context, target: Target, when: Condition | None = None) -> WritePlan:
    """Deletes an item. An entity with a version is deleted only at the version that it was read at.

    A missing item is no error, except where a version or `when` asks something of it.
    """
    schema = schema_of(target, "delete")
    stored = _known_to_markers(target, "delete")
    version = _version(target) if isinstance(target, Entity) and target._stored is not None else None
    markers = NOTHING if stored is None else marking(context, schema, stored, None, None)
    asked = in_this_form(schema, when)
    condition = all_of(at_version(schema, version), markers.guard, asked, when)
    refused = Changed(schema.cls, version, asked is not None)
    action = delete_action(context, schema, key_of_target(target), condition, refused)

    def applied(item: Item | None) -> Verdict:
        return None if item is None else False

    def settle(_: Item | None) -> None:
        if isinstance(target, Entity):
            target.__dict__.pop("_stored", None)

    return WritePlan((action, *markers.actions), applied=applied, settle=settle)


def plan_check(context: Context, target: Target, condition: Condition | None = None) -> WritePlan:
    """Asks only that an item is as it is thought to be: of the version that was read, and of a condition."""
    schema = schema_of(target, "check")
    version = _version(target) if isinstance(target, Entity) and target._stored is not None else None
    form = in_this_form(schema, condition)
    exists = present(schema) if condition is None else None
    asked = all_of(exists, at_version(schema, version), form, condition)
    refused = Changed(schema.cls, version, form is not None)
    return WritePlan((check_action(context, schema, key_of_target(target), asked, refused),))


def may_repeat(updates: Sequence[Update | Raw]) -> bool:
    """Whether updates, applied twice, do what they do applied once: values set and removed, no list elements.

    An element that is set beyond a list's end is appended, and removing one moves the others.
    """
    return all(
        isinstance(update, Remove) or (isinstance(update, SetTo) and isinstance(update.operand, Value))
        for update in updates
    ) and not any(isinstance(step, int) for update in updates for step in update.path)  # type: ignore[union-attr]


def _known_to_markers(target: Target, verb: str) -> Item | None:
    """The item that an entity with unique attributes was read from, by which its markers are known."""
    schema = schema_of(target, verb)
    if not schema.uniques:
        return None
    stored = target._stored if isinstance(target, Entity) else None
    if stored is None:
        raise WriteRefused(
            f"{schema.cls.__name__} has unique attributes, and its markers are known from the item that "
            f"it was read from: read it before you {verb} it"
        )
    return stored


def _version(entity: Entity) -> int | None:
    """The version that the entity was read at, 0 for a new one; None where it counts none."""
    field = entity.__schema__.version
    return None if field is None else int(entity.__dict__[field])


def known_part(schema: EntitySchema, stored: Item) -> Item:
    """What the entity's class would write of a stored item: attributes of others are left alone.

    Where an older version of the class wrote it, what its upcasters take out is part of it, too.
    """
    left = schema.upcast(stored) if is_older(schema, stored) else stored
    return {name: value for name, value in stored.items() if name in schema.attributes or name not in left}


def _hooked(entity: E) -> E:
    """A copy on which `before_write` was called, so that a failed write leaves the entity as it was."""
    overrides = type(entity).before_write is not Entity.before_write
    draft = entity.model_copy(deep=overrides)
    draft.before_write()
    return draft


def _draft(entity: E, now: datetime) -> E:
    return _stamped(entity.__schema__, _hooked(entity), now)


def _stamped(schema: EntitySchema, draft: E, now: datetime) -> E:
    """The draft with the next version and the times of this write."""
    values = draft.__dict__
    if schema.version is not None:
        values[schema.version] = int(values[schema.version]) + 1
    if schema.created is not None and values[schema.created] is None:
        values[schema.created] = now
    if schema.updated is not None:
        values[schema.updated] = now
    return draft


def _settle(entity: Entity, draft: Entity, item: Item) -> Callable[[Item | None], None]:
    """After the success: the entity is what the draft was, and remembers the item."""

    def settle(_: Item | None) -> None:
        schema = entity.__schema__
        changed = type(entity).before_write is not Entity.before_write
        names = schema.fields if changed else filter(None, (schema.version, schema.created, schema.updated))
        for name in names:
            entity.__dict__[name] = draft.__dict__[name]
        entity.__dict__["_stored"] = item

    return settle
