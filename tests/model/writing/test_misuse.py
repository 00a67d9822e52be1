"""What cannot be meant is refused in one line, before anything is sent."""

from __future__ import annotations

import copy
import pickle
import traceback
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.model.writing.by_hand import Clock
from tests.model.writing.conftest import Shop
from tests.model.writing.scripted import ScriptedClient, refused
from tests.model.writing.shop import App, Note, Order, Stock, order

from partita.model import Entity, F, FrozenTransaction, Key, Session
from partita.model.errors import (
    AlreadyExists,
    Clash,
    ExpressionError,
    ModelError,
    OutcomeUnknown,
    ReadRefused,
    Reason,
    ServiceError,
    TableDiffers,
    TransactionFailed,
    UniqueViolation,
    Unprocessed,
    WriteRefused,
)


class Base(Entity):
    """Without a key."""

    id: str


class BigStock(Stock, table=App):
    """A kind of Stock."""

    key = Key("BIG#{sku}", "BIG")


@pytest.fixture
def silent() -> Session:
    """A session whose client answers nothing: a request would be an IndexError."""
    return Session(ScriptedClient(), now=Clock())


def stock(number: int = 1) -> Stock:
    return Stock(sku="9", qty=number)


KEY = Stock.key(sku="9")
OTHERS: list[Callable[[Session], Any]] = [
    lambda s: s.change(KEY, F(Note).text.set("x")),
    lambda s: s.change(KEY, F(Stock).qty.add(1), when=F(Order).note == "x"),
    lambda s: s.change(Order.key(tenant="1", id="1"), F(Note).text.set("x")),
    lambda s: s.put(stock(), when=F(Order).address.city == "x"),
    lambda s: s.delete(KEY, when=~(F(Order).lines[0].sku == "x")),
    lambda s: s.check(KEY, F(Order).lines.size() > 1),
    lambda s: s.transaction().check(KEY, F(Stock).name.exists() & F(Order).note.exists()),
    lambda s: s.query(Stock, KEY, filter=F(Order).note == "x"),
    lambda s: list(s.scan_everything(App, of=[Stock], filter=F(Order).note == "x")),
]


@pytest.mark.parametrize("write", OTHERS)
def test_fields_of_another_entity(silent: Session, write: Any) -> None:
    with pytest.raises(ExpressionError, match=r"field of (Note|Order), and this is about (Stock|Order)"):
        write(silent)


def test_fields_of_a_base_are_those_of_its_subclasses(shop: Shop) -> None:
    shop.session.put(BigStock(sku="9", qty=1), when=F(Stock).qty.not_exists())
    changed = shop.session.change(BigStock.key(sku="9"), F(Stock).qty.add(1), when=F(BigStock).qty == 1)
    assert changed.qty == 2


KINDS: list[Callable[[Session], Any]] = [
    lambda s: s.put({"sku": "9"}),
    lambda s: s.put(None),
    lambda s: s.create(Stock),
    lambda s: s.create(KEY),
    lambda s: s.create(Base(id="1")),
    lambda s: s.update("x"),
    lambda s: s.delete("x"),
    lambda s: s.delete(Stock),
    lambda s: s.check({"sku": "9"}),
    lambda s: s.change(stock(), F(Stock).qty.add(1)),
    lambda s: s.change("x", F(Stock).qty.add(1)),
    lambda s: s.change(KEY, {"qty": 1}),
    lambda s: s.put(stock(), when=True),
    lambda s: s.put(stock(), when="qty = 1"),
    lambda s: s.batch_write(put=[{"sku": "9"}]),
    lambda s: s.batch_write(put=stock()),
    lambda s: s.batch_write(delete=["x"]),
    lambda s: s.batch_write(delete=KEY),
    lambda s: s.batch_write(put=[stock()], duplicates="zz"),
    lambda s: s.transact_get(["x"]),
    lambda s: s.transact_get(KEY),
    lambda s: s.transact_get("x"),
    lambda s: s.transaction(""),
    lambda s: s.transaction(5),
    lambda s: s.transaction("x", at="2026-01-01"),
    lambda s: s.transaction("x", at=datetime(2026, 1, 1)),
    lambda s: s.transaction("x", remember=60),
    lambda s: s.transaction("x", remember=timedelta(days=-1)),
    lambda s: FrozenTransaction.from_json(s.transaction("x").freeze().to_json(), Stock),
    lambda s: s.repair([]),
    lambda s: s.commit(s.transaction()),
    lambda s: s.transaction().put({}),
    lambda s: s.transaction().delete("x"),
    lambda s: s.transaction().create(Order),
    lambda s: s.create_table(dict),
    lambda s: s.ensure_table("app"),
    lambda s: s.audit(Stock),
    lambda s: Session(ScriptedClient(), tables={"typo": "x"}),
    lambda s: Session(ScriptedClient(), tables={App: 1}),
    lambda s: type(Entity)("Odd", (Entity,), {"__module__": __name__}, table=dict),
]


