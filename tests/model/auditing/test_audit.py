"""Audits find the four faults, repairs mend what can be mended, beside live traffic."""

from __future__ import annotations

from typing import Any

import pytest
from tests.model.conftest import Server
from tests.model.uniqueness.people import Account, Club, Product

import partita
from partita.model import (
    Entity,
    ForeignMarker,
    Key,
    Session,
    Table,
    UniqueViolation,
    UnstorableValue,
    WriteRefused,
    item_of,
    unique,
)
from partita.model.auditing import repair as repairing

EMAIL = {"PK": {"S": "UNIQ#Account#email#ada@x.io"}, "SK": {"S": "LOCK"}}
OWNER = {"PK": {"S": "ACCT#1"}, "SK": {"S": "PROFILE"}}


@pytest.fixture
def session(server: Server) -> Session:
    session = Session(server.client())
    session.create_table(Club)
    session.create(Account(id="1", email="Ada@x.io", username="ada"))
    session.create(Account(id="2", email="bob@x.io", username="bob"))
    return session


@pytest.fixture
def client(server: Server, session: Session) -> Any:
    return server.client()


def found(session: Session) -> list[tuple[str, str]]:
    return [(fault.kind, fault.rule) for fault in session.audit(Club).faults]


def test_a_sound_table_is_clean(session: Session) -> None:
    audit = session.audit(Club)
    assert audit.is_clean
    assert audit.items == 6
    assert audit.complete


def test_a_marker_without_owner(session: Session, client: Any) -> None:
    client.delete_item(TableName="club", Key=OWNER)
    assert found(session) == [("orphaned marker", "email"), ("orphaned marker", "username")]
    audit = session.audit(Club)
    assert {repair.outcome for repair in session.repair(audit)} == {"would be mended"}
    assert len(session.audit(Club).faults) == 2, "a dry run writes nothing"
    assert {repair.outcome for repair in session.repair(audit, dry_run=False)} == {"mended"}
    assert session.audit(Club).is_clean
    session.create(Account(id="3", email="ada@x.io", username="ada"))


def test_a_marker_whose_owner_holds_another_value(session: Session, client: Any) -> None:
    client.update_item(
        TableName="club",
        Key=OWNER,
        UpdateExpression="SET email = :e",
        ExpressionAttributeValues={":e": {"S": "new@x.io"}},
    )
    assert found(session) == [("marker of another value", "email"), ("missing marker", "email")]
    repairs = session.repair(session.audit(Club), dry_run=False)
    assert [repair.outcome for repair in repairs] == ["mended", "mended"]
    assert session.audit(Club).is_clean
    with pytest.raises(UniqueViolation):
        session.create(Account(id="3", email="new@x.io", username="cy"))
    session.create(Account(id="3", email="ada@x.io", username="cy"))


def test_an_entity_without_marker(session: Session, client: Any) -> None:
    client.delete_item(TableName="club", Key=EMAIL)
    assert found(session) == [("missing marker", "email")]
    session.repair(session.audit(Club), dry_run=False)
    assert session.audit(Club).is_clean
    with pytest.raises(UniqueViolation):
        session.create(Account(id="3", email="ada@X.io", username="cy"))


def test_two_entities_with_one_value_are_shown_and_left(session: Session, client: Any) -> None:
    client.update_item(
        TableName="club",
        Key={"PK": {"S": "ACCT#2"}, "SK": {"S": "PROFILE"}},
        UpdateExpression="SET email = :e",
        ExpressionAttributeValues={":e": {"S": "ADA@x.io"}},
    )
    audit = session.audit(Club)
    assert [(fault.kind, len(fault.owners)) for fault in audit.faults] == [
        ("marker of another value", 1),
        ("shared value", 2),
    ]
    assert audit.duplicates == [audit.faults[1]]
    assert [repair.outcome for repair in session.repair(audit, dry_run=False)] == ["mended", "to be decided"]


def test_a_marker_that_another_item_holds_is_freed_before_it_is_put(session: Session, client: Any) -> None:
    client.update_item(
        TableName="club",
        Key=EMAIL,
        UpdateExpression="SET #o = :o",
        ExpressionAttributeNames={"#o": "owner"},
        ExpressionAttributeValues={":o": {"M": {"PK": {"S": "ACCT#2"}, "SK": {"S": "PROFILE"}}}},
    )
    assert found(session) == [("marker of another value", "email"), ("missing marker", "email")]
    session.repair(session.audit(Club), dry_run=False)
    assert session.audit(Club).is_clean


