"""Flows driven by hand on a database: every request is kept, pauses only advance the clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from partita import Database
from partita.model.flows.flow import Call, Flow, Pause, Together
from partita.model.sessions.driving import method_name

T = TypeVar("T")


class Hand:
    """Drives flows on `database` through a boto3 client of it."""

    def __init__(self, database: Database, meanwhile: Callable[[Call], object] = lambda call: None) -> None:
        self.database = database
        self.client: Any = database.client()
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
