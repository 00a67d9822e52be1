"""Runs cases and says which fail: `run_all` takes any client, so that it can judge a mutated engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.facts.answers import Answer
from tests.facts.client import Client, ClientFactory
from tests.facts.shapes import SHAPES, mentioned
from tests.facts.table import Advance, AnyStep, Await, Begin, Case, Fact, Finish, Program, Step, Wire


@dataclass(frozen=True)
class Failure:
    number: str
    case: int
    """Which case of the fact, from 0."""
    text: str

    def __str__(self) -> str:
        return f"{self.number}-{self.case}: {self.text}"


def run_all(
    client_factory: ClientFactory, facts: Iterable[Fact] | None = None, *, stop_after: int | None = None
) -> list[Failure]:
    """Runs every case that needs no connection; at most `stop_after` failures are looked for."""
    if facts is None:
        # Not at the top: who brings facts of few sections has no need to import them all.
        from tests.facts.sections import CHECKED

        facts = CHECKED
    failures: list[Failure] = []
    with Databases(client_factory) as databases:
        for fact in facts:
            for index, case in enumerate(fact.cases):
                if isinstance(case, Wire):
                    continue
                try:
                    databases.run(case)
                except Exception as problem:  # a broken engine may raise anything
                    failures.append(Failure(fact.number, index, f"{type(problem).__name__}: {problem}"))
                    databases.forget()
                    if len(failures) == stop_after:
                        return failures
    return failures


class Databases:
    """Gives each case a database of its own; cases that only fail or describe nothing share one."""

    def __init__(self, client_factory: ClientFactory) -> None:
        self._make = client_factory
        self._shared: tuple[Client, set[str]] | None = None

    def __enter__(self) -> Databases:
        return self

    def __exit__(self, *_: object) -> None:
        self.forget()

    def forget(self) -> None:
        """Drops the shared database, as after a failed case."""
        if self._shared is not None:
            self._shared[0].close()
            self._shared = None

    def run(self, case: Case | Program) -> None:
        if isinstance(case, Case) and _leaves_nothing(case):
            if self._shared is None:
                self._shared = (self._make("instant"), set())
            client, made = self._shared
            _make_tables(client, case, made)
            run_steps(client, *case.steps)
            return
        with _database(self._make, case.profile) as client:
            if isinstance(case, Program):
                case.run(client)
            else:
                _make_tables(client, case, set())
                run_steps(client, *case.steps)


@contextmanager
def _database(make: ClientFactory, profile: str) -> Iterator[Client]:
    client = make(profile)
    try:
        yield client
    finally:
        client.close()


def _leaves_nothing(case: Case) -> bool:
    """Only failures, on a clock that stands: nothing that a later case could see."""
    return case.profile == "instant" and all(
        isinstance(step, Step) and step.answer.status != 200 for step in case.steps
    )


def _make_tables(client: Client, case: Case, made: set[str]) -> None:
    requests = [step.request.parameters for step in case.steps if isinstance(step, (Step, Begin))]
    for name in sorted(mentioned(requests) - made):
        make_table(client, name)
        made.add(name)


def make_table(client: Client, name: str) -> None:
    """Makes a table of shapes.py and waits until it can be used."""
    create_table(client, SHAPES[name])


def create_table(client: Client, request: dict[str, Any]) -> None:
    """Makes a table and waits until it and its indexes are active."""
    answer = client.send("CreateTable", request)
    assert answer.status == 200, answer
    await_active(client, request["TableName"])


def await_active(client: Client, table: str) -> dict[str, Any]:
    """Lets time pass until the table and its indexes are active; gives the description."""
    for _ in range(600):
        answer = client.send("DescribeTable", {"TableName": table})
        assert answer.status == 200, answer
        description: dict[str, Any] = answer.body["Table"]
        indexes = description.get("GlobalSecondaryIndexes", [])
        if (
            all(part["IndexStatus"] == "ACTIVE" for part in indexes)
            and description["TableStatus"] == "ACTIVE"
        ):
            return description
        client.advance(1)
    raise AssertionError(f"{table} does not become active")


def run_steps(client: Client, *steps: AnyStep) -> None:
    """Sends the requests and compares the whole answers."""
    begun: dict[str, Callable[[], Answer]] = {}
    for place, step in enumerate(steps, start=1):
        if isinstance(step, Advance):
            client.advance(step.seconds)
        elif isinstance(step, Await):
            await_active(client, step.table)
        elif isinstance(step, Begin):
            begun[step.name] = client.begin(step.request.operation, step.request.parameters)
        elif isinstance(step, Finish):
            compare(begun.pop(step.name)(), step.answer, f"step {place}, the end of {step.name}")
        else:
            answer = client.send(step.request.operation, step.request.parameters)
            compare(answer, step.answer, f"step {place}, {step.request.operation}")


def compare(actual: Answer, expected: Answer, what: str) -> None:
    """Raises AssertionError unless the whole answer is the expected one."""
    if not expected.fits(actual):
        raise AssertionError(f"{what}\n  expected {_shown(expected)}\n  answered {_shown(actual)}")


def _shown(answer: Answer) -> str:
    text = json.dumps(answer.body, ensure_ascii=False, default=repr)
    return f"{answer.status} {text if len(text) < 3000 else text[:3000] + ' …'}"
