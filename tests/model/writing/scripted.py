"""A client that answers from a script, and the exceptions that botocore raises."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    EndpointConnectionError,
    ReadTimeoutError,
)

Step = Mapping[str, Any] | Exception | Callable[[str, Mapping[str, Any]], Any]


class ScriptedClient:
    """Gives the next answer of its script to each request, whichever it is, and keeps the requests."""

    def __init__(self, script: Iterable[Step] = ()) -> None:
        self.script = list(script)
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self._lock = threading.Lock()

    def __getattr__(self, method: str) -> Any:
        if method.startswith("_") or method == "meta":
            raise AttributeError(method)

        def call(**parameters: Any) -> Any:
            with self._lock:
                self.requests.append((method, parameters))
                step = self.script.pop(0)
            if callable(step):
                step = step(method, parameters)
            if isinstance(step, Exception):
                raise step
            return step

        return call


class ScriptedAsyncClient(ScriptedClient):
    """The same, with coroutines."""

    def __getattr__(self, method: str) -> Any:
        call = super().__getattr__(method)

        async def awaited(**parameters: Any) -> Any:
            return call(**parameters)

        return awaited


def refused(
    code: str, operation: str = "PutItem", *, status: int = 400, message: str = "no", **members: Any
) -> ClientError:
    """An answered error; `members` stand beside it in the response, such as Item or CancellationReasons."""
    response = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": status, "RetryAttempts": 0},
        **members,
    }
    return ClientError(response, operation)  # type: ignore[arg-type]


def cancelled(*codes: str, items: Mapping[int, Any] | None = None) -> ClientError:
    """A cancelled transaction; `items` are the items that its failed conditions returned, by position."""
    reasons = [{"Code": code} if code == "None" else {"Code": code, "Message": "because"} for code in codes]
    for position, item in (items or {}).items():
        reasons[position] |= {"Item": item}
    return refused("TransactionCanceledException", "TransactWriteItems", CancellationReasons=reasons)


def timed_out() -> Exception:
    """The request left, no answer came."""
    return ReadTimeoutError(endpoint_url="http://there")


def broken_off() -> Exception:
    return ConnectionClosedError(endpoint_url="http://there")


def unreachable() -> Exception:
    """The request did not leave."""
    return EndpointConnectionError(endpoint_url="http://there")
