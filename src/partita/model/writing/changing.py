"""Plans of `change`: an atomic update by key, of an item that was not read.

Index keys and unique values are made of fields; a change sees only the values that it is given. So it may
touch such fields only where it knows all that the keys are made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from partita.model.declaring.compiled import shard_of
from partita.model.declaring.when import read_by
from partita.model.errors import KeyValueError, WriteRefused
from partita.model.expressions.conditions import Condition, Value
from partita.model.expressions.guards import own_templates
from partita.model.expressions.raw import Raw
from partita.model.expressions.rendering import attributes_of, require_fields_of
from partita.model.expressions.updates import Increase, Remove, SetDefault, SetTo, Update
from partita.model.flows.context import Context
from partita.model.keys.key_conditions import KeyCondition
from partita.model.keys.templates import Template
from partita.model.schema import AttributeValue, EntitySchema, Item, KeySchema
from partita.model.writing.demands import in_this_form, present
from partita.model.writing.item_actions import update_action
from partita.model.writing.planning import may_repeat
from partita.model.writing.plans import WritePlan
from partita.model.writing.refusals import Changed
from partita.model.writing.targets import required_key


def plan_change(
    context: Context,
    ref: KeyCondition[Any],
    updates: Sequence[Update | Raw],
    when: Condition | None = None,
    or_create: bool = False,
    at: datetime | None = None,
) -> WritePlan:
    """Applies updates to the item of a key, which must exist unless `or_create`.

    The version is raised and the time of the update set. Raises WriteRefused where index keys or unique
    values would have to change and what they are made of is not known.
    """
    schema = required_key(ref, "change").entity.__schema__
    if not updates:
        raise WriteRefused(f"{schema.cls.__name__}: a change needs at least one update")
    require_fields_of((schema.cls,), when, updates)
    known = Known(schema, ref, updates)
    _check_native_keys(schema, updates)
    now = at or context.now()
    whole = [*updates, *_of_indexes(schema, known), *_of_write(schema, now, or_create)]
    exists = present(schema)
    form = in_this_form(schema, exists)
    condition: Condition | None = exists if form is None else form
    if or_create:
        whole += _of_creation(schema, ref, known, whole, now)
        condition = None if form is None else ~exists | form
    if when is not None:
        condition = when if condition is None else condition & when
    refused = Changed(schema.cls, None, form is not None)
    action = update_action(context, schema, ref.item_key(), whole, condition, refused)
    return WritePlan((action,), repeats=when is None and may_repeat(whole))


class Known:
    """What a change knows of its item: the values in its key, and those that it sets."""

    def __init__(self, schema: EntitySchema, ref: KeyCondition[Any], updates: Sequence[Update | Raw]) -> None:
        self.values: dict[str, Any] = dict(ref.values)
        self.touched: set[str] = set()
        """Fields whose values may change."""
        fields = {field.attribute: field for field in schema.fields.values()}
        in_key = {name for template in schema.key.templates for name in template.names}
        for update in updates:
            attributes = attributes_of([update]) if isinstance(update, Raw) else {str(update.path[0])}
            for attribute in sorted(attributes):
                field = fields.get(attribute)
                if field is None:
                    continue
                if field.name in in_key:
                    raise WriteRefused(
                        f"{schema.cls.__name__}.{field.name} stands in the primary key, which cannot change: "
                        "create the entity under its new key and delete this one, both in one transaction"
                    )
                if field.name in (schema.version, schema.created, schema.updated):
                    raise WriteRefused(f"{schema.cls.__name__}.{field.name} is written by every change")
                self.touched.add(field.name)
                self.values.pop(field.name, None)
            if isinstance(update, Raw) or len(update.path) > 1:
                continue
            field = fields.get(str(update.path[0]))
            if field is not None and isinstance(update, SetTo) and isinstance(update.operand, Value):
                self.values[field.name] = field.codec.decode(update.operand.value)
            elif field is not None and isinstance(update, Remove):
                self.values[field.name] = None
        for rule in schema.uniques:
            read = read_by(schema, rule.when)
            decisive = {*rule.fields, *rule.scope, *(schema.fields if read is None else read)}
            clash = self.touched & (decisive if schema.ttl is None else decisive | {schema.ttl})
            if clash:
                raise WriteRefused(
                    f"{schema.cls.__name__}.{min(clash)} is part of the unique rule {rule.name!r}, whose "
                    "markers depend on the old value: read the entity and update it"
                )


class _Missing(Exception):
    """A `when` asked for a field whose value is not known."""


class _StandIn:
    """Stands for the entity in a `when`."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__["_values"] = values

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise _Missing(name) from None


