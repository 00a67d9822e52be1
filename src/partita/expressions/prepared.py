"""What a request asks for in its expressions, ready to be run on items."""

from __future__ import annotations

from collections.abc import Callable

from partita.attributes import Item
from partita.expressions.key_conditions import KeyCondition
from partita.expressions.projection import Projection
from partita.expressions.update import Update


class Prepared:
    """The conditions, projection and update of one request; None: the request has none."""

    __slots__ = (
        "condition",
        "condition_names",
        "entered_names",
        "filter",
        "filter_names",
        "is_legacy",
        "key_conditions",
        "projection",
        "update",
    )

    def __init__(
        self,
        condition: Callable[[Item], bool] | None = None,
        condition_names: frozenset[str] = frozenset(),
        filter: Callable[[Item], bool] | None = None,
        filter_names: frozenset[str] = frozenset(),
        projection: Projection | None = None,
        key_conditions: tuple[KeyCondition, ...] | None = None,
        update: Update | None = None,
        entered_names: frozenset[str] = frozenset(),
        is_legacy: bool = False,
    ) -> None:
        self.condition = condition
        """Of the item as it was; `{}` where there is none (fact 7.19)."""
        self.condition_names = condition_names
        """Names of the top-level attributes that the condition looks at."""
        self.filter = filter
        self.filter_names = filter_names
        """Names of the top-level attributes that the filter mentions (fact 11.14)."""
        self.projection = projection
        self.key_conditions = key_conditions
        self.update = update
        self.entered_names = entered_names
        """Names of the top-level attributes into which a path of any expression leads (facts 5.22, 5.25)."""
        self.is_legacy = is_legacy
        """Whether any of them came by a legacy parameter."""


NOTHING = Prepared()
"""Of a request without expressions."""
