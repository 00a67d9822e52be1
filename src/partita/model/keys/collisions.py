"""Whether keys of different entities can be the same, or keys be among the texts that a read finds.

Templates are compared as sets of texts, so a padded number never equals the literal META and two Enums only
where they share a value. Fields that stand in several places are taken as independent.
"""

from __future__ import annotations

from partita.model.errors import DeclarationError
from partita.model.keys.languages import ANY, Language, Many, common_text, exactly
from partita.model.keys.templates import MARKER_PREFIX, Template
from partita.model.schema import EntitySchema, KeySchema

ANYTHING: Language = (Many(ANY),)
MARKER_SORT = "LOCK"
_NUMBER: Language = (Many(((0x2B, 0x2B), (0x2D, 0x2E), (0x30, 0x39), (0x45, 0x45))),)


def can_collide(a: KeySchema, b: KeySchema) -> str | None:
    """A key that both can render, as "partition / sort", or None where there is none."""
    if len(a.partition) != len(b.partition) or len(a.sort) != len(b.sort):
        return None
    shared: list[str] = []
    for one, other in zip(a.templates, b.templates, strict=True):
        text = common_key(one, other)
        if text is None:
            return None
        shared.append(text)
    return " / ".join(shared)


def common_key(a: Template, b: Template) -> str | None:
    """A key attribute that both templates can render, None where there is none."""
    if a.kind != b.kind or a.attribute != b.attribute:
        return None
    return key_among(texts_of(a), b)


def texts_of(template: Template) -> Language:
    """Every text that the key attribute can be."""
    if template.field is None:
        return template.language
    return _NUMBER if template.kind == "N" else ANYTHING


def key_among(wanted: Language, template: Template) -> str | None:
    """A key attribute that the template can render and that is one of the wanted texts, None where there is
    none.
    """
    return common_text(wanted, texts_of(template), empty=False)


def check_collisions(new: EntitySchema) -> None:
    """Raises DeclarationError if an entity of the same table can have the same primary key, or has the
    same type.
    """
    name = new.cls.__name__
    for entity in new.table.entities:
        other = entity.__schema__
        if other.type_name == new.type_name:
            raise DeclarationError(
                f"{name}: {entity.__name__} is of the type {new.type_name!r} already; use type=…"
            )
        witness = can_collide(new.key, other.key)
        if witness is not None:
            raise DeclarationError(
                f"{name} and {entity.__name__} can have the same primary key, such as {witness!r}"
            )


def check_markers(new: EntitySchema) -> None:
    """Raises DeclarationError where markers of unique values have no place in the table, or may be taken for
    an entity.
    """
    table, name = new.table, new.cls.__name__
    if new.uniques and {one.kind for one in (table.partition, table.sort) if one is not None} != {"S"}:
        raise DeclarationError(
            f"{name}: the keys of {table.cls.__name__} are no texts, which markers of unique values need"
        )
    declared = [*(entity.__schema__ for entity in table.entities), new]
    if not any(schema.uniques for schema in declared):
        return
    for schema in declared:
        first = common_text(texts_of(schema.key.partition[0]), exactly(MARKER_PREFIX) + ANYTHING)
        if first is not None and all(
            common_text(texts_of(template), exactly(MARKER_SORT)) is not None for template in schema.key.sort
        ):
            raise DeclarationError(
                f"{schema.cls.__name__}: a key such as {first!r} is one of the markers of unique values"
            )
