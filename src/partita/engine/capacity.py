"""Capacity units: what a request consumed, per table and index (docs/behaviours.md, section 14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from partita.engine.table import Table


def read_units(size_bytes: int, *, consistent: bool) -> float:
    """Units of one read of `size_bytes` (0: nothing found): 1 for 4 KB, half if eventually consistent."""
    blocks = (size_bytes + 4095) // 4096 or 1
    return float(blocks) if consistent else blocks * 0.5


def rounded_up(size_bytes: int) -> int:
    """A size in whole blocks of 4 KB, as reads count them."""
    return (size_bytes + 4095) // 4096 * 4096


def write_units(size_bytes: int) -> float:
    """Units of one write: 1 for 1 KB of the larger of before and after, at least 1."""
    return float((size_bytes + 1023) // 1024 or 1)


class Consumed:
    """Units of one table in one request, the table's own and each index's."""

    __slots__ = ("indexes", "kind", "name", "table", "units")

    def __init__(
        self, table: Table, units: float = 0.0, kind: str | None = None, name: str | None = None
    ) -> None:
        self.table = table
        self.name = name or table.name
        """The table's name or ARN, as the request has it (fact 14.22)."""
        self.units = units
        self.indexes: dict[str, float] = {}
        self.kind = kind
        """`ReadCapacityUnits` or `WriteCapacityUnits` where the answer repeats the units so (fact 14.16)."""

    def add_index(self, name: str, units: float) -> None:
        """Charges an index; one that nothing was charged for is not shown."""
        if units:
            self.indexes[name] = self.indexes.get(name, 0.0) + units

    def answer(self, level: str) -> dict[str, Any]:
        """The ConsumedCapacity member for `TOTAL` or `INDEXES`."""
        total = self.units + sum(self.indexes.values())
        answer: dict[str, Any] = {"TableName": self.name, "CapacityUnits": total}
        if self.kind is not None:
            answer[self.kind] = total
        if level == "INDEXES":
            answer["Table"] = self._arm(self.units)
            for member, is_global in (("LocalSecondaryIndexes", False), ("GlobalSecondaryIndexes", True)):
                arms = {
                    name: self._arm(units)
                    for name, units in self.indexes.items()
                    if name in self.table.indexes and self.table.indexes[name].is_global is is_global
                }
                if arms:
                    answer[member] = arms
        return answer

    def _arm(self, units: float) -> dict[str, float]:
        arm = {"CapacityUnits": units}
        if self.kind is not None:
            arm[self.kind] = units
        return arm


def add_capacity(answer: dict[str, Any], request: dict[str, Any], consumed: Consumed) -> None:
    """Adds ConsumedCapacity to an answer if the request asks for it (facts 14.7, 14.8)."""
    level = request.get("ReturnConsumedCapacity")
    if level is not None and level != "NONE":
        consumed.name = request["TableName"]
        answer["ConsumedCapacity"] = consumed.answer(level)


def add_capacities(answer: dict[str, Any], request: dict[str, Any], all_consumed: Iterable[Consumed]) -> None:
    """The same for operations that answer a list, one entry for each table (fact 14.17)."""
    level = request.get("ReturnConsumedCapacity")
    if level is not None and level != "NONE":
        answer["ConsumedCapacity"] = [consumed.answer(level) for consumed in all_consumed]
