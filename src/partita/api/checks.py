"""The check of a request before anything else: JSON types, constraints, parameters that are not done yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from partita.api import captured
from partita.api.acceptance import Test, acceptor
from partita.api.constraints import fault, groups_of
from partita.api.json_types import decode_shape
from partita.api.shapes import INPUTS
from partita.api.support import not_yet
from partita.api.tags import tag_fault
from partita.api.tidying import tidied
from partita.errors import UnknownOperationException
from partita.errors import requests as errors

MAX_BATCH_KEYS = 100
MAX_BATCH_WRITES = 25


def check(operation: str, request: Any) -> Any:
    """Checks the decoded JSON body of a request; attribute values only if it is refused anyway.

    Returns the request as the operation is to read it: it has no nulls, no members that the model does not
    know and no fractions of whole numbers. `request` itself stays as it is.

    Raises SerializationException for a wrong JSON type, else ValidationException for broken constraints
    (facts 2.3 to 2.24, 12.1 to 12.4, 12.13, 13.1, 13.2), else ValidationException for a parameter that is not
    done yet.
    """
    accepts = ACCEPTORS.get(operation)
    if accepts is None:
        raise UnknownOperationException()
    return request if accepts(request) else _judge(operation, request)


def decode(operation: str, request: Any) -> None:
    """Checks the JSON types of a whole request, attribute values included.

    Raises SerializationException for the first value of a wrong type.
    """
    decode_shape(INPUTS[operation], request)


def _judge(operation: str, given: Any) -> dict[str, Any]:
    """The slow way: returns if the request is fine after all."""
    shape = INPUTS[operation]
    decode_shape(shape, given)
    request = tidied(shape, given)
    if operation in captured.TABLE_NAME_IS_PARAMETER and "TableName" not in request:
        raise errors.parameter_missing("TableName")
    error = fault(_GROUPS[operation], request) or tag_fault(request)
    if error is not None:
        raise error
    if operation in _BATCHES:
        _judge_batch(operation, request["RequestItems"])
    for name in not_yet(operation):
        if name in request:
            raise errors.not_done_yet(name)
    return request


def _judge_batch(operation: str, items: dict[str, Any]) -> None:
    """The limits of a batch over all its tables (facts 12.1 and 12.4)."""
    count, most = _BATCHES[operation]
    if not items:
        raise errors.request_items_missing(operation)
    if count(items) > most:
        raise errors.too_many_items(operation)


def _acceptor(operation: str) -> Test:
    accepts = acceptor(INPUTS[operation], not_yet(operation))
    if operation not in _BATCHES:
        return accepts
    count, most = _BATCHES[operation]
    return lambda request: accepts(request) and 0 < count(request["RequestItems"]) <= most


def _count_keys(items: dict[str, Any]) -> int:
    return sum(len(table["Keys"]) for table in items.values())


def _count_writes(items: dict[str, Any]) -> int:
    return sum(map(len, items.values()))


_BATCHES: dict[str, tuple[Callable[[dict[str, Any]], int], int]] = {
    "BatchGetItem": (_count_keys, MAX_BATCH_KEYS),
    "BatchWriteItem": (_count_writes, MAX_BATCH_WRITES),
}
_GROUPS = {operation: groups_of(operation, shape, not_yet(operation)) for operation, shape in INPUTS.items()}
ACCEPTORS = {operation: _acceptor(operation) for operation in INPUTS}
"""The quick check of each operation, compiled once."""
