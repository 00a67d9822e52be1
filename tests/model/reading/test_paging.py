"""Pages of sharded ranges, joined, are all items in order: nothing twice, nothing lost."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.counts import MERGED_PAGES, OWN_WRITES
from tests.model.reading.driving import Hand
from tests.model.reading.tables import TABLE_KEY, database, item, key_item, shards

from partita.model.expressions.conditions import AttributeAt, Comparison, Value
from partita.model.flows.retries import Retries
from partita.model.flows.written import Note
from partita.model.reading import cursors
from partita.model.reading.partitions import Question, RangeReading, Stretch
from partita.model.reading.ranges import holds, rank_of
from partita.model.schema import Item

FLAGGED = Comparison(AttributeAt(("flag",)), "=", Value({"N": "1"}))

PLACES: dict[str, st.SearchStrategy[Any]] = {
    "S": st.text("aé\U0001f600\uffff", min_size=1, max_size=2),
    "N": st.sampled_from(["-10", "-9.5", "0", "2", "10", "1.5"]),
    "B": st.binary(min_size=1, max_size=2),
}


@dataclass(frozen=True)
class Change:
    """One write: the item is put where it says, or deleted."""

    key: str
    shard: int
    place: Any
    flag: str
    deletes: bool


@dataclass(frozen=True)
class Case:
    """A history and a way to read what it left."""

    kind: str
    count: int
    newest_first: bool
    limit: int | None
    filtered: bool
    before: list[Change]
    """Written long before the first page."""
    just_now: list[Change]
    """Written right before it, by the session that reads."""
    waits_ms: list[int]
    """Between pages."""
    seed: int


@st.composite
def cases(draw: st.DrawFn) -> Case:
    kind = draw(st.sampled_from("SNB"))
    count = draw(st.sampled_from([1, 2, 3, 5]))
    change = st.builds(
        Change,
        st.integers(0, 11).map("k{}".format),
        st.integers(0, count),
        PLACES[kind],
        st.sampled_from("01"),
        st.booleans(),
    )
    return Case(
        kind,
        count,
        draw(st.booleans()),
        draw(st.sampled_from([1, 2, 3, 5, 20, None])),
        draw(st.booleans()),
        draw(st.lists(change, max_size=14)),
        draw(st.lists(change, max_size=8)),
        draw(st.lists(st.integers(0, 8), min_size=1, max_size=6)),
        draw(st.integers(0, 50)),
    )


def apply(hand: Hand, case: Case, changes: list[Change], state: dict[str, Item]) -> list[Note]:
    """Makes the changes; gives what is known of them afterwards."""
    written: dict[str, Item | None] = {}
    for change in changes:
        if change.deletes:
            hand.client.delete_item(TableName="app", Key=key_item(change.key))
            state.pop(change.key, None)
            written[change.key] = None
        else:
            put = item(change.key, change.shard, change.place, case.kind, flag=change.flag)
            hand.client.put_item(TableName="app", Item=put)
            state[change.key] = written[change.key] = put
    return [Note(key_item(key), stored) for key, stored in written.items()]


def joined(hand: Hand, case: Case, recent: list[Note] | None) -> list[Item]:
    """All pages, one after the other, each from the cursor of the one before, sent through JSON."""
    range_ = shards(case.count, case.kind)
    filter_ = FLAGGED if case.filtered else None
    question = Question(range_, case.newest_first, filter_=filter_, recent=recent)
    items: list[Item] = []
    places = None
    for number in range(100):
        page: Stretch = hand.run(RangeReading(question, Retries(), places).page(case.limit, 1000))
        assert case.limit is None or len(page.items) == case.limit or page.places is None
        items += page.items
        if page.places is None:
            return items
        text = json.loads(json.dumps({"next": cursors.encode(page.places, b"12345678")}))["next"]
        places = cursors.decode(text, b"12345678", None, case.count, range_.position, TABLE_KEY)
        hand.database.clock.advance(case.waits_ms[number % len(case.waits_ms)] / 1000)
    raise AssertionError("paging does not end")


def check(case: Case, items: list[Item], state: dict[str, Item]) -> None:
    range_ = shards(case.count, case.kind)
    wanted = {
        key: stored
        for key, stored in state.items()
        if holds(range_, stored) and (not case.filtered or stored["flag"] == {"N": "1"})
    }
    keys = [read["PK"]["S"] for read in items]
    assert sorted(keys) == sorted(wanted)
    assert all(read == wanted[read["PK"]["S"]] for read in items)
    ranks = [rank_of(range_, read) for read in items]
    assert ranks == sorted(ranks, reverse=case.newest_first)


@given(case=cases())
@settings(max_examples=MERGED_PAGES)
def test_pages_joined_are_all_items_in_order(case: Case) -> None:
    with database(case.kind, seed=case.seed) as made:
        hand, state = Hand(made), dict[str, Item]()
        apply(hand, case, case.before, state)
        check(case, joined(hand, case, None), state)


@given(case=cases())
@settings(max_examples=OWN_WRITES)
def test_including_what_was_written_is_as_good_as_a_strong_read(case: Case) -> None:
    with database(case.kind, seed=case.seed, profile="aws") as made:
        hand, state = Hand(made), dict[str, Item]()
        apply(hand, case, case.before, state)
        made.clock.advance(1)
        recent = apply(hand, case, case.just_now, state)
        check(case, joined(hand, case, recent), state)


def test_without_including_an_index_that_lags_shows_less() -> None:
    case = Case("S", 1, False, None, False, [], [Change("k", 0, "a", "1", False)], [0], 0)
    with database(profile="aws") as made:
        hand = Hand(made)
        recent = apply(hand, case, case.just_now, {})
        assert joined(hand, case, None) == []
        assert [read["PK"]["S"] for read in joined(hand, case, recent)] == ["k"]


def test_an_included_item_is_not_repeated_when_the_index_catches_up_between_pages() -> None:
    """Not even when the session has forgotten its write by then, and others stand at the same place."""
    with database(profile="aws", seed=3) as made:
        hand = Hand(made)
        for key in "abc":
            hand.client.put_item(TableName="app", Item=item(key, 0, "same"))
        made.clock.advance(1)
        new = item("new", 0, "same")
        hand.client.put_item(TableName="app", Item=new)
        recent = [Note(key_item("new"), new)]
        first = hand.run(RangeReading(Question(shards(1), recent=recent), Retries()).page(1, 10))
        assert [read["PK"]["S"] for read in first.items] == ["new"]
        made.clock.advance(1)
        rest = hand.run(RangeReading(Question(shards(1), recent=[]), Retries(), first.places).page(None, 10))
        assert sorted(read["PK"]["S"] for read in rest.items) == ["a", "b", "c"]


def test_all_partitions_are_asked_at_once_and_each_once() -> None:
    with database() as made:
        hand = Hand(made)
        for number in range(40):
            hand.client.put_item(TableName="app", Item=item(f"k{number}", number % 4, f"{number:02}"))
        page = hand.run(RangeReading(Question(shards(4)), Retries()).page(10, 100))
        assert [read["GS"]["S"] for read in page.items] == [f"{number:02}" for number in range(10)]
        assert hand.rounds == [4]
        assert page.consumed.requests == 4


def test_a_reading_that_goes_on_asks_nothing_twice() -> None:
    with database() as made:
        hand = Hand(made)
        for number in range(40):
            hand.client.put_item(TableName="app", Item=item(f"k{number}", number % 4, f"{number:02}"))
        reading = RangeReading(Question(shards(4)), Retries())
        read: list[str] = []
        while not reading.exhausted:
            read += [found["GS"]["S"] for found in hand.run(reading.page(9, 100)).items]
        assert read == [f"{number:02}" for number in range(40)]
        assert sum(call.parameters["Limit"] for call in hand.calls) < 80


@pytest.mark.parametrize("newest_first", [False, True])
def test_equal_places_keep_the_order_of_their_partitions(newest_first: bool) -> None:
    with database() as made:
        hand = Hand(made)
        for shard in range(3):
            hand.client.put_item(TableName="app", Item=item(f"k{shard}", shard, "same"))
        page = hand.run(RangeReading(Question(shards(3), newest_first), Retries()).page(2, 100))
        assert [read["PK"]["S"] for read in page.items] == ["k0", "k1"]


class TestFilterAndLimit:
    """A filter leaves out what was read already: the page is filled up, within bounds."""

    RARE = Question(shards(1), filter_=FLAGGED)

    @pytest.fixture
    def hand(self) -> Any:
        with database() as made:
            hand = Hand(made)
            for number in range(100):
                flag = "1" if number % 25 == 24 else "0"
                hand.client.put_item(TableName="app", Item=item(f"k{number}", 0, f"{number:02}", flag=flag))
            yield hand

    def test_it_asks_until_the_page_is_full(self, hand: Hand) -> None:
        page = hand.run(RangeReading(self.RARE, Retries()).page(2, 100))
        assert [read["GS"]["S"] for read in page.items] == ["24", "49"]
        assert not page.stopped
        # Each request looks at more, as matches prove rare: 2 + 4 + 8 + 16 + …
        assert page.consumed.requests <= 7

    def test_it_stops_at_the_bound_and_says_how_far_it_came(self, hand: Hand) -> None:
        page = hand.run(RangeReading(self.RARE, Retries()).page(2, 3))
        assert page.items == []
        assert page.stopped
        assert page.consumed.requests == 3
        assert page.evaluated == 2 + 4 + 8
        rest = hand.run(RangeReading(self.RARE, Retries(), page.places).page(1, 100))
        assert [read["GS"]["S"] for read in rest.items] == ["24"]

    def test_an_item_found_beyond_the_limit_is_on_the_next_page(self, hand: Hand) -> None:
        read: list[str] = []
        places = None
        while True:
            page = hand.run(RangeReading(self.RARE, Retries(), places).page(1, 100))
            read += [found["GS"]["S"] for found in page.items]
            places = page.places
            if places is None:
                break
        assert read == ["24", "49", "74", "99"]


class TestFetching:
    """Items of an index that holds only part of them are read from the table afterwards."""

    def test_what_left_the_range_meanwhile_is_left_out_and_the_page_filled_up(self) -> None:
        with database(profile="aws") as made:
            hand = Hand(made)
            for number in range(6):
                hand.client.put_item(TableName="app", Item=item(f"k{number}", 0, f"{number}"))
            made.clock.advance(1)
            hand.client.delete_item(TableName="app", Key=key_item("k0"))
            hand.client.put_item(TableName="app", Item=item("k1", 1, "1"))
            page = hand.run(RangeReading(Question(shards(1), fetch=True), Retries()).page(3, 100))
            assert [read["PK"]["S"] for read in page.items] == ["k2", "k3", "k4"]
            assert page.extra.requests == 2
            assert page.consumed.requests == 4
