"""The fields of an entity, as expressions begin with them: `F(Order).qty >= 2`."""

from __future__ import annotations

from partita.model.declaring.entity import Entity, is_class, kind_of
from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import FieldPath
from partita.model.expressions.paths import Path, attribute_path
from partita.model.expressions.places import nearest, place_of_field
from partita.model.schema import EntitySchema


def F(entity: type[Entity]) -> Fields:  # noqa: N802 (it reads as a name at the call site)
    """The fields of an entity, for conditions and updates: `F(Order).qty >= 2`."""
    if not is_class(entity):
        raise ExpressionError(f"F takes a class of entities, as in F(Order).qty, not {kind_of(entity)}")
    schema = getattr(entity, "__schema__", None)
    if schema is None:
        raise ExpressionError(f"{entity.__name__} has no table, so nothing says how its fields are stored")
    return Fields(schema)


class Fields:
    """What `F(Order)` is: its fields as attributes; also as items, `F(Order)["qty"]`, for any name."""

    __slots__ = ("_schema",)

    def __init__(self, schema: EntitySchema) -> None:
        self._schema = schema

    def __getattr__(self, name: str) -> Path:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Path:
        schema = self._schema
        spelling = f"F({schema.cls.__name__})"
        if not isinstance(name, str):
            raise ExpressionError(f"{spelling} has fields by name, not {kind_of(name)}")
        if name not in schema.fields and name in {key.name for key in schema.table.key_attributes}:
            raise ExpressionError(f"{name} is a key attribute: write {spelling}.key_attribute({name!r})")
        return Path(place_of_field(schema.fields, name, schema.cls, spelling, FieldPath.of(schema.cls)))

    def key_attribute(self, name: str) -> Path:
        """A key attribute of the table or of one of its indexes by its stored name: PK, GSI1SK, …

        Its values are the rendered ones. Raises ExpressionError for a name that is no key attribute.
        """
        table = self._schema.table
        known = {attribute.name: attribute for attribute in table.key_attributes}
        if name not in known:
            raise ExpressionError(
                f"table {table.cls.__name__} has no key attribute {name!r}{nearest(name, known)}"
            )
        primary = {table.partition.name, table.sort.name if table.sort else None}
        return attribute_path(name, known[name].kind, changes=name not in primary)
