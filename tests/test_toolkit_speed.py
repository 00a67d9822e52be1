"""The toolkit costs little between an entity and a client, and a fraction of what PynamoDB's models cost."""

from __future__ import annotations

from bench.toolkit import MOST_ITEM_US, MOST_OF_PYNAMODB, MOST_US, Figures, measure

SLACK = 1.15
_TRIES = 4


def test_encoding_decoding_and_queries_stay_within_their_limits() -> None:
    """What else the machine does only ever adds: one measurement within the limits shows that they hold."""
    for _ in range(_TRIES):
        figures = measure(rounds=40)
        if not faults(figures):
            return
    raise AssertionError(f"{faults(figures)}: {figures}")


def faults(figures: Figures) -> list[str]:
    found = []
    if figures.share_of_pynamodb > MOST_OF_PYNAMODB:
        found.append("encoding and decoding cost more than a third of PynamoDB's")
    if figures.both_us / figures.factor > MOST_US * SLACK:
        found.append("encoding and decoding cost too much")
    for us, what in (
        (figures.query_item_us, "a query"),
        (figures.sharded_item_us, "four shards"),
        (figures.included_item_us, "four shards, with what was written included,"),
    ):
        if us / figures.factor > MOST_ITEM_US * SLACK:
            found.append(f"an item of {what} costs too much")
    return found


def test_each_limit_can_be_broken() -> None:
    fine = Figures(10, 10, 100, 100, 10, 10, 10, 1.0)
    assert faults(fine) == []
    assert len(faults(fine._replace(encode_us=60))) == 2
    assert len(faults(fine._replace(query_item_us=20))) == 1
    assert len(faults(fine._replace(sharded_item_us=20, included_item_us=20))) == 2
