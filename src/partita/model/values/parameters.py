"""What stands in a declared access pattern where a value will be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class P:
    """A parameter: `Order.gsi1(tenant=P("tenant"))`, `F(Order).status == P("status")`."""

    name: str


def parameters_in(values: Iterable[object]) -> tuple[str, ...]:
    """The names of the parameters among values, in order, each once."""
    return tuple(dict.fromkeys(value.name for value in values if isinstance(value, P)))