@pytest.mark.parametrize("write", KINDS)
def test_arguments_of_a_wrong_kind(silent: Session, write: Any) -> None:
    with pytest.raises((WriteRefused, ReadRefused, ExpressionError, TypeError)) as refusal:
        write(silent)
    message = str(refusal.value)
    assert "\n" not in message
    assert "object has no attribute" not in message
    assert len(message) < 200


def test_an_entity_under_another_key_than_it_was_read_from(shop: Shop) -> None:
    for sku in ("5", "6"):
        shop.session.put(Stock(sku=sku, qty=1))
    read = shop.session.get(Stock, sku="5", consistent=True)
    assert read is not None
    read.sku = "6"
    writes: list[Callable[[], Any]] = [
        lambda: shop.session.delete(read),
        lambda: shop.session.put(read),
        lambda: shop.session.batch_write(put=[read]),
        lambda: shop.session.transaction().put(read),
        lambda: shop.session.check(read),
        lambda: shop.session.batch_write(delete=[read]),
        lambda: shop.session.transaction().delete(read),
    ]
    for write in writes:
        with pytest.raises(WriteRefused, match="its primary key is"):
            write()
    assert shop.stored(Stock.key(sku="6")) is not None
    read.sku = "7"
    with shop.session.transaction() as tx:
        tx.delete(Stock.key(sku="5"))
        tx.create(read)
    assert shop.stored(Stock.key(sku="5")) is None
    read.qty = 2
    shop.session.put(read)
    assert shop.read(Stock.key(sku="7")).qty == 2


@pytest.mark.parametrize("fails", [False, True])
def test_nothing_is_added_to_a_transaction_that_has_ended(shop: Shop, fails: bool) -> None:
    try:
        with shop.session.transaction() as tx:
            tx.create(Stock(sku="1", qty=1))
            if fails:
                raise KeyError
    except KeyError:
        pass
    with pytest.raises(WriteRefused, match="has ended"):
        tx.create(Stock(sku="2", qty=1))
    with pytest.raises(WriteRefused, match="has ended"):
        shop.session.run(lambda context: tx.as_flow())
    with pytest.raises(WriteRefused, match="has ended"), tx:
        pass
    assert (shop.stored(Stock.key(sku="1")) is None) is fails


ERRORS: list[ModelError] = [
    AlreadyExists("m", order()),
    UniqueViolation("m", [Clash("email", "x", {"PK": {"S": "x"}})]),
    TransactionFailed("m", [Reason(1, "Order", "ConditionalCheckFailed", AlreadyExists("n", None))]),
    ServiceError("Throttled", "slow"),
    Unprocessed("m", ["x"]),
    TableDiffers("m", ["one"]),
    OutcomeUnknown("m", "token"),
    WriteRefused("m"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("through", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_errors_survive(error: ModelError, through: Any) -> None:
    again = through(error)
    assert type(again) is type(error)
    assert (str(again), again.args) == (str(error), error.args)
    assert repr(vars(again)) == repr(vars(error))


def test_a_service_error_shows_the_clients_own_and_nothing_between() -> None:
    session = Session(ScriptedClient([refused("ResourceNotFoundException", message="no table")]), now=Clock())
    with pytest.raises(ServiceError) as caught:
        session.put(stock())
    shown = "".join(traceback.format_exception(caught.value))
    assert shown.count("Traceback") == 2
    assert caught.value.__cause__.response["Error"]["Message"] == "no table"  # type: ignore[union-attr]


def test_a_failed_condition_is_shown_alone(shop: Shop) -> None:
    shop.session.put(stock())
    with pytest.raises(AlreadyExists) as caught:
        shop.session.create(stock())
    assert "".join(traceback.format_exception(caught.value)).count("Traceback") == 1
