"""What a session's writes do, on every server."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.model.writing.by_hand import START
from tests.model.writing.conftest import Shop
from tests.model.writing.shop import PLACED, Address, App, Draft, Line, Note, Order, Stock, Tag, order

from partita.model import entity_of
from partita.model.declaring.items import key_of
from partita.model.errors import (
    AlreadyExists,
    ConditionFailed,
    NotStored,
    ServiceError,
    StaleVersion,
    WriteRefused,
)
from partita.model.expressions.fields import F

REF = Order.key(tenant="42", id="991")


class TestCreate:
    def test_it_stores_the_whole_item_at_version_one(self, shop: Shop) -> None:
        new = order()
        shop.session.create(new)
        assert (new.version, new.created, new.updated) == (1, START, START)
        assert shop.read(REF) == new
        item = shop.stored(REF)
        assert new._stored == item
        assert item["GSI1PK"] == {"S": "TENANT#42#CUST#7"}
        assert item["amount"] == {"N": "12.5"}
        assert item["GSI2PK"]["S"].startswith("TENANT#42#PENDING#")

    def test_what_exists_is_told_with_the_refusal(self, shop: Shop) -> None:
        first = order(note="first")
        shop.session.create(first)
        second = order(note="second")
        with pytest.raises(AlreadyExists, match="Order TENANT#42#ORDER#991 / META exists already") as refused:
            shop.session.create(second)
        assert refused.value.current == first
        assert (second.version, second.created, second._stored) == (0, None, None)
        assert shop.read(REF) == first

    def test_another_kind_of_item_under_the_key_is_no_entity(self, shop: Shop) -> None:
        shop.client.put_item(TableName="app", Item=REF.item_key() | {"_type": {"S": "Other"}})
        with pytest.raises(AlreadyExists) as refused:
            shop.session.create(order())
        assert refused.value.current is None


class TestPut:
    def test_without_a_version_it_overwrites(self, shop: Shop) -> None:
        shop.session.put(Stock(sku="9", qty=10, name="a"))
        shop.session.put(Stock(sku="9", qty=1))
        assert shop.read(Stock.key(sku="9")) == Stock(sku="9", qty=1)

    def test_with_a_condition(self, shop: Shop) -> None:
        shop.session.put(Stock(sku="9", qty=10))
        shop.session.put(Stock(sku="9", qty=5), when=F(Stock).qty > 5)
        with pytest.raises(ConditionFailed) as failed:
            shop.session.put(Stock(sku="9", qty=1), when=F(Stock).qty > 5)
        assert failed.value.current == Stock(sku="9", qty=5)
        assert type(failed.value) is ConditionFailed

    def test_with_a_version_only_over_the_one_that_was_read(self, shop: Shop) -> None:
        new = order()
        shop.session.put(new)
        assert new.version == 1
        other = shop.read(REF)
        other.note = "other"
        shop.session.put(other)
        new.note = "mine"
        with pytest.raises(StaleVersion, match="is of version 2 by now, not 1") as stale:
            shop.session.put(new)
        assert stale.value.current == other
        assert new.version == 1
        with pytest.raises(StaleVersion, match="is of version 2 by now, not 0"):
            shop.session.put(order())

    def test_the_first_time_is_kept_and_the_last_renewed(self, shop: Shop) -> None:
        new = order()
        shop.session.put(new)
        shop.clock.advance(hours=1)
        shop.session.put(new)
        assert (new.created, new.updated) == (START, START + timedelta(hours=1))


class TestUpdate:
    def test_it_sends_only_what_changed(self, shop: Shop) -> None:
        stock = Stock(sku="9", qty=10, name="a", sizes={"s": 1, "m": 2})
        shop.session.create(stock)
        shop.client.update_item(
            TableName="app",
            Key=Stock.key(sku="9").item_key(),
            UpdateExpression="SET qty = :q, sizes.s = :q, legacy = :q",
            ExpressionAttributeValues={":q": {"N": "77"}},
        )
        stock.name = "b"
        stock.sizes["m"] = 3
        assert shop.session.update(stock)
        item = shop.stored(Stock.key(sku="9"))
        assert item["qty"] == item["legacy"] == {"N": "77"}
        assert item["name"] == {"S": "b"}
        assert item["sizes"] == {"M": {"s": {"N": "77"}, "m": {"N": "3"}}}

    def test_nothing_changed_and_no_version_sends_nothing(self, shop: Shop) -> None:
        stock = Stock(sku="9", qty=10)
        shop.session.create(stock)
        requests = shop.session.consumed[None].requests
        assert not shop.session.update(stock)
        assert shop.session.consumed[None].requests == requests

    def test_none_removes_and_nested_changes_touch_only_their_path(self, shop: Shop) -> None:
        new = order(note="x", address=Address(city="Hue", street="Le Loi"), lines=[Line(sku="a", qty=1)])
        shop.session.create(new)
        new.note = None
        assert new.address is not None
        new.address.street = None
        new.lines[0].qty = 2
        new.lines.append(Line(sku="b", qty=1))
        new.tags = {"gift"}
        shop.session.update(new)
        item = shop.stored(REF)
        assert "note" not in item
        assert item["address"] == {"M": {"city": {"S": "Hue"}}}
        assert shop.read(REF) == new
        new.tags = set()
        shop.session.update(new)
        assert "tags" not in shop.stored(REF)

    def test_index_keys_follow(self, shop: Shop) -> None:
        new = order()
        shop.session.create(new)
        new.status = "SHIPPED"
        new.customer = "8"
        shop.session.update(new)
        item = shop.stored(REF)
        assert item["GSI1PK"] == {"S": "TENANT#42#CUST#8"}
        assert not {"GSI2PK", "GSI2SK"} & item.keys()

    def test_the_version_is_checked_and_raised(self, shop: Shop) -> None:
        mine = order()
        shop.session.create(mine)
        theirs = shop.read(REF)
        theirs.note = "theirs"
        shop.clock.advance(minutes=5)
        shop.another().update(theirs)
        assert (theirs.version, theirs.updated) == (2, START + timedelta(minutes=5))
        mine.note = "mine"
        before = mine.model_copy(deep=True)
        with pytest.raises(StaleVersion, match="is of version 2 by now, not 1") as stale:
            shop.session.update(mine)
        assert stale.value.current == theirs
        assert mine == before
        assert shop.read(REF).note == "theirs"
        current = stale.value.current
        assert isinstance(current, Order)
        current.note = "mine after all"
        shop.session.update(current)
        assert shop.read(REF).note == "mine after all"

    def test_a_version_is_raised_even_where_nothing_changed(self, shop: Shop) -> None:
        draft = Draft(id="1", text="x")
        shop.session.create(draft)
        assert shop.session.update(draft)
        assert shop.read(Draft.key(id="1")).version == draft.version == 2

    def test_an_item_from_before_the_version_field(self, shop: Shop) -> None:
        key = Draft.key(id="1").item_key()
        shop.client.put_item(
            TableName="app", Item=key | {"_type": {"S": "Draft"}, "id": {"S": "1"}, "text": {"S": "x"}}
        )
        old, same = shop.read(Draft.key(id="1")), shop.read(Draft.key(id="1"))
        old.text = "y"
        shop.session.update(old)
        assert old.version == 1
        same.text = "z"
        with pytest.raises(StaleVersion):
            shop.session.update(same)

    def test_what_is_gone_is_not_stored(self, shop: Shop) -> None:
        for entity in (order(), Stock(sku="9", qty=1)):
            shop.session.create(entity)
            shop.client.delete_item(TableName="app", Key=key_of(entity))
            if isinstance(entity, Stock):
                entity.qty = 2
            with pytest.raises(NotStored):
                shop.session.update(entity)
            assert shop.client.scan(TableName="app")["Count"] == 0

    def test_a_condition_of_its_own(self, shop: Shop) -> None:
        new = order()
        shop.session.create(new)
        new.note = "x"
        with pytest.raises(ConditionFailed) as failed:
            shop.session.update(new, when=F(Order).total > Decimal(100))
        assert type(failed.value) is ConditionFailed
        assert new.version == 1
        shop.session.update(new, when=F(Order).total < Decimal(100))

    def test_what_was_never_read_is_refused(self, shop: Shop) -> None:
        with pytest.raises(WriteRefused, match="was not: create it, put it, or change"):
            shop.session.update(order())


class TestChange:
    @pytest.fixture(autouse=True)
    def stock(self, shop: Shop) -> None:
        shop.session.create(Stock(sku="9", qty=3))
        shop.session.create(order())

    def test_it_gives_the_new_entity(self, shop: Shop) -> None:
        new = shop.session.change(Stock.key(sku="9"), F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
        assert new == Stock(sku="9", qty=1)
        with pytest.raises(ConditionFailed) as failed:
            shop.session.change(Stock.key(sku="9"), F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
        assert failed.value.current == new

    def test_what_is_not_there_is_not_made(self, shop: Shop) -> None:
        with pytest.raises(NotStored, match="Stock STOCK#8 / STOCK is not stored"):
            shop.session.change(Stock.key(sku="8"), F(Stock).qty.add(1))

    def test_unless_it_may_be(self, shop: Shop) -> None:
        for expected in (5, 10):
            new = shop.session.change(Stock.key(sku="8"), F(Stock).qty.add(5), or_create=True)
            assert new == shop.read(Stock.key(sku="8")) == Stock(sku="8", qty=expected)
        with pytest.raises(WriteRefused, match="has to set qty too"):
            shop.session.change(Stock.key(sku="7"), F(Stock).name.set("x"), or_create=True)
        assert entity_of(shop.stored(Stock.key(sku="8")), App) == new

    def test_the_version_is_raised_and_the_time_set(self, shop: Shop) -> None:
        mine = shop.read(REF)
        shop.clock.advance(hours=2)
        new = shop.session.change(REF, F(Order).note.set("x"))
        assert (new.version, new.updated, new.note) == (2, START + timedelta(hours=2), "x")
        with pytest.raises(StaleVersion):
            shop.session.update(mine)

    def test_index_keys_follow_where_all_is_known(self, shop: Shop) -> None:
        shop.session.change(REF, F(Order).status.set("SHIPPED"))
        item = shop.stored(REF)
        assert not {"GSI2PK", "GSI2SK"} & item.keys()
        assert item["GSI1PK"] == {"S": "TENANT#42#CUST#7"}
        shop.session.change(
            REF, F(Order).customer.set("8"), F(Order).placed.set(PLACED), F(Order).status.set("PENDING")
        )
        again = order(customer="8")
        assert {n: v for n, v in shop.stored(REF).items() if n.startswith("GSI")} == {
            name: value for name, value in again.__schema__.encode(again).items() if name.startswith("GSI")
        }

    @pytest.mark.parametrize(
        ("update", "message"),
        [
            (F(Order).customer.set("8"), "the key of gsi1, which also depends on placed"),
            (F(Order).status.set("PENDING"), "the key of gsi2, which also depends on placed"),
            (F(Order).placed.set(PLACED), "the key of gsi1, which also depends on customer"),
            (F(Order).version.add(1), "is written by every change"),
            (F(Order).updated.set(START), "is written by every change"),
        ],
    )
    def test_what_it_cannot_keep_true_is_refused(self, shop: Shop, update: Any, message: str) -> None:
        before = shop.stored(REF)
        with pytest.raises(WriteRefused, match=message):
            shop.session.change(REF, update)
        with pytest.raises(WriteRefused, match="at least one update"):
            shop.session.change(REF)
        assert shop.stored(REF) == before


class TestDelete:
    def test_by_key_whether_or_not_it_is_there(self, shop: Shop) -> None:
        shop.session.create(order())
        shop.session.delete(REF)
        shop.session.delete(REF)
        assert shop.stored(REF) is None

    def test_only_the_version_that_was_read(self, shop: Shop) -> None:
        mine = order()
        shop.session.create(mine)
        shop.session.change(REF, F(Order).note.set("x"))
        with pytest.raises(StaleVersion) as stale:
            shop.session.delete(mine)
        assert isinstance(stale.value.current, Order)
        shop.session.delete(stale.value.current)
        assert shop.stored(REF) is None
        with pytest.raises(NotStored):
            shop.session.delete(mine)

    def test_with_a_condition(self, shop: Shop) -> None:
        shop.session.create(Stock(sku="9", qty=1))
        with pytest.raises(ConditionFailed):
            shop.session.delete(Stock.key(sku="9"), when=F(Stock).qty == 0)
        shop.session.change(Stock.key(sku="9"), F(Stock).qty.set(0))
        shop.session.delete(Stock.key(sku="9"), when=F(Stock).qty == 0)
        with pytest.raises(NotStored):
            shop.session.delete(Stock.key(sku="9"), when=F(Stock).qty == 0)

    def test_a_deleted_entity_can_be_created_again(self, shop: Shop) -> None:
        new = order()
        shop.session.create(new)
        shop.session.delete(new)
        with pytest.raises(WriteRefused):
            shop.session.update(new)
        shop.session.create(new)
        assert shop.read(REF) == new


class TestCheck:
    def test_it_asks_and_changes_nothing(self, shop: Shop) -> None:
        mine = order()
        with pytest.raises(NotStored):
            shop.session.check(REF)
        shop.session.create(mine)
        shop.session.check(REF)
        shop.session.check(mine)
        shop.session.check(REF, F(Order).status == "PENDING")
        with pytest.raises(ConditionFailed) as failed:
            shop.session.check(REF, F(Order).status == "SHIPPED")
        assert failed.value.current == mine
        shop.session.change(REF, F(Order).note.set("x"))
        with pytest.raises(StaleVersion):
            shop.session.check(mine)


class TestHooksAndExpiry:
    def test_a_hook_changes_what_is_written_and_the_entity_only_on_success(self, shop: Shop) -> None:
        tag = Tag(name="a")
        shop.session.create(tag)
        assert tag.words == ["seen"]
        assert shop.read(Tag.key(name="a")).words == ["seen"]
        with pytest.raises(AlreadyExists):
            shop.session.create(tag)
        assert tag.words == ["seen"]

    def test_an_expiry_is_stored_in_seconds(self, shop: Shop) -> None:
        note = Note(id="1", text="x", expires=START)
        shop.session.create(note)
        assert shop.stored(Note.key(id="1"))["ttl"] == {"N": str(int(START.timestamp()))}
        note.expires = None
        shop.session.update(note)
        assert "ttl" not in shop.stored(Note.key(id="1"))


class TestBatches:
    def test_many_are_put_and_deleted(self, shop: Shop) -> None:
        stocks = [Stock(sku=f"{n:03}", qty=n) for n in range(60)]
        told: list[tuple[int, int]] = []
        shop.session.batch_write(put=stocks, progress=lambda done, total: told.append((done, total)))
        assert told == [(0, 60), (25, 60), (50, 60), (60, 60)]
        assert shop.client.scan(TableName="app")["Count"] == 60
        stocks[0].qty = 100
        assert shop.session.update(stocks[0])
        shop.session.batch_write(put=[Stock(sku="new", qty=1)], delete=[*stocks[:30], Stock.key(sku="030")])
        assert shop.client.scan(TableName="app")["Count"] == 30

    def test_duplicates(self, shop: Shop) -> None:
        pair = [Stock(sku="1", qty=1), Stock(sku="1", qty=2)]
        with pytest.raises(WriteRefused, match="two writes of a batch"):
            shop.session.batch_write(put=pair)
        shop.session.batch_write(put=pair, duplicates="last")
        assert shop.read(Stock.key(sku="1")).qty == 2

    def test_versions_are_refused(self, shop: Shop) -> None:
        with pytest.raises(WriteRefused, match="has a version"):
            shop.session.batch_write(put=[order()])
        with pytest.raises(WriteRefused, match="has a version"):
            shop.session.batch_write(delete=[REF])


class TestTables:
    def test_ensuring_one_that_exists_changes_nothing(self, shop: Shop) -> None:
        shop.session.create(order())
        shop.session.ensure_table(App)
        assert shop.stored(REF)
        described = shop.client.describe_time_to_live(TableName="app")["TimeToLiveDescription"]
        assert described["AttributeName"] == "ttl"

    def test_creating_one_that_exists_is_an_error(self, shop: Shop) -> None:
        with pytest.raises(ServiceError, match="ResourceInUseException"):
            shop.session.create_table(App)

    def test_under_another_name(self, shop: Shop) -> None:
        session = shop.another(tables={App: "app-prod"})
        session.ensure_table(App)
        session.create(order())
        assert shop.stored(REF) is None
        assert shop.client.scan(TableName="app-prod")["Count"] == 1
