"""What a session is given to send its requests through."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_METHODS = ("get_item", "query", "scan", "put_item", "update_item", "transact_write_items", "batch_get_item")

_PARAMETERS = "provide-client-params.dynamodb.GetItem"
"""The event with which a resource's client translates values."""


def require_client(client: Any) -> None:
    """Raises TypeError for what has none of the methods that a session calls."""
    if isinstance(client, type) or not any(callable(getattr(client, name, None)) for name in _METHODS):
        raise TypeError(f"a session needs a client of DynamoDB, and {client!r} is none")


def require_plain(client: Any) -> None:
    """Raises TypeError for what is no client, and for that of a boto3 resource, which would store
    {"S": "x"} as a map.
    """
    if getattr(getattr(client, "meta", None), "client", None) is not None:
        raise TypeError('this is a boto3 resource: give the session a client, boto3.client("dynamodb")')
    require_client(client)
    events = getattr(getattr(client, "meta", None), "events", None)
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
