"""Every case of the table is a test, named after its fact."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.facts.client import EngineClient
from tests.facts.runner import Databases
from tests.facts.sections import CHECKED
from tests.facts.table import AnyCase, Case, Program, Wire
from tests.facts.wire import Servers

CASES = [
    pytest.param(case, id=f"{fact.number}-{index}")
    for fact in CHECKED
    for index, case in enumerate(fact.cases)
]


@pytest.fixture(scope="module")
def databases() -> Iterator[Databases]:
    with Databases(EngineClient) as databases:
        yield databases


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    servers = Servers()
    yield servers
    servers.close()


@pytest.mark.parametrize("case", CASES)
def test_fact(case: AnyCase, databases: Databases, servers: Servers) -> None:
    if isinstance(case, Wire):
        case.run(servers.address(case.options))
    else:
        assert isinstance(case, (Case, Program))
        databases.run(case)
