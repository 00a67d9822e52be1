"""What the facts are worth: each of thirty mutations of the engine makes one of them fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.mutations.mutation import Mutation
from tests.mutations.planted import MUTATIONS

ROOT = Path(__file__).parents[2]
AT_ONCE = 2

Failures = list[tuple[str, str]]
"""Numbers of facts and how they failed."""


def judge(*names: str) -> Failures:
    """What fails in a fresh process with that mutation, or without any."""
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutations.judge", *names],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return [(number, text) for number, text in json.loads(done.stdout)]


@pytest.fixture(scope="module")
def verdicts(request: pytest.FixtureRequest) -> Iterator[Callable[[Mutation], Failures]]:
    """Judges the mutations that this run has chosen, some at once."""
    tests = {item.name for item in request.session.items}
    chosen = [m for m in MUTATIONS if f"{test_a_mutation_is_caught.__name__}[{m.name}]" in tests]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        judged: dict[str, Future[Failures]] = {m.name: pool.submit(judge, m.name) for m in chosen}
        yield lambda mutation: judged[mutation.name].result()
        pool.shutdown(cancel_futures=True)


def test_there_are_thirty() -> None:
    assert len(MUTATIONS) == len({mutation.name for mutation in MUTATIONS}) == 30


def test_without_a_mutation_nothing_fails() -> None:
    assert judge() == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mutation_is_caught(mutation: Mutation, verdicts: Callable[[Mutation], Failures]) -> None:
    failures = verdicts(mutation)
    assert failures, f"facts {', '.join(mutation.noticed_by)} hold in spite of: {mutation.name}"
    ((number, text),) = failures
    print(f"caught by fact {number}: {text}")
    assert text.startswith("AssertionError: "), "an answer must differ, not a case break down"


def test_a_stale_mutation_is_told() -> None:
    mutation = Mutation("stale", "partita.errors.values", "no such text", "another", ("3.1",))
    with pytest.raises(AssertionError, match="0 times"):
        mutation.apply("some text")
