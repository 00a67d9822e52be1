"""Which expressions and legacy parameters each operation takes, and how its errors list them."""

from __future__ import annotations

from collections.abc import Sequence

CONDITION = "ConditionExpression"
FILTER = "FilterExpression"
KEY_CONDITION = "KeyConditionExpression"
PROJECTION = "ProjectionExpression"
UPDATE_EXPRESSION = "UpdateExpression"
KEY_CONDITIONS = "KeyConditions"


class Takes:
    """The expressions of one operation, or of one kind of action of a transaction."""

    __slots__ = ("expressions", "is_action", "legacy", "legacy_names", "listed", "name", "with_values")

    def __init__(
        self, name: str, listed: Sequence[str], legacy: Sequence[str] = (), *, is_action: bool = False
    ) -> None:
        self.name = name
        self.is_action = is_action
        """Whether it is an action of a transaction (facts 2.48, 3.37)."""
        self.listed = tuple(listed)
        """Expression parameters, as errors list them (fact 2.28)."""
        self.expressions = tuple(
            sorted(
                listed,
                key=[UPDATE_EXPRESSION, CONDITION, KEY_CONDITION, FILTER, PROJECTION].index,
            )
        )
        """The same in the order in which they are checked."""
        self.with_values = tuple(parameter for parameter in listed if parameter != PROJECTION)
        """Those that can use ExpressionAttributeValues, as errors list them (facts 2.29–2.32)."""
        self.legacy = tuple(legacy)
        """Legacy parameters, as errors list them."""
        self.legacy_names = frozenset(legacy)

    def __repr__(self) -> str:
        return self.name


PUT = Takes("PUT", [CONDITION], ["Expected", "ConditionalOperator"])
DELETE = Takes("DELETE", [CONDITION], ["Expected", "ConditionalOperator"])
UPDATE = Takes(
    "UPDATE", [UPDATE_EXPRESSION, CONDITION], ["AttributeUpdates", "Expected", "ConditionalOperator"]
)
GET = Takes("GET", [PROJECTION], ["AttributesToGet"])
QUERY = Takes(
    "QUERY",
    [PROJECTION, FILTER, KEY_CONDITION],
    ["AttributesToGet", "QueryFilter", "ConditionalOperator", KEY_CONDITIONS],
)
SCAN = Takes("SCAN", [PROJECTION, FILTER], ["AttributesToGet", "ScanFilter", "ConditionalOperator"])
BATCH_GET = Takes("BATCH_GET", [PROJECTION], ["AttributesToGet"])
TX_PUT = Takes("TX_PUT", [CONDITION], is_action=True)
TX_DELETE = Takes("TX_DELETE", [CONDITION], is_action=True)
TX_UPDATE = Takes("TX_UPDATE", [UPDATE_EXPRESSION, CONDITION], is_action=True)
TX_CHECK = Takes("TX_CHECK", [CONDITION], is_action=True)
TX_GET = Takes("TX_GET", [PROJECTION], is_action=True)