def _of_indexes(schema: EntitySchema, known: Known) -> list[Update]:
    """The updates of index keys that follow from the change."""
    decided: dict[str, Update] = {}
    for name, key in schema.index_keys.items():
        templates = own_templates(schema, key)
        used = {field for template in templates for field in template.names}
        asked = read_by(schema, key.when)
        if not templates or not (used & known.touched or asked is None or asked & known.touched):
            continue
        for update in _of_index(schema, name, key, templates, known):
            attribute = str(update.path[0])
            # An attribute that two indexes share is there as long as the item is in one of them.
            if isinstance(update, SetTo) or attribute not in decided:
                decided[attribute] = update
    return list(decided.values())


def _primary(schema: EntitySchema) -> set[str]:
    return {template.attribute for template in schema.key.templates}


def _of_index(
    schema: EntitySchema, name: str, key: KeySchema, templates: Sequence[Template], known: Known
) -> Iterator[Update]:
    names = {field for template in templates for field in template.names}
    try:
        is_in = key.when is None or bool(key.when(_StandIn(known.values)))
    except _Missing as missing:
        raise _unknown(schema, name, str(missing), known) from None
    if is_in and not any(field in known.values and known.values[field] is None for field in names):
        for field in sorted(names):
            if field not in known.values:
                raise _unknown(schema, name, field, known)
        shard = None
        if key.shards is not None:
            shard = shard_of([t.render(known.values) for t in schema.key.templates], key.shards)
        for template in templates:
            try:
                rendered = template.render(known.values, shard)
            except KeyValueError as error:
                raise KeyValueError(f"{schema.cls.__name__}.{name}: {error}") from None
            yield SetTo((template.attribute,), Value(rendered))
    else:
        for template in templates:
            yield Remove((template.attribute,))


def _unknown(schema: EntitySchema, index: str, field: str, known: Known) -> WriteRefused:
    name = schema.cls.__name__
    if field in known.touched:
        return WriteRefused(
            f"{name}.{field} decides the key of {index}, and only the database knows its value after this "
            f"update: give the value itself, F({name}).{field}.set(…), or read the entity and update it"
        )
    return WriteRefused(
        f"{name}: the change decides the key of {index}, which also depends on {field}: set "
        "it too, or read the entity and update it"
    )


def _check_native_keys(schema: EntitySchema, updates: Sequence[Update | Raw]) -> None:
    """Raises KeyValueError for a value that cannot stand in an index whose keys are attributes."""
    native = {
        template.attribute: (key.name, template)
        for key in schema.index_keys.values()
        if key.index is not None and key.index.native
        for template in key.templates
        if template.kind != "N"
    }
    for update in updates:
        if not isinstance(update, SetTo | SetDefault) or len(update.path) > 1:
            continue
        name, template = native.get(str(update.path[0]), ("", None))
        value = update.value if isinstance(update, SetDefault) else _given(update)
        if template is not None and value is not None:
            try:
                template.check_stored(value)
            except KeyValueError as error:
                raise KeyValueError(f"{schema.cls.__name__}.{name}: {error}") from None


def _given(update: SetTo) -> AttributeValue | None:
    return update.operand.value if isinstance(update.operand, Value) else None


def _of_write(schema: EntitySchema, now: datetime, or_create: bool) -> Iterator[Update]:
    """What every write does: the version raised, the time set."""
    if schema.version is not None:
        attribute = schema.fields[schema.version].attribute
        yield Increase((attribute,), {"N": "1"}, {"N": "0"})
    if schema.updated is not None:
        field = schema.fields[schema.updated]
        encoded = field.codec.encode(now)
        assert encoded is not None
        yield SetTo((field.attribute,), Value(encoded))


def _of_creation(
    schema: EntitySchema, ref: KeyCondition[Any], known: Known, updates: Sequence[Update | Raw], now: datetime
) -> list[Update]:
    """What makes a whole item of a key alone, where there was none."""
    values: dict[str, Any] = dict(ref.values)
    if schema.created is not None:
        values[schema.created] = now
    touched = attributes_of(list(updates))
    missing = [
        name
        for name, info in schema.cls.model_fields.items()
        if info.is_required() and name not in values and schema.fields[name].attribute not in touched
    ]
    if missing:
        raise WriteRefused(
            f"{schema.cls.__name__}: a change that may create the item has to set "
            f"{', '.join(sorted(missing))} too"
        )
    table = schema.table
    constants: Item = {}
    if table.discriminator is not None:
        constants[table.discriminator] = {"S": schema.type_name}
    if schema.schema_version > 1:
        constants[table.schema_version] = {"N": str(schema.schema_version)}
    for name, value in values.items():
        field = schema.fields[name]
        encoded = field.codec.encode(value)
        if encoded is not None:
            constants[field.attribute] = encoded
    for name, key in schema.index_keys.items():
        for update in _of_index(schema, name, key, own_templates(schema, key), known):
            if isinstance(update, SetTo) and isinstance(update.operand, Value):
                constants.setdefault(str(update.path[0]), update.operand.value)
    left_alone = _primary(schema) | touched
    return [
        SetDefault((attribute,), value)
        for attribute, value in constants.items()
        if attribute not in left_alone
    ]