def test_what_changed_after_the_audit_is_not_mended(session: Session, client: Any) -> None:
    client.delete_item(TableName="club", Key=EMAIL)
    audit = session.audit(Club)
    account = session.get(Account, id="1", consistent=True)
    assert account is not None
    account.email = None
    session.update(account)
    assert [repair.outcome for repair in session.repair(audit, dry_run=False)] == ["gone meanwhile"]
    assert session.audit(Club).is_clean


def test_a_change_in_the_middle_of_a_repair_is_not_overwritten(
    session: Session, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.delete_item(TableName="club", Key=EMAIL)
    audit = session.audit(Club)
    committing = repairing.commit

    def commit(*arguments: Any) -> Any:
        account = session.get(Account, id="1", consistent=True)
        assert account is not None
        account.email = "late@x.io"
        session.update(account)
        return committing(*arguments)

    monkeypatch.setattr(repairing, "commit", commit)
    assert [repair.outcome for repair in session.repair(audit, dry_run=False)] == ["gone meanwhile"]
    monkeypatch.undo()
    assert session.audit(Club).is_clean


def test_only_some_rules(session: Session, client: Any) -> None:
    client.delete_item(TableName="club", Key=OWNER)
    audit = session.audit(Club, rules=[(Account, "username")])
    assert [fault.rule for fault in audit.faults] == ["username"]
    with pytest.raises(WriteRefused, match="no unique rule 'name'"):
        session.audit(Club, rules=[(Account, "name")])


def test_a_kept_number_of_faults(session: Session, client: Any) -> None:
    client.delete_item(TableName="club", Key=OWNER)
    audit = session.audit(Club, most_faults=1)
    assert (len(audit.faults), audit.complete) == (1, False)


def test_an_item_that_cannot_be_read_is_counted(session: Session, client: Any) -> None:
    client.update_item(
        TableName="club",
        Key=OWNER,
        UpdateExpression="SET username = :n",
        ExpressionAttributeValues={":n": {"N": "1"}},
    )
    audit = session.audit(Club)
    assert audit.unreadable == 1
    assert not audit.is_clean


def test_progress_is_told_page_by_page(session: Session) -> None:
    told: list[tuple[int, int]] = []
    session.audit(Club, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (6, 6)


def test_a_rule_is_added_to_a_table_with_data(server: Server) -> None:
    class Before(Table, name="people"):
        pass

    class Old(Entity, table=Before, type="Person"):
        id: str
        phone: str
        key = Key("PERSON#{id}", "PERSON")

    class After(Table, name="people"):
        pass

    class Person(Entity, table=After):
        id: str
        phone: str = unique()
        key = Key("PERSON#{id}", "PERSON")

    session = Session(server.client())
    session.create_table(Before)
    for number in range(30):
        session.create(Old(id=str(number), phone=str(number % 29)))
    stopped = session.backfill_unique(Person, "phone")
    assert not stopped.is_complete
    assert stopped.put == 0
    (duplicate,) = stopped.duplicates
    assert [owner["PK"]["S"] for owner in duplicate.owners] == ["PERSON#0", "PERSON#29"]
    session.delete(Old.key(id="29"))
    done = session.backfill_unique(Person, "phone")
    assert (done.is_complete, done.put, done.deleted) == (True, 29, 0)
    assert session.backfill_unique(Person, "phone").put == 0, "it goes on where it was stopped"
    assert session.audit(After).is_clean
    with pytest.raises(UniqueViolation):
        session.create(Person(id="x", phone="7"))


def test_audits_run_beside_transactions(session: Session, client: Any) -> None:
    client.delete_item(TableName="club", Key=EMAIL)
    conflicts = Conflicting(client)
    found = Session(conflicts, sleep=lambda seconds: None).audit(Club)
    assert [fault.kind for fault in found.faults] == ["missing marker"]
    assert conflicts.left == 0


class Conflicting:
    """A client on which a write is under way the first two times that items are read together."""

    def __init__(self, client: Any) -> None:
        self.left = 2
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def transact_get_items(self, **parameters: Any) -> Any:
        if self.left == 0:
            return self._client.transact_get_items(**parameters)
        self.left -= 1
        reasons = [{"Code": "TransactionConflict"} for _ in parameters["TransactItems"]]
        code = "TransactionCanceledException"
        raise self._client.exceptions.ClientError(
            {"Error": {"Code": code, "Message": code}, "CancellationReasons": reasons}, "TransactGetItems"
        )


def test_a_normaliser_that_raises_makes_an_item_unreadable(server: Server) -> None:
    class Old(Table, name="cards"):
        pass

    class Loose(Entity, table=Old, type="Card"):
        id: str
        number: str
        key = Key("CARD#{id}", "CARD")

    class New(Table, name="cards"):
        pass

    class Card(Entity, table=New):
        id: str
        number: str = unique(normalise=lambda number: number.split("-")[1])
        key = Key("CARD#{id}", "CARD")

    session = Session(server.client())
    session.create_table(Old)
    session.create(Loose(id="1", number="none"))
    session.create(Loose(id="2", number="a-7"))
    audit = session.audit(New)
    assert audit.unreadable == 1
    assert [fault.kind for fault in audit.faults] == ["missing marker"]
    with pytest.raises(
        UnstorableValue, match="normaliser or the condition of unique number raised IndexError"
    ):
        session.create(Card(id="3", number="none"))


def test_markers_of_an_older_normaliser_are_counted(server: Server) -> None:
    class First(Table, name="tags"):
        pass

    class One(Entity, table=First, type="Tag"):
        id: str
        name: str = unique()
        key = Key("TAG#{id}", "TAG")

    class Second(Table, name="tags"):
        pass

    class Two(Entity, table=Second, type="Tag"):
        id: str
        name: str = unique(normalise=str.lower, normaliser_version=2)
        key = Key("TAG#{id}", "TAG")

    session = Session(server.client())
    session.create_table(First)
    session.create(One(id="1", name="Red"))
    session.create(One(id="2", name="blue"))
    audit = session.audit(Second)
    assert audit.outdated == 2
    assert sorted(fault.kind for fault in audit.faults) == ["marker of another value", "missing marker"]
    session.repair(audit, dry_run=False)
    assert session.audit(Second).is_clean


def test_rules_with_scope_and_condition_are_judged_as_they_are_kept(session: Session) -> None:
    session.create(Product(tenant="1", id="1", sku="A", maker="m", number=1))
    session.create(Product(tenant="2", id="1", sku="A", maker="m", number=2))
    session.create(Product(tenant="2", id="2", sku="A", maker="m", number=3, sold=False))
    assert session.audit(Club).is_clean


def test_one_of_those_that_share_a_value_gets_the_marker(session: Session, client: Any) -> None:
    for number in ("8", "7"):
        item = item_of(Account(id=number, email="bob", username=f"bob{number}"))
        client.put_item(TableName="club", Item=item)
    audit = session.audit(Club)
    outcomes = {repair.fault.kind: repair.outcome for repair in session.repair(audit, dry_run=False)}
    assert outcomes == {"missing marker": "mended", "shared value": "to be decided"}
    with pytest.raises(UniqueViolation, match="ACCT#7"):
        session.create(Account(id="9", email="BOB", username="third"))
    again = session.audit(Club)
    assert [fault.kind for fault in again.faults] == ["shared value"]
    session.repair(again, dry_run=False)
    with pytest.raises(UniqueViolation, match="ACCT#7"):
        session.create(Account(id="9", email="BOB", username="third"))


def test_a_holder_among_them_keeps_the_marker(session: Session, client: Any) -> None:
    session.create(Account(id="8", email="bob", username="bob8"))
    client.put_item(TableName="club", Item=item_of(Account(id="7", email="bob", username="bob7")))
    session.repair(session.audit(Club), dry_run=False)
    with pytest.raises(UniqueViolation, match="ACCT#8"):
        session.create(Account(id="9", email="BOB", username="third"))


@pytest.mark.parametrize("versioned", [False, True])
def test_who_shares_a_value_without_its_marker_can_give_it_up(
    session: Session, client: Any, versioned: bool
) -> None:
    made: Any = [Account(id=number, email="bob", username=f"bob{number}") for number in "789"]
    if versioned:
        made = [Product(tenant="1", id=n, sku="S", maker="m", number=int(n), version=1) for n in "789"]
    for entity in made:
        client.put_item(TableName="club", Item=item_of(entity))
    session.repair(session.audit(Club), dry_run=False)
    kind = type(made[0])
    _, second, third = (session.get(kind.key(**_key_of(entity))) for entity in made)
    if versioned:
        second.sku = "T"
    else:
        second.email, second.username = "second", "bob8, again"
    with pytest.raises(ForeignMarker, match="write the entity by itself"), session.transaction() as tx:
        tx.update(second)
    session.update(second)
    session.delete(third.__class__.key(**_key_of(third)))
    assert session.get(kind.key(**_key_of(third))) is None
    with pytest.raises(UniqueViolation):
        session.create(made[2])
    assert session.audit(Club).is_clean


def _key_of(entity: Any) -> dict[str, Any]:
    return {name: getattr(entity, name) for name in type(entity).key.partition_names}


def test_a_long_value_is_shown_in_part(session: Session) -> None:
    session.create(Account(id="8", email="b" * 3000, username="bob8"))
    with pytest.raises(UniqueViolation) as violation:
        session.create(Account(id="9", email="b" * 3000, username="bob9"))
    assert len(str(violation.value)) < 200
    assert violation.value.clashes[0].value == "b" * 3000


def test_values_are_not_swapped_in_one_transaction(session: Session) -> None:
    session.create(Account(id="8", username="one"))
    session.create(Account(id="9", username="two"))
    one, two = (session.get(Account, id=number, consistent=True) for number in "89")
    assert one is not None
    assert two is not None
    one.username, two.username = "two", "one"
    tx = session.transaction()
    tx.update(one)
    with pytest.raises(WriteRefused, match="free it first"):
        tx.update(two)


@pytest.mark.parametrize(
    "owner",
    [
        {"S": "ACCT#1"},
        {"M": {}},
        {"M": {"PK": {"S": "ACCT#1"}}},
        {"M": {"PK": {"N": "1"}, "SK": {"S": "PROFILE"}}},
        {"M": {**OWNER, "SK": {"S": ""}}},
        {"M": {**OWNER, "more": {"S": "x"}}},
    ],
)
def test_a_marker_that_does_not_say_whose_it_is_is_counted(
    session: Session, client: Any, owner: dict[str, Any]
) -> None:
    marker = {"PK": {"S": "UNIQ#Account#email#eve@x.io"}, "SK": {"S": "LOCK"}, "owner": owner}
    marker |= {"entity": {"S": "Account"}, "rule": {"S": "email"}, "normaliser": {"S": "one"}}
    client.put_item(TableName="club", Item=marker)
    audit = session.audit(Club)
    assert (audit.unreadable, audit.faults, audit.is_clean) == (1, [], False)
    with pytest.raises(UniqueViolation) as violation:
        session.create(Account(id="5", email="eve@x.io", username="eve"))
    assert violation.value.clashes[0].owner is None


@pytest.mark.parametrize(
    "key", ["UNIQ#Account#email#eve@x.io", "UNIQ#Account#email", "UNIQ#Account#email#\x01\x01"]
)
def test_a_marker_that_says_nothing_at_all_is_counted(session: Session, client: Any, key: str) -> None:
    client.put_item(TableName="club", Item={"PK": {"S": key}, "SK": {"S": "LOCK"}})
    audit = session.audit(Club)
    assert (audit.unreadable, audit.faults, audit.is_clean) == (1, [], False)
    assert session.audit(Club, rules=[(Account, "username")]).unreadable == 0


@pytest.mark.parametrize(
    "key", ["UNIQ#", "UNIQ#$\x01#$", "UNIQ#Account", "UNIQ#Ghost#email#x", "UNIQ#Account#ghost#x"]
)
def test_a_marker_of_no_rule_is_not_of_the_audit(session: Session, client: Any, key: str) -> None:
    client.put_item(TableName="club", Item={"PK": {"S": key}, "SK": {"S": "LOCK"}})
    assert session.audit(Club).is_clean


@pytest.mark.parametrize("version", [{"S": "one"}, {"N": "1.5"}, {"N": "1E+30"}])
def test_a_marker_of_a_strange_normaliser_is_judged(
    session: Session, client: Any, version: dict[str, Any]
) -> None:
    client.update_item(
        TableName="club",
        Key=EMAIL,
        UpdateExpression="SET normaliser = :v",
        ExpressionAttributeValues={":v": version},
    )
    audit = session.audit(Club)
    assert audit.is_clean
    assert audit.outdated == ("N" in version)


def test_a_repair_that_is_run_again_finds_nothing_to_mend(session: Session, client: Any) -> None:
    client.delete_item(TableName="club", Key=EMAIL)
    client.delete_item(TableName="club", Key={"PK": {"S": "ACCT#2"}, "SK": {"S": "PROFILE"}})
    audit = session.audit(Club)
    assert {repair.outcome for repair in session.repair(audit, dry_run=False)} == {"mended"}
    assert {repair.outcome for repair in session.repair(audit, dry_run=False)} == {"gone meanwhile"}


def test_a_rule_is_added_to_an_entity() -> None:
    with partita.Database() as db, pytest.raises(TypeError, match="not None"):
        Session(db.client()).backfill_unique(None, "email")  # type: ignore[arg-type]
