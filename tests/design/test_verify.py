"""Live items that are not as the model says are found, each kind of fault by itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from tests.design.orders import Account, App, OrderLine, order

import partita
from partita.design.verify import Verification, verify
from partita.model import Session, Table
from partita.model.declaring.items import item_of
from partita.model.errors import ReadRefused, ServiceError


@pytest.fixture
def client() -> Iterator[Any]:
    with partita.Database() as database:
        client = database.client()
        with Session(client) as session:
            session.create_table(App)
            session.create(order())
            session.create(order(id="2", status="SHIPPED"))
            session.create(OrderLine(tenant="42", order="991", number=1, sku="shoe"))
            session.create(Account(id="u1", email="a@b.c", username="ada"))
        yield client


def verified(client: Any, *, most_problems: int = 1000, told: list[Any] | None = None) -> Verification:
    seen: list[Any] = [] if told is None else told
    with Session(client) as session:
        return session.run(
            verify(
                App,
                progress=lambda done, total: seen.append((done, total)),
                most_problems=most_problems,
            )
        )


def test_a_table_is_enough(client: Any) -> None:
    with Session(client) as session:
        assert session.run(verify(App)).is_sound
        assert session.audit(App).is_clean
        assert session.repair(session.audit(App)) == []
        assert session.backfill(App).right == 4


def test_what_cannot_be_verified(client: Any) -> None:
    for wrong in (None, "app", App.__schema__, Account, [App], Table):
        with pytest.raises(TypeError, match=r"a table is a class such as App\(Table\), not "):
            verify(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"verify needs a table, as in session.run\(verify\(App\)\)"):
        verify()
    with pytest.raises(TypeError, match=r"most_problems is a number"):
        verify(App, most_problems=-1)

    class Other(Table, name="other"):
        pass

    with Session(client) as session, pytest.raises(ReadRefused, match=r"and these are in app, other$"):
        session.run(verify(App, Other))


def test_what_sessions_wrote_is_sound(client: Any) -> None:
    told: list[Any] = []
    found = verified(client, told=told)
    assert found.is_sound
    assert (found.items, found.markers) == (6, 2)
    assert found.by_type == {"ORDER": 2, "OrderLine": 1, "Account": 1}
    assert told[-1] == (6, 6)


def test_records_of_operations_are_counted_apart(client: Any) -> None:
    with Session(client) as session, session.transaction("op", remember=timedelta(days=1)) as tx:
        tx.create(order(id="9"))
    found = verified(client)
    assert found.is_sound
    assert (found.items, found.records) == (8, 1)
    item = {"PK": {"S": "_OPERATION#x"}, "SK": {"S": "y"}}
    client.put_item(TableName="app", Item=item)
    assert verified(client).counts == {"unknown type": 1}


def stored(**changes: Any) -> dict[str, Any]:
    item = {**item_of(order(id="3")), **changes}
    return {name: value for name, value in item.items() if value is not None}


FAULTS = [
    ("unknown type", stored(_type={"S": "GHOST"}), "no entity has the type 'GHOST'"),
    ("unknown type", {"PK": {"S": "x"}, "SK": {"S": "y"}}, "no entity has such a key"),
    ("unreadable", stored(amount=None), "no attribute 'amount'"),
    ("unreadable", stored(amount={"S": "much"}), "amount"),
    ("primary key", stored(PK={"S": "ORDER#3"}), "under TENANT#42#ORDER#3 / META"),
    ("missing from index", stored(GSI1PK=None, GSI1SK=None), "belongs in GSI1"),
    ("wrong index key", stored(GSI1PK={"S": "TENANT#42#CUST#8"}), "not GSI1PK 'TENANT#42#CUST#7'"),
    ("left in index", stored(status={"S": "SHIPPED"}), "does not belong in GSI2"),
]


def test_an_entity_that_is_no_longer_in_an_index(client: Any) -> None:
    item = item_of(OrderLine(tenant="42", order="991", number=2, sku="shoe"))
    client.put_item(TableName="app", Item={**item, "GSI1PK": {"S": "x"}})
    assert verified(client).is_sound
    client.put_item(TableName="app", Item={**item, "GSI1PK": {"S": "x"}, "GSI1SK": {"S": "y"}})
    found = verified(client)
    assert found.counts == {"left in index": 1}
    assert "OrderLine is not declared in GSI1: remove GSI1PK, GSI1SK" in str(found.problems[0])
    with Session(client) as session:
        session.backfill(OrderLine, remove=["GSI1PK", "GSI1SK"])
    assert verified(client).is_sound


@pytest.mark.parametrize(("kind", "item", "says"), FAULTS)
def test_faults_of_items(client: Any, kind: str, item: dict[str, Any], says: str) -> None:
    client.put_item(TableName="app", Item=item)
    found = verified(client)
    assert dict(found.counts) == {kind: 1}
    (problem,) = found.problems
    assert says in str(problem)
    assert problem.key == {name: item[name] for name in ("PK", "SK")}


def test_a_table_that_is_not_as_declared_is_a_fault(client: Any) -> None:
    client.update_table(TableName="app", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "GSI2"}}])
    found = verified(client)
    assert found.counts["table"] >= 1
    assert "GSI2" in found.problems[0].text


@pytest.mark.parametrize("said", [{"owner": {"M": {}}, "rule": {"S": "email"}}, {}])
def test_a_marker_that_does_not_say_whose_it_is(client: Any, said: dict[str, Any]) -> None:
    key = {"PK": {"S": "UNIQ#Account#email#x"}, "SK": {"S": "LOCK"}}
    client.put_item(TableName="app", Item={**key, **said})
    found = verified(client)
    assert [(problem.kind, problem.key) for problem in found.problems] == [("unreadable", key)]
    assert "does not say whose it is" in found.problems[0].text
    assert found.markers == 3


def test_all_faults_are_counted_and_some_kept(client: Any) -> None:
    for number in range(5):
        client.put_item(TableName="app", Item={"PK": {"S": str(number)}, "SK": {"S": "x"}})
    found = verified(client, most_problems=2)
    assert found.counts["unknown type"] == 5
    assert len(found.problems) == 2


def test_a_missing_table_is_an_error() -> None:
    with partita.Database() as database, pytest.raises(ServiceError, match="ResourceNotFound"):
        verified(database.client())


def test_pages_are_followed(client: Any) -> None:
    for number in range(9):
        item = item_of(Account(id=f"w{number}", email=f"{number}", username=f"{number}"))
        client.put_item(TableName="app", Item={**item, "pad": {"S": "x" * 300_000}})
    told: list[Any] = []
    found = verified(client, told=told)
    assert found.is_sound
    assert found.items == 15
    assert len(told) >= 3
    assert all(done <= total for done, total in told)
