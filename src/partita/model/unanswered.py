"""Whether to send again a request whose answer never came is for the session to decide, not for botocore.

botocore would send it, and tell nobody. But a write whose answer was lost may have been applied. Sent
again, `ADD` counts twice, and a condition fails on the write's own effect. Clients of botocore and
aiobotocore ask their `needs-retry` handlers after each attempt; one of ours raises there what happened, so
that the session sees each unanswered attempt. Throttling and connections that could not be made stay the
client's to retry. Requests that others send through the same client are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from partita.model.failures import failure_of, refusal_of
from partita.model.flow import NoAnswer

_watched: ContextVar[bool] = ContextVar("watched", default=False)
_UNIQUE = "partita-unanswered"


def watch(client: Any) -> None:
    """Makes unanswered attempts of `client` inside `watching()` raise; for other clients it does nothing."""
    events = getattr(getattr(client, "meta", None), "events", None)
    if events is not None:
        events.register_first("needs-retry.dynamodb", _raise_unanswered, unique_id=_UNIQUE)


@contextmanager
def watching() -> Iterator[None]:
    """Inside, this thread's or task's requests are a session's."""
    token = _watched.set(True)
    try:
        yield
    finally:
        _watched.reset(token)


def _raise_unanswered(response: Any = None, caught_exception: Any = None, **_: Any) -> None:
    if not _watched.get():
        return
    if caught_exception is not None:
        if isinstance(failure_of(caught_exception), NoAnswer):
            raise caught_exception
    elif response is not None and "Error" in response[1]:
        failure = refusal_of(response[1])
        if isinstance(failure, NoAnswer):
            raise failure
