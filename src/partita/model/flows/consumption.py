"""What requests cost: capacity units, summed per access pattern, and a line for each request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from partita.model.flows.flow import Call

READS = frozenset({"BatchGetItem", "GetItem", "Query", "Scan", "TransactGetItems"})
WRITES = frozenset({"BatchWriteItem", "DeleteItem", "PutItem", "TransactWriteItems", "UpdateItem"})


@dataclass(frozen=True, slots=True)
class Consumed:
    """A number of requests and the capacity units that they consumed."""

    requests: int = 0
    read_units: float = 0.0
    write_units: float = 0.0

    @property
    def units(self) -> float:
        return self.read_units + self.write_units

    def __add__(self, other: Consumed) -> Consumed:
        return Consumed(
            self.requests + other.requests,
            self.read_units + other.read_units,
            self.write_units + other.write_units,
        )


@dataclass(frozen=True, slots=True)
class Request:
    """One request, as `log` is told of it once it has ended."""

    pattern: str | None
    operation: str
    tables: tuple[str, ...]
    """Their names in DynamoDB."""
    consumed: Consumed
    """Zero units unless capacity is measured; a failed request tells none."""
    ms: float
    error: Exception | None
    """What the client raised."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as it was sent, kept by `recording`."""

    operation: str
    parameters: Mapping[str, Any]
    """As boto3's low-level client takes them."""
    pattern: str | None
    """The access pattern on whose behalf it was sent."""
    error: Exception | None
    """What the client raised."""


class Total:
    """What was consumed inside one `with session.measuring()`; grows while it lasts."""

    def __init__(self) -> None:
        self.consumed = Consumed()

    def __repr__(self) -> str:
        return f"Total({self.consumed})"


_pattern: ContextVar[str | None] = ContextVar("pattern", default=None)
_totals: ContextVar[tuple[Total, ...]] = ContextVar("totals", default=())


class Meter:
    """Adds up what a session's requests consume, from any thread, and reports each to `log`."""

    def __init__(
        self, measure: bool, log: Callable[[Request], object] | None, timer: Callable[[], float]
    ) -> None:
        self._measure = measure
        self._log = log
        self.timer = timer
        self._sums: dict[str | None, Consumed] = {}
        self._recordings: list[list[Sent]] = []
        self._lock = threading.Lock()

    @property
    def consumed(self) -> Mapping[str | None, Consumed]:
        """The sums so far, per access pattern; None: requests outside any."""
        with self._lock:
            return dict(self._sums)

    @contextmanager
    def pattern(self, name: str) -> Iterator[None]:
        """Inside, requests without a pattern of their own are sent on behalf of the access pattern `name`."""
        token = _pattern.set(name)
        try:
            yield
        finally:
            _pattern.reset(token)

    @contextmanager
    def measuring(self) -> Iterator[Total]:
        """Inside, capacity is asked for, and summed in what this gives."""
        total = Total()
        token = _totals.set((*_totals.get(), total))
        try:
            yield total
        finally:
            _totals.reset(token)

    @contextmanager
    def recording(self) -> Iterator[list[Sent]]:
        """Inside, requests are kept in the list that this gives, in the order in which they ended."""
        sent: list[Sent] = []
        with self._lock:
            self._recordings.append(sent)
        try:
            yield sent
        finally:
            with self._lock:
                self._recordings = [one for one in self._recordings if one is not sent]

    def parameters(self, call: Call) -> dict[str, Any]:
        """The parameters of `call`, with a question for its capacity where that is measured."""
        parameters = dict(call.parameters)
        if (self._measure or _totals.get()) and (call.operation in READS or call.operation in WRITES):
            parameters.setdefault("ReturnConsumedCapacity", "TOTAL")
        return parameters

    def ended(self, call: Call, started: float, answer: Mapping[str, Any], error: Exception | None) -> None:
        """Takes note of a request that began at `started`, by `timer`, and was answered or failed."""
        consumed = consumed_by(call.operation, answer)
        pattern = call.pattern if call.pattern is not None else _pattern.get()
        with self._lock:
            self._sums[pattern] = self._sums.get(pattern, Consumed()) + consumed
            for recording in self._recordings:
                recording.append(Sent(call.operation, call.parameters, pattern, error))
            for total in _totals.get():
                total.consumed += consumed
        if self._log is not None:
            ms = (self.timer() - started) * 1000
            self._log(Request(pattern, call.operation, tables_of(call), consumed, ms, error))


def consumed_by(operation: str, answer: Mapping[str, Any]) -> Consumed:
    """What one answer says that its request consumed."""
    capacity = answer.get("ConsumedCapacity") or []
    entries: Iterable[Mapping[str, Any]] = [capacity] if isinstance(capacity, Mapping) else capacity
    read_units = write_units = 0.0
    for entry in entries:
        if "WriteCapacityUnits" in entry or "ReadCapacityUnits" in entry:
            # A replayed transaction reads: it is told in read units.
            read_units += entry.get("ReadCapacityUnits", 0.0)
            write_units += entry.get("WriteCapacityUnits", 0.0)
        elif operation in READS:
            read_units += entry.get("CapacityUnits", 0.0)
        else:
            write_units += entry.get("CapacityUnits", 0.0)
    return Consumed(1, read_units, write_units)


def tables_of(call: Call) -> tuple[str, ...]:
    """The tables that a request names, each once."""
    parameters = call.parameters
    if "TableName" in parameters:
        return (parameters["TableName"],)
    if "RequestItems" in parameters:
        return tuple(parameters["RequestItems"])
    actions = (action for member in parameters.get("TransactItems", ()) for action in member.values())
    return tuple(dict.fromkeys(action["TableName"] for action in actions))
