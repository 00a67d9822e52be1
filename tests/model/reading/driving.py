"""Flows driven by hand on a database: every request is kept, pauses only advance the clock."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, TypeVar

from partita import Database
from partita.model.flows.flow import Call, Flow, Pause, Together
from partita.model.sessions.clients import method_name

T = TypeVar("T")


class Client:
    """The methods of a boto3 client, with binary values as bytes, straight on `database`."""

    def __init__(self, database: Database) -> None:
        self._call = database.call

    def __getattr__(self, method: str) -> Callable[..., Any]:
        operation = "".join(map(str.capitalize, method.split("_")))
        return lambda **parameters: _received(self._call(operation, _sent(parameters)))


def _sent(value: Any) -> Any:
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, dict):
        return {name: _sent(member) for name, member in value.items()}
    return [_sent(element) for element in value] if isinstance(value, list) else value


def _received(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: b64decode(member) if name == "B" and isinstance(member, str) else _received(member)
            for name, member in value.items()
        }
    return [_received(element) for element in value] if isinstance(value, list) else value


class Hand:
    """Drives flows on `database`. Its client is not boto3's, which would be most of what a history costs."""

    def __init__(self, database: Database, meanwhile: Callable[[Call], object] = lambda call: None) -> None:
        self.database = database
        self.client: Any = Client(database)
        self.calls: list[Call] = []
        self.rounds: list[int] = []
        """How many requests went out at once, each time."""
        self.meanwhile = meanwhile
        """Called before each request: what others do in between."""

    def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                step = flow.send(self._answer(step))
        except StopIteration as end:
            value: T = end.value
            return value

    def _answer(self, step: Any) -> Any:
        if isinstance(step, Pause):
            self.database.clock.advance(step.most_seconds / 2)
            return None
        calls = list(step.calls) if isinstance(step, Together) else [step]
        self.rounds.append(len(calls))
        answers = []
        for call in calls:
            self.meanwhile(call)
            self.calls.append(call)
            answers.append(getattr(self.client, method_name(call.operation))(**call.parameters))
        return answers if isinstance(step, Together) else answers[0]
