"""Whether to send again a request whose answer never came is for the session to decide, not for botocore.

botocore would send it, and tell nobody; also where the answer came, but not as its checksum says. But a
write whose answer was lost may have been applied. Sent again, `ADD` counts twice, and a condition fails on
the write's own effect. Clients of botocore and aiobotocore ask their `needs-retry` handlers after each
attempt; one of ours raises there what happened, so that the session sees each unanswered attempt. Throttling
and connections that could not be made stay the client's to retry. Requests that others send through the same
client are left alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from inspect import isawaitable
from typing import Any
from zlib import crc32

from partita.model.flows.flow import NoAnswer
from partita.model.sessions.failures import failure_of, refusal_of

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


def _raise_unanswered(response: Any = None, caught_exception: Any = None, **_: Any) -> Awaitable[None] | None:
    if not _watched.get():
        return None
    if caught_exception is not None:
        if isinstance(failure_of(caught_exception), NoAnswer):
            raise caught_exception
        return None
    if response is None:
        return None
    http, parsed = response
    checksum = http.headers.get("x-amz-crc32")
    if checksum is not None:
        content = http.content
        if isawaitable(content):
            return _judge_when_there(content, checksum, parsed)
        _require_whole(content, checksum)
    _raise_fault(parsed)
    return None


async def _judge_when_there(content: Awaitable[bytes], checksum: str, parsed: Mapping[str, Any]) -> None:
    """As for botocore, for the answers of aiobotocore."""
    _require_whole(await content, checksum)
    _raise_fault(parsed)


def _require_whole(content: bytes, checksum: str) -> None:
    """Raises NoAnswer for a damaged answer: also what it says of an error is not to be trusted."""
    if str(crc32(content)) != checksum.strip():
        raise NoAnswer(f"the answer is damaged: its checksum is {crc32(content)}, not {checksum}")


def _raise_fault(parsed: Mapping[str, Any]) -> None:
    if "Error" in parsed:
        failure = refusal_of(parsed)
        if isinstance(failure, NoAnswer):
            raise failure
