"""Batches: 25 at a time, what is unprocessed again, what is left raised."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.model.writing.by_hand import Hand, context, lost, throttled

from partita.model.errors import Unprocessed
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, NotSent, Refused
from partita.model.flows.progress import Bar, progress_of
from partita.model.flows.retries import Retries
from partita.model.writing.batches import BatchWrite, distinct, write_batches

settled: list[int] = []


def put(n: int, table: str = "app") -> BatchWrite:
    key = {"PK": {"S": str(n)}, "SK": {"N": "1"}}
    return BatchWrite(table, key, key | {"n": {"N": str(n)}}, n, lambda: settled.append(n))


def delete(n: int) -> BatchWrite:
    key = {"PK": {"S": str(n)}, "SK": {"N": "1"}}
    return BatchWrite("app", key, None, n, lambda: settled.append(n))


def sizes(hand: Hand) -> list[int]:
    return [sum(map(len, call.parameters["RequestItems"].values())) for call in hand.calls]


def nothing(done: int, total: int) -> None: ...


@pytest.fixture(autouse=True)
def fresh() -> None:
    settled.clear()


def leaving(count: int) -> Callable[[Call], Any]:
    """An answer that leaves the last `count` requests of each table unprocessed."""

    def answer(call: Call) -> Any:
        left = {table: requests[-count:] for table, requests in call.parameters["RequestItems"].items()}
        return {"UnprocessedItems": left if count else {}}

    return answer


def test_25_at_a_time_in_order() -> None:
    hand = Hand(write_batches(context(), [put(n) for n in range(60)], nothing), [{}] * 3)
    hand.run()
    assert sizes(hand) == [25, 25, 10]
    assert hand.pauses == []
    assert settled == list(range(60))


def test_puts_and_deletes_of_several_tables_share_a_batch() -> None:
    hand = Hand(write_batches(context(), [put(1), delete(2), put(3, "other")], nothing), [{}])
    hand.run()
    assert hand.calls[0].parameters == {
        "RequestItems": {
            "app": [{"PutRequest": {"Item": put(1).item}}, {"DeleteRequest": {"Key": delete(2).key}}],
            "other": [{"PutRequest": {"Item": put(3).item}}],
        }
    }


def test_unprocessed_ones_go_first_in_the_next_batch_after_a_pause() -> None:
    hand = Hand(write_batches(context(), [put(n) for n in range(40)], nothing), [leaving(5), leaving(0), {}])
    hand.run()
    assert sizes(hand) == [25, 20]
    assert hand.pauses == [0.05]
    assert settled == list(range(40))


def test_pauses_grow_only_while_nothing_is_processed() -> None:
    hand = Hand(
        write_batches(context(), [put(n) for n in range(3)], nothing),
        [leaving(3), leaving(3), throttled(), leaving(2), leaving(2), leaving(1), {}],
    )
    hand.run()
    assert hand.pauses == [0.05, 0.1, 0.2, 0.05, 0.1, 0.05]


@pytest.mark.parametrize("failure", [throttled(), lost(), NotSent("no")])
def test_a_batch_that_failed_as_a_whole_goes_again(failure: Exception) -> None:
    hand = Hand(write_batches(context(), [put(n) for n in range(30)], nothing), [failure, {}, {}])
    hand.run()
    assert sizes(hand) == [25, 25, 5]
    assert settled == list(range(30))


def test_what_is_left_is_raised() -> None:
    flow = write_batches(context(Retries(attempts=3)), [put(n) for n in range(30)], nothing)
    with pytest.raises(Unprocessed, match=r"^15 items of the batch could not be written") as left:
        Hand(flow, [leaving(10), leaving(15), leaving(15), leaving(15)]).run()
    assert sorted(left.value.left) == list(range(15, 30))
    assert settled == list(range(15))


def test_an_error_that_will_not_pass_ends_it() -> None:
    flow = write_batches(context(), [put(n) for n in range(30)], nothing)
    with pytest.raises(Unprocessed, match="ValidationException: too big") as left:
        Hand(flow, [{}, Refused("ValidationException", "too big")]).run()
    assert left.value.left == (25, 26, 27, 28, 29)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    flow = write_batches(
        context(), [put(n) for n in range(40)], lambda done, total: told.append((done, total))
    )
    Hand(flow, [leaving(5), {}]).run()
    assert told == [(0, 40), (20, 40), (40, 40)]


def test_two_writes_of_one_item_are_refused_or_the_last_wins() -> None:
    writes = [put(1), put(2), delete(1), put(1, "other")]
    with pytest.raises(ValueError, match="two writes of a batch"):
        distinct(writes, "refuse")
    assert [(write.table, write.of, write.item is None) for write in distinct(writes, "last")] == [
        ("app", 2, False),
        ("app", 1, True),
        ("other", 1, False),
    ]


@pytest.mark.parametrize("seed", range(30))
def test_each_item_is_written_once_known_whatever_comes_back(seed: int) -> None:
    chance = Random(seed)
    stored: set[str] = set()

    def serve(call: Call) -> Any:
        if chance.random() < 0.2:
            return chance.choice([throttled(), NotSent("no")])
        (requests,) = call.parameters["RequestItems"].values()
        keep = [request for request in requests if chance.random() < 0.6]
        stored.update(r["PutRequest"]["Item"]["PK"]["S"] for r in requests if r not in keep)
        return {"UnprocessedItems": {"app": keep} if keep else {}}

    count = chance.randrange(1, 120)
    setting: Context = context(Retries(attempts=10_000))
    Hand(write_batches(setting, [put(n) for n in range(count)], nothing), [serve] * 10_000).run()
    assert stored == {str(n) for n in range(count)}
    assert sorted(settled) == list(range(count))
    assert len(setting.written.of("app")) == count


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_is_drawn_in_a_terminal_only() -> None:
    terminal = Terminal()
    bar = progress_of(True, terminal)
    for done in range(1001):
        bar(done, 1000)
    assert terminal.getvalue().count("\r") == 101
    assert terminal.getvalue().endswith("\r[" + "#" * 40 + "] 100% 1,000 / 1,000\n")
    assert "50% 500 / 1,000" in terminal.getvalue()
    file = io.StringIO()
    progress_of(True, file)(1, 2)
    progress_of(False, Terminal())(1, 2)
    assert file.getvalue() == ""
    assert progress_of(nothing) is nothing
    assert isinstance(progress_of(True, terminal), Bar)


def test_without_a_console_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    progress_of(True)(1, 2)
