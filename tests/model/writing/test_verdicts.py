"""After a lost answer: what the item that is found says about the write."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.model.writing.by_hand import START, Clock, Hand, condition_failed, context, lost
from tests.model.writing.shop import Draft, Note, Order, Stock, order

from partita.model import F, item_of
from partita.model.errors import AlreadyExists, ConditionFailed, NotStored, OutcomeUnknown, StaleVersion
from partita.model.flows.flow import Flow
from partita.model.writing import writes
from partita.model.writing.changing import plan_change
from partita.model.writing.planning import may_repeat, plan_create

LATER = START + timedelta(minutes=1)


def stored(entity: Any, **changes: Any) -> dict[str, Any]:
    return item_of(entity.model_copy(update=changes))


def read(entity: Any, **values: Any) -> Any:
    """The entity as it is after it was read."""
    return entity.__schema__.decode(stored(entity, **values))


CREATIONS: list[Any] = [
    # Told apart by the time of creation, as far as it does: others may have written at the same time.
    (Note(id="1", text="x"), {"at": START}, None),
    (Note(id="1", text="x"), {"at": START, "text": "theirs, or changed since"}, OutcomeUnknown),
    (order(), {"version": 1, "created": START, "updated": START}, None),
    (order(), {"version": 1, "created": START, "updated": START, "note": "theirs"}, AlreadyExists),
    (order(), {"version": 2, "created": START, "updated": LATER, "note": "changed since"}, None),
    (order(), {"version": 2, "created": LATER, "updated": LATER}, AlreadyExists),
    (Note(id="1", text="x"), {"at": LATER}, AlreadyExists),
    # Without: what is equal may be another's; a first version that differs is.
    (Draft(id="1", text="x"), {"version": 1}, OutcomeUnknown),
    (Draft(id="1", text="x"), {"version": 1, "text": "y"}, AlreadyExists),
    (Draft(id="1", text="x"), {"version": 2, "text": "y"}, OutcomeUnknown),
    (Stock(sku="9", qty=1), {}, OutcomeUnknown),
    (Stock(sku="9", qty=1), {"qty": 2}, OutcomeUnknown),
]


@pytest.mark.parametrize(("entity", "found", "expected"), CREATIONS)
def test_creations(entity: Any, found: dict[str, Any], expected: type[Exception] | None) -> None:
    mine = entity.model_copy()
    hand = Hand(writes.create(context(), mine), [lost(), condition_failed(stored(entity, **found))])
    run(hand, expected)
    assert (mine._stored is not None) is (expected is None)


UPDATES: list[Any] = [
    # The next version is ours if it is the same in all, the time included.
    (Order, {"version": 4, "note": "mine", "updated": START}, None),
    (Order, {"version": 4, "note": "mine", "updated": LATER}, StaleVersion),
    (Order, {"version": 4, "note": "theirs", "updated": START}, StaleVersion),
    (Order, {"version": 5, "note": "mine", "updated": START}, OutcomeUnknown),
    (Draft, {"version": 4, "text": "mine"}, OutcomeUnknown),
    (Draft, {"version": 4, "text": "theirs"}, StaleVersion),
    (Draft, {"version": 5, "text": "theirs"}, OutcomeUnknown),
]


@pytest.mark.parametrize("write", [writes.put, writes.update])
@pytest.mark.parametrize(("kind", "found", "expected"), UPDATES)
def test_updates(write: Any, kind: Any, found: dict[str, Any], expected: type[Exception] | None) -> None:
    entity = order(created=START) if kind is Order else Draft(id="1", text="x")
    mine = read(entity, version=3)
    before = mine.model_copy()
    setattr(mine, "note" if kind is Order else "text", "mine")
    hand = Hand(write(context(), mine, None), [lost(), condition_failed(stored(entity, **found))])
    run(hand, expected)
    assert mine.version == (4 if expected is None else 3)
    assert (mine._stored == before._stored) is (expected is not None)


@pytest.mark.parametrize("write", [writes.put, writes.update, writes.delete])
def test_an_item_that_is_gone_says_nothing(write: Any) -> None:
    mine = read(Draft(id="1", text="x"), version=3)
    mine.text = "mine"
    with pytest.raises(OutcomeUnknown):
        Hand(write(context(), mine, None), [lost(), condition_failed(None)]).run()
    with pytest.raises(NotStored):
        Hand(write(context(), mine, None), [condition_failed(None)]).run()


def test_a_delete_that_still_finds_an_item_was_not_applied() -> None:
    mine = read(Draft(id="1", text="x"), version=3)
    found = condition_failed(stored(Draft(id="1", text="y"), version=4))
    with pytest.raises(StaleVersion):
        Hand(writes.delete(context(), mine, None), [lost(), found]).run()


@pytest.mark.parametrize(
    ("updates", "when", "requests"),
    [
        ([F(Stock).name.set("x")], None, 2),
        ([F(Stock).name.set("x"), F(Stock).sizes.set({"s": 1})], None, 2),
        ([F(Stock).qty.add(1)], None, 1),
        ([F(Stock).name.set_default("x")], None, 1),
        ([F(Stock).name.set("x")], F(Stock).qty > 1, 1),
    ],
)
def test_a_change_goes_again_only_if_twice_is_once(updates: Any, when: Any, requests: int) -> None:
    answer = {"Attributes": stored(Stock(sku="9", qty=1))}
    flow: Flow[Stock] = writes.change(context(), Stock.key(sku="9"), updates, when, False)
    hand = Hand(flow, [lost(), answer])
    run(hand, None if requests == 2 else OutcomeUnknown)
    assert len(hand.calls) == requests


def test_a_change_of_a_versioned_entity_does_not_go_again() -> None:
    plan = plan_change(context(), Draft.key(id="1"), [F(Draft).text.set("x")])
    assert not plan.repeats


def test_elements_of_lists_are_not_set_twice() -> None:
    assert may_repeat([F(Order).note.set("x"), F(Order).address.city.set("x")])
    assert not may_repeat([F(Order).lines[0].qty.set(1)])
    assert not may_repeat([F(Order).lines[0].remove()])
    assert not may_repeat([F(Order).total.add(Decimal(1))])


def test_an_update_without_a_version_goes_again_if_twice_is_once() -> None:
    stock = read(Stock(sku="9", qty=1))
    stock.name = "x"
    hand = Hand(writes.update(context(), stock, None), [lost(), {}])
    assert hand.run() is True
    assert hand.calls[0] == hand.calls[1]


def test_an_uncertain_write_is_noted_as_such() -> None:
    setting = context()
    with pytest.raises(OutcomeUnknown):
        Hand(writes.change(setting, Stock.key(sku="9"), (F(Stock).qty.add(1),), None, False), [lost()]).run()
    (note,) = setting.written.of("app")
    assert not note.known
    Hand(writes.create(setting, Stock(sku="9", qty=1)), [{}]).run()
    Hand(writes.delete(setting, Stock.key(sku="8"), None), [{}]).run()
    created, deleted = setting.written.of("app")
    assert (created.known, created.item) == (True, item_of(Stock(sku="9", qty=1)))
    assert (deleted.known, deleted.item) == (True, None)


def test_the_actions_ask_for_the_stored_item() -> None:
    (action,) = plan_create(context(clock=Clock()), order()).actions
    assert action.parameters["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD"
    assert action.parameters["ConditionExpression"] == "attribute_not_exists(#PK)"
    assert action.subject == "Order TENANT#42#ORDER#991 / META"


def run(hand: Hand, expected: type[Exception] | None) -> None:
    if expected is None:
        hand.run()
    else:
        with pytest.raises(expected) as raised:
            hand.run()
        assert type(raised.value) is expected or expected is ConditionFailed
