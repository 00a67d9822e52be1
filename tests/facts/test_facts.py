"""Every case of the table is a test, named after its fact."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.facts.client import EngineClient
from tests.facts.runner import Databases
from tests.facts.sections import FACTS
from tests.facts.table import AnyCase, Case, Program, Wire
from tests.facts.wire import server

CASES = [
    pytest.param(case, id=f"{fact.number}-{index}")
    for fact in FACTS
    for index, case in enumerate(fact.cases)
]


@pytest.fixture(scope="module")
def databases() -> Iterator[Databases]:
    with Databases(EngineClient) as databases:
        yield databases


@pytest.mark.parametrize("case", CASES)
def test_fact(case: AnyCase, databases: Databases) -> None:
    if isinstance(case, Wire):
        with server(*case.options) as address:
            case.run(address)
    else:
        assert isinstance(case, (Case, Program))
        databases.run(case)
