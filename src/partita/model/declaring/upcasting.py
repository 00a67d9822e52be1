"""Reading items that an older version of the application wrote."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from partita.model.errors import DeclarationError, UnreadableItem
from partita.model.schema import EntitySchema, Item, TableSchema


class Upcaster:
    """A function from an item of one schema version to the next; made by `upcaster`."""

    def __init__(self, version: int, function: Callable[[Item], Item]) -> None:
        self.version = version
        self.function = function


def upcaster(version: int) -> Callable[[Callable[[Item], Item]], Upcaster]:
    """Marks a function in an entity's class that turns stored items of `version` into those of `version + 1`.

    It takes and gives back attribute values by stored names; the item that it is given is its own. Items
    without a schema version are of version 1.

        @upcaster(1)
        def _names_were_one(item: Item) -> Item:
            return item | {"first": …, "last": …}
    """

    def mark(function: Callable[[Item], Item]) -> Upcaster:
        return Upcaster(version, function)

    return mark


def chain_of(cls: type, where: str) -> tuple[Callable[[Item], Item], ...]:
    """The upcasters of a class, from version 1 on. Raises DeclarationError for a gap or a duplicate."""
    found: dict[int, Callable[[Item], Item]] = {}
    for base in reversed(cls.__mro__):
        here: set[int] = set()
        for value in vars(base).values():
            if isinstance(value, Upcaster):
                if value.version in here:
                    raise DeclarationError(f"{where}: two upcasters take version {value.version}")
                here.add(value.version)
                found[value.version] = value.function
    if sorted(found) != list(range(1, len(found) + 1)):
        raise DeclarationError(
            f"{where}: upcasters take the versions 1, 2, … without a gap, not {sorted(found)}"
        )
    return tuple(found[version] for version in sorted(found))


def schema_version_of(table: TableSchema, item: Item) -> int:
    """The schema version that a stored item was written in. Raises ValueError for what is none."""
    stored: dict[str, Any] | None = item.get(table.schema_version)
    return 1 if stored is None else int(stored.get("N", ""))


def is_older(schema: EntitySchema, item: Item) -> bool:
    """Whether an earlier version of the class wrote the item: its names may mean something else by now."""
    return schema.schema_version > 1 and schema_version_of(schema.table, item) < schema.schema_version


def upcast(item: Item, chain: tuple[Callable[[Item], Item], ...], table: TableSchema, where: str) -> Item:
    """The item as the current version would have written it. Raises UnreadableItem."""
    try:
        version = schema_version_of(table, item)
    except ValueError:
        raise UnreadableItem(f"{where}: {table.schema_version} is no version number") from None
    if version < 1 or version > len(chain) + 1:
        raise UnreadableItem(
            f"{where}: the item is of schema version {version}, this code knows up to {len(chain) + 1}"
        )
    for number, step in enumerate(chain[version - 1 :], version):
        try:
            # A step may change what it is given in place, and the item is remembered as it was stored.
            item = step(deepcopy(item))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise UnreadableItem(f"{where}: the upcaster of version {number} fails: {reason}") from error
    return item
