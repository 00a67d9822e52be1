"""Entities: pydantic models that know their table and their keys."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeGuard, dataclass_transform

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from partita.model.declaring.declaration import declare
from partita.model.declaring.examples import example
from partita.model.declaring.field_specifiers import UniqueTogether, attribute, unique
from partita.model.declaring.table import Table, required_table
from partita.model.declaring.upcasting import Upcaster
from partita.model.errors import DeclarationError
from partita.model.keys.key_conditions import Key
from partita.model.schema import EntitySchema, Item
from partita.model.values.attribute_values import shortened

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    # Type checkers take no base that is worked out, and pydantic names its metaclass only in private.
    ModelMetaclass = type(BaseModel)


@dataclass_transform(kw_only_default=True, field_specifiers=(Field, PrivateAttr, attribute, unique))
class EntityMeta(ModelMetaclass):
    """Checks an entity's declarations when its class is made."""

    def __new__(
        mcs,
        name: str,
        bases: tuple[type[Any], ...],
        namespace: dict[str, Any],
        table: type[Table] | None = None,
        type: str | None = None,
        **arguments: Any,
    ) -> EntityMeta:
        if table is not None:
            required_table(table)
        cls: Any = super().__new__(mcs, name, bases, namespace, **arguments)
        if not cls.__pydantic_complete__:
            # Types of the function that holds the class are found from here, not from pydantic's own frames.
            cls.model_rebuild(raise_errors=False, _types_namespace=sys._getframe(1).f_locals)
        table = table or getattr(cls, "__table__", None)
        cls.__table__ = table
        keys: dict[str, Key] = {}
        for base in reversed(cls.__mro__):
            keys.update({key: value for key, value in vars(base).items() if isinstance(value, Key)})
        if "key" in keys:
            if table is None:
                raise DeclarationError(f"{name} has a key, but no table: write class {name}(Entity, table=…)")
            declare(cls, table, keys, type or name)
            _attach(cls, keys)
        made: EntityMeta = cls
        return made


class Entity(BaseModel, metaclass=EntityMeta):
    """A kind of item: fields as in any pydantic model, and keys.

    Class arguments: `table`, and `type`, the discriminator's value (else the class's name). A class without
    a key is a base for others.
    """

    model_config = ConfigDict(
        validate_assignment=True, ignored_types=(Key, UniqueTogether, Upcaster), arbitrary_types_allowed=False
    )

    __schema__: ClassVar[EntitySchema]
    __table__: ClassVar[type[Table] | None] = None

    if TYPE_CHECKING:
        _stored: Item | None = PrivateAttr(default=None, init=False)
        """The item that it was read from or written as, None for a new one."""

        def __init_subclass__(
            cls, *, table: type[Table] = ..., type: str = ..., **arguments: Any
        ) -> None: ...

    @classmethod
    def example(cls, number: int = 1, /, **values: Any) -> Self:
        """An entity for tests: `values`, defaults, and made-up values for the other required fields.

        The same number gives the same entity, another number another key. Raises ValueError if a validator
        refuses what was made up.
        """
        made: Self = example(cls, number, values)
        return made

    def before_write(self) -> None:
        """Called before each write of the entity as a whole: may change fields, or raise."""

    def after_read(self) -> None:
        """Called after the entity was read from a stored item."""


def _attach(cls: Any, keys: dict[str, Key]) -> None:
    """Keys of indexes that need no template are attributes of the class too, though only at run time."""
    for name in cls.__schema__.index_keys:
        if name not in keys:
            if name in cls.model_fields:
                raise DeclarationError(
                    f"{cls.__name__}.{name} is a field and an index: give the index another name"
                )
            key = Key()
            key.name = name
            setattr(cls, name, key)


# A plain attribute, not pydantic's private one: two entities are equal whether or not one of them was stored.
Entity._stored = None


def required_class(given: Any) -> type[Entity]:
    """Raises TypeError for what is no class of entities that have a key."""
    if not is_class(given):
        raise TypeError(
            f"a class of entities is needed, such as Order(Entity, table=…), not {kind_of(given)}"
        )
    if not hasattr(given, "__schema__"):
        raise TypeError(f"{given.__name__} has no key: it is a base for other classes of entities")
    return given


def is_class(given: object) -> TypeGuard[type[Entity]]:
    return isinstance(given, type) and issubclass(given, Entity)


def kind_of(given: object) -> str:
    """How errors call what is not of the kind that was asked for."""
    if isinstance(given, type):
        return f"the {'table' if issubclass(given, Table) else 'class'} {given.__name__}"
    name = type(given).__name__
    return f"{shortened(given)}, {'an' if name[0] in 'aeiouAEIO' else 'a'} {name}"
