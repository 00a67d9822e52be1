"""Plans of the writes of one entity: create, put, update, change, delete, check."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from partita.model.declaring.entity import Entity, kind_of
from partita.model.declaring.items import key_of, primary_key
from partita.model.declaring.upcasting import is_older
from partita.model.errors import WriteRefused
from partita.model.expressions.conditions import AttributeAt, Comparison, Condition, Function, Value
from partita.model.expressions.difference import difference
from partita.model.expressions.guards import guard_of_update, require_same_key
from partita.model.expressions.raw import Raw
from partita.model.expressions.rendering import render, require_fields_of
from partita.model.expressions.updates import Remove, SetTo, Update
from partita.model.flows.actions import Action, ActionKind, Refusal
from partita.model.flows.context import Context
from partita.model.keys.key_conditions import BoundKey, KeyCondition
from partita.model.schema import EntitySchema, Item
from partita.model.uniqueness.marking import NOTHING, marking
from partita.model.values.attribute_values import key_text, same_value
from partita.model.writing.plans import Verdict, WritePlan
from partita.model.writing.refusals import Changed, Exists, stored_version

E = TypeVar("E", bound=Entity)
Target = Entity | KeyCondition[Any]
"""An entity, or `Order.key(…)` with all placeholders of the key."""


def plan_create(context: Context, entity: Entity, at: datetime | None = None) -> WritePlan:
    """Puts an entity whose primary key must not be stored yet."""
    schema = required_entity(entity, "create").__schema__
    draft = _draft(entity, at or context.now())
    item = schema.encode(draft)
    action = _put(context, schema, item, _absent(schema), Exists(schema.cls))
    markers = marking(context, schema, None, draft, item).actions
    return WritePlan((action, *markers), applied=_created(schema, item), settle=_settle(entity, draft, item))


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
    condition = all_of(_at_version(schema, version), markers.guard, asked, when)
    action = _put(context, schema, item, condition, Changed(schema.cls, version, asked is not None))
    applied = _overwritten(schema, item, version)
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
    condition = all_of(present(schema), _at_version(schema, version), markers.guard, by_what_was_read, when)
    refused = Changed(schema.cls, version)
    action = update_action(context, schema, primary_key(schema.table, new), updates, condition, refused)
    kept = {name: value for name, value in stored.items() if name not in old}
    return WritePlan(
        (action, *markers.actions),
        repeats=version is not None or (when is None and may_repeat(updates)),
        applied=_overwritten(schema, new, version),
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
    condition = all_of(_at_version(schema, version), markers.guard, asked, when)
    action = _keyed(
        context,
        schema,
        "Delete",
        key_of_target(target),
        _rendered(schema, condition),
        Changed(schema.cls, version, asked is not None),
    )

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
    asked = all_of(exists, _at_version(schema, version), form, condition)
    action = _keyed(
        context,
        schema,
        "ConditionCheck",
        key_of_target(target),
        _rendered(schema, asked),
        Changed(schema.cls, version, form is not None),
    )
    return WritePlan((action,))


def may_repeat(updates: Sequence[Update | Raw]) -> bool:
    """Whether updates, applied twice, do what they do applied once: values set and removed, no list elements.

    An element that is set beyond a list's end is appended, and removing one moves the others.
    """
    return all(
        isinstance(update, Remove) or (isinstance(update, SetTo) and isinstance(update.operand, Value))
        for update in updates
    ) and not any(isinstance(step, int) for update in updates for step in update.path)  # type: ignore[union-attr]


def required_entity(given: E, verb: str) -> E:
    """Raises WriteRefused for what is no entity that can be stored."""
    if not isinstance(given, Entity):
        raise WriteRefused(f"{verb} takes an entity, not {kind_of(given)}")
    if not hasattr(given, "__schema__"):
        raise WriteRefused(
            f"{type(given).__name__} has no key, so it cannot be stored: it is a base for others"
        )
    return given


def schema_of(target: Target, verb: str) -> EntitySchema:
    if isinstance(target, KeyCondition):
        schema: EntitySchema = target.entity.__schema__
        return schema
    if not isinstance(target, Entity):
        raise WriteRefused(f"{verb} takes an entity or its key, as in Order.key(id=…), not {kind_of(target)}")
    return required_entity(target, verb).__schema__


def required_key(given: KeyCondition[E], verb: str) -> KeyCondition[E]:
    """Raises WriteRefused for what is no key of one item."""
    if not isinstance(given, KeyCondition):
        raise WriteRefused(f"{verb} takes a key, as in Order.key(id=…), not {kind_of(given)}")
    return given


def key_of_target(target: Target) -> Item:
    """The primary key. Raises WriteRefused where an entity's is another one than when it was read."""
    if isinstance(target, KeyCondition):
        return target.item_key()
    key = key_of(target)
    if target._stored is not None:
        require_same_key(target.__schema__, target._stored, key)
    return key


