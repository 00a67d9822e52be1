"""Transactions of a session, on every server."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from tests.model.writing.by_hand import START
from tests.model.writing.conftest import Shop
from tests.model.writing.scripted import ScriptedClient, cancelled, timed_out
from tests.model.writing.shop import App, Draft, Note, Order, Stock, order

from partita.model.errors import (
    AlreadyExists,
    ConditionFailed,
    NotStored,
    OperationReused,
    OutcomeUnknown,
    ReadRefused,
    StaleVersion,
    TransactionFailed,
    WriteRefused,
)
from partita.model.expressions.fields import F
from partita.model.flows.retries import Retries
from partita.model.sessions.session import Session
from partita.model.writing.frozen import FrozenTransaction

REF = Order.key(tenant="42", id="991")
NINE = Stock.key(sku="9")

IDEMPOTENCY = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html"
"""Where the service says that a request with a known ClientRequestToken has no effect (moto lets it have one,
so that these tests expect of it what they must not expect of the service)."""


@pytest.fixture(autouse=True)
def stock(shop: Shop) -> None:
    shop.session.create(Stock(sku="9", qty=10))


def place(shop: Shop, session: Any, operation: str = "place-991", **options: Any) -> Any:
    """An order and its stock, in one transaction."""
    with session.transaction(operation, **options) as tx:
        tx.create(order())
        tx.change(NINE, F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
    return tx.committed


def transact(session: Any, *writes: Any, **options: Any) -> None:
    """A transaction of these writes, each a function of it."""
    with session.transaction(**options) as tx:
        for write in writes:
            write(tx)


def test_all_is_applied_at_the_end(shop: Shop) -> None:
    placed, note = order(), Note(id="1", text="x")
    shop.session.create(note)
    with shop.session.transaction() as tx:
        tx.create(placed)
        tx.change(NINE, F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
        tx.put(Draft(id="1", text="x"))
        tx.delete(note)
        tx.check(Stock.key(sku="8"), F(Stock).qty.not_exists())
        assert shop.stored(REF) is None
        assert placed.version == 0
    assert (placed.version, placed.created, placed._stored) == (1, START, shop.stored(REF))
    assert shop.read(REF) == placed
    assert shop.read(NINE).qty == 8
    assert shop.stored(Note.key(id="1")) is None
    placed.note = "later"
    assert shop.session.update(placed)


def test_nothing_is_sent_if_an_exception_leaves_it(shop: Shop) -> None:
    def fail(_: Any) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        transact(shop.session, lambda tx: tx.create(order()), fail)
    assert shop.stored(REF) is None
    with shop.session.transaction() as tx:
        pass
    assert tx.committed is None


def test_all_times_are_the_operations(shop: Shop) -> None:
    at = START - timedelta(days=1)
    placed, note = order(), Note(id="1", text="x")
    with shop.session.transaction("op", at=at) as tx:
        tx.create(placed)
        tx.create(note)
    assert placed.created == placed.updated == note.at == at


def test_an_update_is_the_difference(shop: Shop) -> None:
    placed, unchanged = order(), shop.read(NINE)
    shop.session.create(placed)
    placed.status = "SHIPPED"
    with shop.session.transaction() as tx:
        tx.update(placed)
        tx.update(unchanged)
        assert len(tx.freeze().actions) == 1
    assert placed.version == 2
    assert shop.read(REF) == placed
    assert "GSI2PK" not in shop.stored(REF)


def test_one_item_twice_is_refused_at_once(shop: Shop) -> None:
    tx = shop.session.transaction()
    tx.change(NINE, F(Stock).qty.add(-2))
    again: list[Callable[[], None]] = [
        lambda: tx.check(NINE),
        lambda: tx.put(Stock(sku="9", qty=1)),
        lambda: tx.delete(NINE),
    ]
    for write in again:
        with pytest.raises(WriteRefused, match="Stock STOCK#9 / STOCK is in the transaction already"):
            write()


def test_a_hundred_actions_fit(shop: Shop) -> None:
    with shop.session.transaction() as tx:
        for number in range(100):
            tx.create(Draft(id=str(number), text="x"))
        with pytest.raises(WriteRefused, match="at most 100 actions"):
            tx.create(Draft(id="100", text="x"))
    assert shop.client.scan(TableName="app")["Count"] == 101
    remembered = shop.session.transaction("op", remember=timedelta(days=1))
    for number in range(100, 199):
        remembered.create(Draft(id=str(number), text="x"))
    with pytest.raises(WriteRefused, match="at most 100 actions"):
        remembered.create(Draft(id="199", text="x"))


class TestFailures:
    def test_a_single_condition_raises_its_own_error(self, shop: Shop) -> None:
        placed = order()
        shop.session.create(placed)
        with pytest.raises(AlreadyExists) as exists:
            place(shop, shop.session)
        assert exists.value.current == placed
        shop.session.delete(REF)
        shop.session.change(NINE, F(Stock).qty.set(1))
        with pytest.raises(ConditionFailed) as failed:
            place(shop, shop.session)
        assert failed.value.current == Stock(sku="9", qty=1)
        assert shop.stored(REF) is None

    def test_a_stale_version(self, shop: Shop) -> None:
        mine = order()
        shop.session.create(mine)
        theirs = shop.session.change(REF, F(Order).note.set("theirs"))
        mine.note = "mine"
        with pytest.raises(StaleVersion) as stale:
            transact(
                shop.session, lambda tx: tx.update(mine), lambda tx: tx.change(NINE, F(Stock).qty.add(1))
            )
        assert stale.value.current == theirs
        assert (mine.version, shop.read(NINE).qty) == (1, 10)

    def test_several_are_listed_by_position(self, shop: Shop) -> None:
        shop.session.create(order())
        with pytest.raises(TransactionFailed, match="nothing was written") as failed:
            transact(
                shop.session,
                lambda tx: tx.check(NINE),
                lambda tx: tx.create(order()),
                lambda tx: tx.change(Stock.key(sku="8"), F(Stock).qty.add(1)),
            )
        assert [(reason.position, type(reason.error)) for reason in failed.value.reasons] == [
            (1, AlreadyExists),
            (2, NotStored),
        ]
        assert failed.value.reasons[1].subject == "Stock STOCK#8 / STOCK"


class TestOperations:
    """Moto forgets ClientRequestTokens; DynamoDB keeps them for 10 minutes:

    https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
    """

    def test_ids_and_tokens_are_the_operations(self, shop: Shop) -> None:
        one, two = shop.session.transaction("op-1", at=START), shop.another().transaction("op-1", at=START)
        other = shop.session.transaction("op-2", at=START)
        assert one.id() == two.id() != other.id()
        assert one.id("a") != one.id("b")
        for tx in (one, two, other):
            tx.create(order())
        assert one.freeze() == two.freeze()
        assert one.freeze().token != other.freeze().token
        assert len(one.freeze().token) <= 36

    def test_tokens_are_told_apart_by_table(self, shop: Shop) -> None:
        tokens = set()
        for session in (shop.session, shop.another(tables={App: "other"})):
            tx = session.transaction("op", at=START)
            tx.create(order())
            tokens.add(tx.freeze().token)
        assert len(tokens) == 2

    def test_sent_again_it_is_applied_once(self, shop: Shop, server: Any) -> None:
        place(shop, shop.session, at=START)
        if server.name == "moto":  # Knows no tokens, see IDEMPOTENCY.
            with pytest.raises(AlreadyExists):
                place(shop, shop.another(), at=START)
            return
        again = place(shop, shop.another(), at=START)
        assert again.already_applied
        assert shop.read(NINE).qty == 8

    def test_other_contents_under_its_id_are_an_error(self, shop: Shop, server: Any) -> None:
        place(shop, shop.session, at=START)
        # moto knows no tokens, see IDEMPOTENCY.
        expected = AlreadyExists if server.name == "moto" else OperationReused
        with pytest.raises(expected):
            place(shop, shop.session, at=START + timedelta(seconds=1))
        assert shop.read(NINE).qty == 8

    def test_a_remembered_one_is_recognised_whatever_its_contents(self, shop: Shop) -> None:
        remember = timedelta(days=1)
        first = place(shop, shop.session, remember=remember)
        assert not first.already_applied
        shop.clock.advance(hours=1)
        again = place(shop, shop.another(), remember=remember)
        assert again.already_applied
        assert shop.read(NINE).qty == 8
        record = shop.client.get_item(
            TableName="app", Key={"PK": {"S": "_OPERATION#place-991"}, "SK": {"S": "_OPERATION"}}
        )["Item"]
        assert record["ttl"] == {"N": str(int((START + remember).timestamp()))}
        assert record["_type"] == {"S": "_Operation"}

    def test_its_id_does_not_serve_for_another_one(self, shop: Shop) -> None:
        place(shop, shop.session, remember=timedelta(days=1))
        with pytest.raises(OperationReused):
            transact(
                shop.session,
                lambda tx: tx.create(Draft(id="1", text="x")),
                operation="place-991",
                remember=timedelta(days=1),
            )
        assert shop.stored(Draft.key(id="1")) is None

    def test_one_that_failed_may_be_tried_again(self, shop: Shop) -> None:
        shop.session.create(order())
        with pytest.raises(AlreadyExists):
            place(shop, shop.session, remember=timedelta(days=1))
        shop.session.delete(REF)
        assert not place(shop, shop.session, remember=timedelta(days=1)).already_applied

    def test_remembering_needs_an_id(self, shop: Shop) -> None:
        with pytest.raises(WriteRefused, match="has an id"):
            shop.session.transaction(remember=timedelta(days=1))
        with pytest.raises(WriteRefused, match="time zone"):
            shop.session.transaction("op", at=START.replace(tzinfo=None))


class TestLostAnswers:
    def test_the_same_request_goes_again(self, shop: Shop, server: Any) -> None:
        lossy = Lossy(shop.client, 2)
        if server.name == "moto":  # Knows no tokens, see IDEMPOTENCY.
            with pytest.raises(AlreadyExists):
                place(shop, shop.another(lossy), at=START)
            return
        committed = place(shop, shop.another(lossy), at=START)
        assert not committed.already_applied
        assert len(lossy.requests) == 3
        assert lossy.requests[0] == lossy.requests[1] == lossy.requests[2]
        assert shop.read(NINE).qty == 8

    def test_an_outcome_that_stays_unknown(self, shop: Shop) -> None:
        lossy = Lossy(shop.client, 100)
        with pytest.raises(OutcomeUnknown) as unknown:
            place(shop, shop.another(lossy), at=START)
        assert unknown.value.token == lossy.requests[0]["ClientRequestToken"]


class Lossy:
    """A client whose first transactions are applied, but their answers lost."""

    def __init__(self, client: Any, lost: int) -> None:
        self._client = client
        self._lost = lost
        self.requests: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def transact_write_items(self, **parameters: Any) -> Any:
        self.requests.append(parameters)
        answer: Any = None
        try:
            answer = self._client.transact_write_items(**parameters)
        finally:
            if self._lost:
                self._lost -= 1
                raise timed_out()
        return answer


class TestFrozen:
    def test_it_survives_json(self, shop: Shop) -> None:
        tx = shop.session.transaction("op", at=START, remember=timedelta(days=2))
        tx.create(order(tags={"b", "a"}))
        tx.change(NINE, F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
        frozen = tx.freeze()
        text = frozen.to_json()
        assert FrozenTransaction.from_json(text, App) == frozen
        assert FrozenTransaction.from_json(text, App).to_json() == text
        assert not shop.another().commit(FrozenTransaction.from_json(text, App)).already_applied
        assert shop.read(REF).tags == {"a", "b"}
        assert shop.another().commit(FrozenTransaction.from_json(text, App)) is not None
        assert shop.read(NINE).qty == 8

    def test_its_failures_still_speak_of_entities(self, shop: Shop) -> None:
        tx = shop.session.transaction("op", at=START)
        tx.create(order())
        text = tx.freeze().to_json()
        shop.session.create(order(note="first"))
        with pytest.raises(AlreadyExists, match="Order TENANT#42#ORDER#991 / META") as exists:
            shop.session.commit(FrozenTransaction.from_json(text, App))
        assert exists.value.current == shop.read(REF)

    def test_it_needs_the_tables_it_speaks_of(self, shop: Shop) -> None:
        tx = shop.session.transaction("op", at=START)
        tx.create(order())
        with pytest.raises(WriteRefused, match="about Order of App"):
            FrozenTransaction.from_json(tx.freeze().to_json())

    def test_what_is_none_is_refused_in_one_line(self, shop: Shop) -> None:
        tx = shop.session.transaction("op", at=START, remember=timedelta(days=1))
        tx.create(order())
        text = tx.freeze().to_json()
        whole = json.loads(text)
        assert FrozenTransaction.from_json(text, App).actions == tx.freeze().actions
        given: list[Any] = ["", "[]", "{}", "null", "7", '{"format": 2}', "[" * 100_000, None, 7, text[:-1]]
        for name in ("operation", "token", "record", "actions"):
            for value in (None, 7, [], {}, "x", [7], [{}]):
                if (name, value) not in (("record", None), ("operation", "x"), ("token", "x")):
                    given.append(json.dumps({**whole, name: value}))
            given.append(json.dumps({one: value for one, value in whole.items() if one != name}))
        for name in whole["actions"][0]:
            for value in (None, 7, [], {}, [7], {"is": "x"}):
                given.append(json.dumps({**whole, "actions": [{**whole["actions"][0], name: value}]}))
        for one in given:
            with pytest.raises(WriteRefused, match="no frozen transaction"):
                FrozenTransaction.from_json(one, App)

    def test_committed_it_brings_its_entities_up_to_date(self, shop: Shop) -> None:
        made, stock = order(), Stock(sku="9", qty=1)
        shop.session.put(stock)
        stock.qty = 5
        tx = shop.session.transaction("op", at=START)
        tx.create(made)
        tx.update(stock)
        frozen = tx.freeze()
        tx.delete(Note.key(id="later"))
        assert made.version == 0
        assert pickle.loads(pickle.dumps(frozen)) == frozen
        shop.session.commit(frozen)
        assert made.version == 1
        made.note = "changed after"
        shop.session.update(made)
        assert shop.session.update(stock) is False
        assert shop.read(REF).note == "changed after"


class TestReading:
    def test_several_items_as_of_one_moment(self, shop: Shop) -> None:
        placed = order()
        shop.session.create(placed)
        found = shop.session.transact_get([NINE, Stock.key(sku="8"), REF])
        assert found == [Stock(sku="9", qty=10), None, placed]
        assert shop.session.transact_get([]) == []
        with pytest.raises(ReadRefused, match="at most 100"):
            shop.session.transact_get([Stock.key(sku=str(number)) for number in range(101)])

    def test_a_key_asked_for_twice_is_read_once(self, shop: Shop) -> None:
        shop.session.put(Stock(sku="9", qty=10))
        eight = Stock.key(sku="8")
        found = shop.session.transact_get([NINE, eight, NINE, eight])
        assert found == [Stock(sku="9", qty=10), None, Stock(sku="9", qty=10), None]
        assert found[0] is not found[2]

    def test_what_stands_in_the_way_is_named(self) -> None:
        conflict = cancelled("None", "TransactionConflict")
        client = ScriptedClient([conflict, conflict])
        session = Session(client, retries=Retries(attempts=2), sleep=lambda _: None)
        with pytest.raises(
            TransactionFailed, match=r"^nothing was read: Stock .*8.*: TransactionConflict$"
        ) as failed:
            session.transact_get([NINE, Stock.key(sku="8")])
        assert [(one.position, one.code) for one in failed.value.reasons] == [(1, "TransactionConflict")]
        assert len(client.requests) == 2
