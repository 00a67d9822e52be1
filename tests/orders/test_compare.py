"""What the comparison with the naive version claims, on few orders."""

from __future__ import annotations

import pytest
from examples.orders.compare import Compared, Cost, compare, costs_table, races_table
from examples.orders.races import races
from tests.clients.server_process import serve

FEW, MORE = 100, 400


@pytest.fixture(scope="module")
def few() -> dict[str, Compared]:
    return {one.pattern: one for one in compare(FEW, runs=10)}


@pytest.fixture(scope="module")
def more() -> dict[str, Compared]:
    return {one.pattern: one for one in compare(MORE, runs=10)}


def naive(of: dict[str, Compared], pattern: str) -> Cost:
    cost = of[pattern].naive
    assert cost is not None
    return cost


def toolkit(of: dict[str, Compared], pattern: str) -> Cost:
    cost = of[pattern].toolkit
    assert cost is not None
    return cost


@pytest.mark.parametrize(
    ("pattern", "of_naive", "of_toolkit"),
    [
        ("order page", 3, 1),
        ("orders of a customer", 1, 1),
        ("pending orders", 1, 4),
        ("place an order of two lines", 6, 3),
        ("take from the stock", 2, 1),
        ("register an account", 2, 1),
    ],
)
def test_requests(more: dict[str, Compared], pattern: str, of_naive: int, of_toolkit: int) -> None:
    assert naive(more, pattern).requests == of_naive
    assert toolkit(more, pattern).requests == of_toolkit


@pytest.mark.parametrize("pattern", ["orders of a customer", "pending orders"])
def test_only_the_naive_version_pays_for_the_size_of_the_table(
    few: dict[str, Compared], more: dict[str, Compared], pattern: str
) -> None:
    assert naive(more, pattern).units >= 3 * naive(few, pattern).units
    assert toolkit(more, pattern).units == toolkit(few, pattern).units


def test_only_the_naive_version_lets_happen_twice_what_may_happen_once() -> None:
    for race in races(seed=1, rounds=20):
        assert race.naive > 0, race
        assert race.toolkit == 0, race


def test_the_same_seed_replays_the_same_races() -> None:
    first, second = races(seed=3, rounds=8), races(seed=3, rounds=8)
    assert first == second


def test_the_tables_leave_out_what_was_left_out() -> None:
    cost = Cost(requests=1, p50_ms=0.5, p99_ms=1.25, units=2.5, runs=10)
    last = costs_table([Compared("order page", None, cost)]).splitlines()[-1]
    assert last.split() == ["order", "page", *"–––––", "1.0", "0.50", "1.25", "2.5", "10"]
    assert races_table([]).split() == ["happened", "twice", "naive", "toolkit"]


def test_a_server_is_compared_over_http_and_left_as_it_was() -> None:
    with serve() as serving:
        url = serving.url
        for _ in range(2):
            found = compare(30, url=url, runs=10)
            assert {one.toolkit.requests for one in found if one.toolkit and one.pattern == "order page"} == {
                1
            }