def ref_to(entity: E) -> KeyCondition[E]:
    """The reference to an entity's item, for reading it again."""
    bound: BoundKey[E] = type(entity).key  # type: ignore[attr-defined]
    return bound(**{name: entity.__dict__[name] for name in (*bound.partition_names, *bound.sort_names)})


def subject_of(schema: EntitySchema, key: Item) -> str:
    """How errors call an item: `Order TENANT#42#ORDER#991 / META`."""
    return f"{schema.cls.__name__} {key_text(key)}"


def update_action(
    context: Context,
    schema: EntitySchema,
    key: Item,
    updates: Sequence[Update | Raw],
    condition: Condition | None,
    refused: Refusal,
) -> Action:
    """An UpdateItem of one item."""
    return _keyed(context, schema, "Update", key, _rendered(schema, condition, updates), refused)


def _put(
    context: Context, schema: EntitySchema, item: Item, condition: Condition | None, refused: Refusal
) -> Action:
    key = primary_key(schema.table, item)
    parameters = {"TableName": context.table_name(schema.table), "Item": item}
    return Action(
        "Put", parameters | _guarded(_rendered(schema, condition)), key, subject_of(schema, key), refused
    )


def _keyed(
    context: Context,
    schema: EntitySchema,
    kind: ActionKind,
    key: Item,
    expressions: Mapping[str, Any],
    refused: Refusal,
) -> Action:
    parameters = {"TableName": context.table_name(schema.table), "Key": key}
    return Action(kind, parameters | _guarded(expressions), key, subject_of(schema, key), refused)


def _rendered(
    schema: EntitySchema, condition: Condition | None, updates: Sequence[Update | Raw] = ()
) -> dict[str, Any]:
    require_fields_of((schema.cls,), condition, updates)
    return render(update=updates, condition=condition)


def _guarded(expressions: Mapping[str, Any]) -> dict[str, Any]:
    """With the question for the stored item where a condition may fail on it."""
    if "ConditionExpression" not in expressions:
        return dict(expressions)
    return {**expressions, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}


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


def all_of(*conditions: Condition | None) -> Condition | None:
    """The conditions that there are, all together."""
    whole: Condition | None = None
    for condition in conditions:
        if condition is not None:
            whole = condition if whole is None else whole & condition
    return whole


def present(schema: EntitySchema) -> Condition:
    return Function("attribute_exists", (schema.table.partition.name,))


def in_this_form(schema: EntitySchema, asked: Condition | None) -> Condition | None:
    """That the item is in the form that `asked` speaks of; None where nothing is asked, or there is but one.

    Upcasters may make a stored attribute mean something else: a condition must not judge, and a change must
    not write, attributes of a form that readers take apart first.
    """
    if asked is None or schema.schema_version == 1:
        return None
    version = Value({"N": str(schema.schema_version)})
    return Comparison(AttributeAt((schema.table.schema_version,)), "=", version)


def _absent(schema: EntitySchema) -> Condition:
    return Function("attribute_not_exists", (schema.table.partition.name,))


def _at_version(schema: EntitySchema, version: int | None) -> Condition | None:
    """The item has this version. At 0 it has none: it is new, or older than the version field."""
    if version is None:
        return None
    assert schema.version is not None
    path = (schema.fields[schema.version].attribute,)
    if version == 0:
        return Function("attribute_not_exists", path)
    return Comparison(AttributeAt(path), "=", Value({"N": str(version)}))


def known_part(schema: EntitySchema, stored: Item) -> Item:
    """What the entity's class would write of a stored item: attributes of others are left alone.

    All of it where an older version of the class wrote it: its names may mean something else by now.
    """
    if is_older(schema, stored):
        return stored
    return {name: value for name, value in stored.items() if name in schema.attributes}


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


def _equal(known: Item, item: Item) -> bool:
    """Whether a stored item has all these attributes, and their values."""
    return all(same_value(value, item.get(name)) for name, value in known.items())


def _time_of(schema: EntitySchema, field: str | None, item: Item) -> Any:
    return None if field is None else item.get(schema.fields[field].attribute)


def _created(schema: EntitySchema, ours: Item) -> Callable[[Item | None], Verdict]:
    """Whether a stored item shows that our create was applied."""

    def applied(item: Item | None) -> Verdict:
        if item is None:
            return None
        theirs = _time_of(schema, schema.created, item)
        if schema.created is not None and not same_value(_time_of(schema, schema.created, ours), theirs):
            return False
        if item.keys() == ours.keys() and _equal(ours, item):
            # Another writer may have created the same; without a time nothing tells.
            return True if schema.created is not None else None
        if schema.version is None:
            return None
        if stored_version(schema.cls, item) <= stored_version(schema.cls, ours):
            return False
        return True if schema.created is not None else None

    return applied


def _overwritten(schema: EntitySchema, ours: Item, version: int | None) -> Callable[[Item | None], Verdict]:
    """Whether a stored item shows that our write over `version` was applied."""

    def applied(item: Item | None) -> Verdict:
        if item is None or version is None or stored_version(schema.cls, item) > version + 1:
            return None
        if not _equal(ours, item):
            return False
        return True if schema.updated is not None else None

    return applied
