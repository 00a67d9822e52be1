"""What a session asks of an access pattern that it runs; `partita.design` declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

from partita.model.flows.context import Context
from partita.model.flows.flow import Flow

R_co = TypeVar("R_co", covariant=True)


@runtime_checkable
class AccessPattern(Protocol[R_co]):
    """A read with a name, and parameters that values are given for."""

    @property
    def name(self) -> str:
        """What its requests are counted and logged under."""
        ...

    def flow(self, context: Context, values: Mapping[str, Any]) -> Flow[R_co]:
        """The read with these values. Raises KeyValueError for missing ones and ones too many."""
        ...


def require_recipe(of: object, values: Mapping[str, Any]) -> None:
    """Raises TypeError for what cannot be run: neither a read pattern nor a recipe."""
    if not callable(of):
        raise TypeError(
            f"run takes a declared read or a recipe, not {of!r}: writes are made by create, update, change, …"
        )
    if values:
        raise TypeError(f"a recipe takes its values itself, so run has no {', '.join(values)} for it")
