"""What a client knows of the items that only it writes: what was acknowledged, and what is in doubt."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

from .tables import Item, Key

Items = dict[Key, Item]

TOKENS_KEPT = 8


@dataclass
class Request:
    """A request, and what it makes of the client's items if it succeeds (None: no item)."""

    operation: str
    body: dict[str, Any]
    changes: dict[Key, Item | None] = field(default_factory=dict)
    errors: frozenset[str] = frozenset()
    """Names of errors that are right answers; they change nothing."""
    must_fail: bool = False

    @property
    def token(self) -> str:
        token: str = self.body.get("ClientRequestToken", "")
        return token


def changed(items: Items, changes: dict[Key, Item | None]) -> Items:
    after = dict(items)
    for key, item in changes.items():
        if item is None:
            after.pop(key, None)
        else:
            after[key] = item
    return after


class Ledger:
    """Requests are answered in the order in which they were sent."""

    def __init__(self) -> None:
        self.items: Items = {}
        self.sent: deque[Request] = deque()
        """Without an answer yet, oldest first."""
        self.tokens: deque[Request] = deque(maxlen=TOKENS_KEPT)
        """The last acknowledged transactions that had a token."""
        self.failed: list[Request] = []
        """Answered by an internal error, since the last acknowledged one: after a kill one of them may stand
        in the file all the same, since it was the telling of it that failed."""
        self.acknowledged = 0

    def copy(self) -> Ledger:
        """What is known now: what comes to be known later does not change it."""
        copy = Ledger()
        copy.items = self.items
        copy.sent.extend(self.sent)
        copy.tokens.extend(self.tokens)
        copy.failed.extend(self.failed)
        copy.acknowledged = self.acknowledged
        return copy

    @property
    def expected(self) -> Items:
        """The items once everything that was sent has happened."""
        items = self.items
        for request in self.sent:
            items = changed(items, request.changes)
        return items

    def send(self, request: Request) -> Request:
        self.sent.append(request)
        return request

    def acknowledge(self) -> None:
        """The oldest request without an answer has succeeded."""
        request = self.sent.popleft()
        self.items = changed(self.items, request.changes)
        self.acknowledged += 1
        self.failed.clear()
        if request.token and request.changes:
            self.tokens.append(request)

    def refuse(self) -> Request:
        """The oldest request without an answer has failed, and changed nothing."""
        return self.sent.popleft()

    def fail(self) -> None:
        """The oldest request without an answer got an internal error."""
        self.failed.append(self.sent.popleft())

    def settle(self, found: Items) -> list[str]:
        """Takes what was found: all that was acknowledged and, of what was sent after that, the first few.
        Gives what is wrong, a line each."""
        sent, failed = list(self.sent), list(self.failed)
        self.sent.clear()
        self.failed.clear()
        for items, happened in chain(_outcomes(self.items, sent), _one_of(self.items, failed)):
            if items == found:
                self.items = items
                self.tokens.extend(request for request in happened if request.token)
                return []
        return [*_differences(self.items, found), f"in doubt were {sent}, or one of {failed}"]


def _outcomes(items: Items, requests: Sequence[Request]) -> Iterator[tuple[Items, list[Request]]]:
    """What may have come of requests in doubt: the first few happened, but for some that may be refused."""
    yield items, []
    for number, last in enumerate(requests, 1):
        optional = [request for request in requests[: number - 1] if request.errors]
        for refused in chain.from_iterable(combinations(optional, size) for size in range(len(optional) + 1)):
            happened = [r for r in requests[:number] if r not in refused and not r.must_fail]
            if last in happened:
                outcome = items
                for request in happened:
                    outcome = changed(outcome, request.changes)
                yield outcome, happened


def _one_of(items: Items, requests: Sequence[Request]) -> Iterator[tuple[Items, list[Request]]]:
    for request in requests:
        yield changed(items, request.changes), [request]


def _differences(expected: Items, found: Items) -> Iterator[str]:
    for key in sorted(expected.keys() | found.keys()):
        if expected.get(key) != found.get(key):
            yield f"{key}: expected {_short(expected.get(key))}, found {_short(found.get(key))}"


def _short(item: Item | None) -> str:
    text = str(item)
    return text if len(text) < 300 else text[:300] + "…"
