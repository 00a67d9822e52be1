"""What writes of entities with unique attributes do to the markers, request by request."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.model.uniqueness.people import Account, Club, Product

import partita
from partita.model import Entity, Key, Session, Table, unique
from partita.model.definition.table_requests import create_table_request
from partita.model.errors import (
    AlreadyExists,
    ConditionFailed,
    DeclarationError,
    StaleVersion,
    UniqueViolation,
    UnstorableValue,
    WriteRefused,
)
from partita.model.keys.key_conditions import KeyCondition
from partita.model.writing.frozen import FrozenTransaction


class Stored:
    """A table with a session on it, and what is stored, by "PK / SK"."""

    def __init__(self, database: partita.Database) -> None:
        self.client = database.client()
        self.client.create_table(**create_table_request(Club))
        self.session = Session(self.client)

    def items(self) -> dict[str, Any]:
        found = self.client.scan(TableName="club", ConsistentRead=True)["Items"]
        return {f"{item['PK']['S']} / {item['SK']['S']}": item for item in found}

    def shown(self) -> list[str]:
        return sorted(self.items())

    def read(self, key: KeyCondition[Any]) -> Any:
        item = self.client.get_item(TableName="club", Key=key.item_key(), ConsistentRead=True)["Item"]
        return key.entity.__schema__.decode(item)


@pytest.fixture
def club() -> Iterator[Stored]:
    with partita.Database() as database:
        yield Stored(database)


def ada(**values: Any) -> Account:
    return Account.model_validate({"id": "1", "email": "Ada@x.io", "username": "ada", **values})


def test_an_entity_comes_with_a_marker_for_each_value(club: Stored) -> None:
    club.session.create(ada())
    assert club.shown() == [
        "ACCT#1 / PROFILE",
        "UNIQ#Account#email#ada@x.io / LOCK",
        "UNIQ#Account#username#ada / LOCK",
    ]
    assert club.items()["UNIQ#Account#email#ada@x.io / LOCK"] == {
        "PK": {"S": "UNIQ#Account#email#ada@x.io"},
        "SK": {"S": "LOCK"},
        "_type": {"S": "_Unique"},
        "owner": {"M": {"PK": {"S": "ACCT#1"}, "SK": {"S": "PROFILE"}}},
        "entity": {"S": "Account"},
        "rule": {"S": "email"},
        "values": {"M": {"email": {"S": "Ada@x.io"}}},
        "normaliser": {"N": "1"},
    }


def test_a_violation_names_every_value_that_clashes_and_its_owner(club: Stored) -> None:
    club.session.create(ada())
    with pytest.raises(UniqueViolation) as caught:
        club.session.create(ada(id="2", email="ADA@X.IO"))
    owner = {"PK": {"S": "ACCT#1"}, "SK": {"S": "PROFILE"}}
    clashes = [(clash.rule, clash.value, clash.owner) for clash in caught.value.clashes]
    assert clashes == [("email", "ADA@X.IO", owner), ("username", "ada", owner)]
    assert "ACCT#1 / PROFILE" in str(caught.value)
    assert len(club.shown()) == 3, "nothing of the second account is there"


def test_an_entity_that_exists_is_told_from_a_value_that_is_taken(club: Stored) -> None:
    club.session.create(ada())
    with pytest.raises(AlreadyExists):
        club.session.create(ada(email="other@x.io", username="other"))


def test_a_value_that_is_none_takes_no_marker(club: Stored) -> None:
    club.session.create(ada(email=None))
    club.session.create(ada(id="2", email=None, username="bob"))
    assert [key for key in club.shown() if "email" in key] == []


def test_a_change_moves_the_marker_and_a_deletion_removes_it(club: Stored) -> None:
    account = ada()
    club.session.create(account)
    account.email = "new@x.io"
    club.session.update(account)
    assert [key for key in club.shown() if "email" in key] == ["UNIQ#Account#email#new@x.io / LOCK"]
    account.email = None
    club.session.update(account)
    assert [key for key in club.shown() if "email" in key] == []
    club.session.delete(account)
    assert club.shown() == []
    club.session.create(ada(id="9"))


def test_a_value_that_stays_the_same_touches_no_marker(club: Stored) -> None:
    account = ada()
    club.session.create(account)
    with club.session.measuring() as total:
        account.email = "ADA@x.io"
        account.name = "Ada"
        club.session.update(account)
    assert total.consumed.units == 1, "one write of one item, in no transaction"
    assert club.items()["ACCT#1 / PROFILE"]["email"] == {"S": "ADA@x.io"}


def test_an_update_of_what_another_session_changed_is_refused(club: Stored) -> None:
    club.session.create(ada())
    mine, other = club.read(Account.key(id="1")), club.read(Account.key(id="1"))
    other.email = "other@x.io"
    club.session.update(other)
    mine.email = "mine@x.io"
    with pytest.raises(ConditionFailed) as caught:
        club.session.update(mine)
    assert isinstance(caught.value.current, Account)
    assert caught.value.current.email == "other@x.io"
    assert [key for key in club.shown() if "email" in key] == ["UNIQ#Account#email#other@x.io / LOCK"]
    same = club.read(Account.key(id="1"))
    other.email = "third@x.io"
    club.session.update(other)
    same.email = "Other@x.io"
    with pytest.raises(ConditionFailed):
        club.session.update(same)


def test_markers_expire_with_their_owner(club: Stored) -> None:
    account = ada(expires=datetime(2027, 1, 1, tzinfo=UTC))
    club.session.create(account)
    times = {key: item.get("ttl") for key, item in club.items().items()}
    assert set(map(str, times.values())) == {"{'N': '1798761600'}"}
    account.expires = datetime(2028, 1, 1, tzinfo=UTC)
    club.session.update(account)
    assert {str(item.get("ttl")) for item in club.items().values()} == {"{'N': '1830297600'}"}
    account.expires = None
    club.session.update(account)
    assert {str(item.get("ttl")) for item in club.items().values()} == {"None"}


def test_a_put_needs_to_know_what_it_replaces(club: Stored) -> None:
    with pytest.raises(WriteRefused, match="read it before you put it"):
        club.session.put(ada())
    club.session.create(ada())
    account = club.read(Account.key(id="1"))
    account.username = "countess"
    club.session.put(account)
    assert [key for key in club.shown() if "username" in key] == ["UNIQ#Account#username#countess / LOCK"]


def test_a_deletion_by_key_reads_the_item_and_takes_its_markers_along(club: Stored) -> None:
    club.session.create(ada())
    club.session.delete(Account.key(id="1"))
    assert club.shown() == []
    club.session.delete(Account.key(id="1"))


def test_a_change_by_key_cannot_touch_unique_values(club: Stored) -> None:
    from partita.model import F

    club.session.create(ada())
    with pytest.raises(WriteRefused, match="unique rule 'email'"):
        club.session.change(Account.key(id="1"), F(Account).email.set("x@x.io"))
    club.session.change(Account.key(id="1"), F(Account).name.set("Ada"))


def test_a_batch_refuses_entities_with_unique_values(club: Stored) -> None:
    with pytest.raises(WriteRefused, match="unique values"):
        club.session.batch_write(put=[ada()])


def test_scope_condition_and_several_fields(club: Stored) -> None:
    def product(**values: Any) -> Product:
        return Product.model_validate(
            {"tenant": "1", "id": "1", "sku": "A", "maker": "m", "number": 1, **values}
        )

    club.session.create(product())
    club.session.create(product(tenant="2", id="2", number=2))
    club.session.create(product(id="3", number=3, sold=False))
    with pytest.raises(UniqueViolation) as caught:
        club.session.create(product(tenant="3", id="4", sku="Z", number=1))
    assert caught.value.clashes[0].rule == "maker+number"
    assert caught.value.clashes[0].value == ("m", 1)
    unsold = club.read(Product.key(tenant="1", id="3"))
    unsold.sold = True
    with pytest.raises(UniqueViolation):
        club.session.update(unsold)
    first = club.read(Product.key(tenant="1", id="1"))
    stale = club.read(Product.key(tenant="1", id="1"))
    first.sold = False
    club.session.update(first)
    club.session.update(unsold)
    stale.sku = "B"
    with pytest.raises(StaleVersion):
        club.session.update(stale)
    assert "UNIQ#Product#sku#1#A / LOCK" in club.shown()


def test_values_longer_than_a_key_are_hashed_and_still_unique(club: Stored) -> None:
    club.session.create(ada(username="x" * 3000))
    with pytest.raises(UniqueViolation):
        club.session.create(ada(id="2", email=None, username="x" * 3000))
    club.session.create(ada(id="2", email=None, username="x" * 2999 + "y"))


def test_no_value_can_be_mistaken_for_two(club: Stored) -> None:
    class Pair(Entity, table=Club):
        id: str
        a: str = unique(scope=("b",))
        b: str
        key = Key("PAIR#{id}", "PAIR")

    club.session.create(Pair(id="1", b="x#y", a="z"))
    club.session.create(Pair(id="2", b="x", a="y#z"))


def test_violations_in_a_frozen_transaction_survive_json(club: Stored) -> None:
    club.session.create(ada())
    transaction = club.session.transaction("sign up 2")
    transaction.create(ada(id="2"))
    frozen = FrozenTransaction.from_json(transaction.freeze().to_json(), Club)
    with pytest.raises(UniqueViolation) as caught:
        club.session.commit(frozen)
    assert [clash.rule for clash in caught.value.clashes] == ["email", "username"]


def test_a_normaliser_must_give_what_can_be_a_key(club: Stored) -> None:
    class Odd(Entity, table=Club):
        id: str
        code: str = unique(normalise=lambda code: [code])
        key = Key("ODD#{id}", "ODD")

    with pytest.raises(UnstorableValue, match="normaliser"):
        club.session.create(Odd(id="1", code="x"))


def test_a_table_whose_keys_are_no_texts_has_no_place_for_markers() -> None:
    from partita.model import KeyAttribute

    class Numbers(Table, partition_key=KeyAttribute("id", "N"), sort_key=None):
        pass

    with pytest.raises(DeclarationError, match="marker"):

        class Row(Entity, table=Numbers):
            id: int
            email: str = unique()
            key = Key("{id}", raw=True)


def test_an_entity_cannot_have_the_keys_of_markers() -> None:
    class Shop(Table):
        pass

    class User(Entity, table=Shop):
        id: str
        email: str = unique()
        key = Key("USER#{id}", "USER")

    with pytest.raises(DeclarationError, match="markers"):

        class Lock(Entity, table=Shop):
            kind: str
            key = Key("UNIQ#{kind}", "LOCK")
