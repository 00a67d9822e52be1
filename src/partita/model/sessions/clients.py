"""What a session is given to send its requests through."""

from __future__ import annotations

import re
from functools import cache
from inspect import isawaitable, iscoroutine, iscoroutinefunction, ismethod
from typing import Any

_METHODS = ("get_item", "query", "scan", "put_item", "update_item", "transact_write_items", "batch_get_item")

_PARAMETERS = "provide-client-params.dynamodb.GetItem"
"""The event with which a resource's client translates values."""


def require_waiting(client: Any) -> None:
    """Raises TypeError for what is no client whose methods answer at once."""
    _require_plain(client)
    if _is_awaited(client):
        raise TypeError(
            f"the methods of {_named(client)} have to be awaited: give it to an AsyncSession, and a client "
            'of boto3 to a Session, boto3.client("dynamodb")'
        )


def require_awaited(client: Any) -> None:
    """Raises TypeError for what is no client whose methods are coroutines."""
    _require_plain(client)
    if _is_awaited(client) is False:
        raise TypeError(
            f"the methods of {_named(client)} answer at once: give it to a Session, and a client of "
            "aiobotocore to an AsyncSession"
        )


def require_answer(operation: str, answer: Any) -> None:
    """Raises TypeError for a coroutine in place of an answer."""
    if isawaitable(answer):
        if iscoroutine(answer):
            answer.close()
        raise TypeError(f"the client's answer to {operation} has to be awaited: it needs an AsyncSession")


def require_awaitable(operation: str, answer: Any) -> None:
    """Raises TypeError for an answer in place of a coroutine."""
    if not isawaitable(answer):
        raise TypeError(
            f"the client answered {operation} at once, with nothing to await: it needs a Session. What was "
            "asked for was done"
        )


def _is_awaited(client: Any) -> bool | None:
    """Whether the client's methods are coroutines, None where that cannot be told without a request."""
    if any(iscoroutinefunction(getattr(client, name, None)) for name in _METHODS):
        return True
    # botocore's and aiobotocore's methods are plain ones, which give what this one gives.
    sends = getattr(client, "_make_api_call", None)
    return iscoroutinefunction(sends) if ismethod(sends) else None


def _named(client: Any) -> str:
    return f"{type(client).__module__.partition('.')[0]}'s {type(client).__name__} client"


def _require_plain(client: Any) -> None:
    """Raises TypeError for what has none of the methods that a session calls, and for a boto3 resource or its
    client, which would store {"S": "x"} as a map.
    """
    meta = getattr(client, "meta", None)
    if getattr(meta, "client", None) is not None:
        raise TypeError('this is a boto3 resource: give the session a client, boto3.client("dynamodb")')
    if isinstance(client, type) or not any(callable(getattr(client, name, None)) for name in _METHODS):
        raise TypeError(f"a session needs a client of DynamoDB, and {client!r} is none")
    events = getattr(meta, "events", None)
    if events is None:
        return
    # The registry is asked, not the handlers: those of others have nothing to do with our question. It is
    # botocore's own, and where it should be another one day, the client is taken as it is.
    lookup: Any = getattr(getattr(events, "_emitter", events), "_handlers", None)
    handlers = lookup.prefix_search(_PARAMETERS) if hasattr(lookup, "prefix_search") else ()
    if any(getattr(handler, "__module__", "") == "boto3.dynamodb.transform" for handler in handlers):
        raise TypeError(
            "this is the client of a boto3 resource, which translates values by itself: give the session "
            'boto3.client("dynamodb")'
        )


@cache
def method_name(operation: str) -> str:
    """The client's method for an operation: `TransactWriteItems` is `transact_write_items`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()
