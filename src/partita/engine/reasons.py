"""Why a transaction was cancelled: one reason for each action, in the request's order."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from partita.errors import (
    ConditionalCheckFailedException,
    DynamoDBError,
    ItemCollectionSizeLimitExceededException,
    TransactionCanceledException,
    ValidationException,
)
from partita.errors import items as errors

Reason = dict[str, Any]


def reason_of(failure: DynamoDBError, operation: str) -> Reason:
    """The reason of an action that failed by itself."""
    code = next(code for kind, code in _CODES.items() if isinstance(failure, kind))
    reason: Reason = {"Code": code, "Message": failure.words(operation)}
    if "Item" in failure.members:
        reason["Item"] = failure.members["Item"]
    return reason


_CODES: dict[type[DynamoDBError], str] = {
    ConditionalCheckFailedException: "ConditionalCheckFailed",
    ItemCollectionSizeLimitExceededException: "ItemCollectionSizeLimitExceeded",
    ValidationException: "ValidationError",
}


def cancelled(count: int, reasons: dict[int, Reason]) -> TransactionCanceledException:
    """The cancellation of `count` actions; positions without a reason say None."""
    return errors.transaction_canceled([reasons.get(at, {"Code": "None"}) for at in range(count)])


def conflicts(count: int, positions: Collection[int]) -> TransactionCanceledException:
    """The cancellation because other transactions hold the items of these actions."""
    conflict = {"Code": "TransactionConflict", "Message": errors.TRANSACTION_ONGOING}
    return cancelled(count, {at: dict(conflict) for at in positions})
