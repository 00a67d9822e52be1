"""What is known of the index and the table that come and go."""

from __future__ import annotations

from typing import Any, Final

from .connection import Refused
from .inspection import Call
from .tables import LATER, ORDERS, PASSING, Item

BATCH: Final = 25


class Presence:
    """Whether something is there, as far as its only client knows."""

    def __init__(self) -> None:
        self.known = False
        self.wanted = False
        """What a request asks for that has no answer."""
        self.failed = False
        """What a request asked for that got an internal error."""

    def settle(self, found: bool) -> bool:
        """Takes what was found; whether that may be."""
        is_right = found in (self.known, self.wanted, self.failed)
        self.known = self.wanted = self.failed = found
        return is_right

    def copy(self) -> Presence:
        copy = Presence()
        copy.known, copy.wanted, copy.failed = self.known, self.wanted, self.failed
        return copy


class Churned:
    """What the client knows of what it makes and deletes."""

    def __init__(self) -> None:
        self.index = Presence()
        self.table = Presence()
        self.fills = 0
        """How often the passing table has been made."""
        self.filled = 0
        """Its batches that were acknowledged."""

    def copy(self) -> Churned:
        copy = Churned()
        copy.index, copy.table = self.index.copy(), self.table.copy()
        copy.fills, copy.filled = self.fills, self.filled
        return copy

    def batch(self, number: int) -> list[Item]:
        return [
            {
                "pk": {"S": f"{self.fills}/{number}"},
                "sk": {"S": f"{at:02}"},
                **({"weight": {"N": str(at)}} if at % 5 == 0 else {}),
                "padding": {"S": "x" * (at % 5 * 1000)},
            }
            for at in range(BATCH)
        ]

    async def problems(self, call: Call) -> list[str]:
        """What a new process shows against what is known; then that is known."""
        problems: list[str] = []
        description = (await call("DescribeTable", {"TableName": ORDERS}))["Table"]
        is_there = index_status(description) not in (None, "DELETING")
        if not self.index.settle(is_there):
            problems.append(f"index {LATER} is {index_status(description)}")
        status = await table_status(call)
        is_there = status not in (None, "DELETING")
        if not self.table.settle(is_there):
            problems.append(f"table {PASSING} is {status}")
        if status == "ACTIVE":
            problems += await self._content_problems(call)
        return problems

    async def _content_problems(self, call: Call) -> list[str]:
        """Acknowledged batches of the passing table; the next may be there too."""
        problems: list[str] = []
        for number in range(self.filled):
            query = {
                "TableName": PASSING,
                "KeyConditionExpression": "pk = :p",
                "ExpressionAttributeValues": {":p": {"S": f"{self.fills}/{number}"}},
                "ConsistentRead": True,
            }
            if (await call("Query", query))["Items"] != self.batch(number):
                problems.append(f"batch {number} of table {PASSING} is not there")
        return problems


def index_status(description: dict[str, Any]) -> str | None:
    for index in description["GlobalSecondaryIndexes"]:
        if index["IndexName"] == LATER:
            return str(index["IndexStatus"])
    return None


async def table_status(call: Call) -> str | None:
    try:
        description = (await call("DescribeTable", {"TableName": PASSING}))["Table"]
    except Refused as refused:
        if refused.name != "ResourceNotFoundException":
            raise
        return None
    return str(description["TableStatus"])
