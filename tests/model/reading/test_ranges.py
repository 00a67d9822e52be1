"""What a key condition selects, said in Python, is what the service selects."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.model.reading.tables import database, item, shards

from partita.model.keys.terms import AttributeCondition
from partita.model.reading.partitions import Question
from partita.model.reading.ranges import Range, holds, position_of, start_key

OPERATORS = ["=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"]
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "S": st.text("ab\U0001f600\uffff", min_size=1, max_size=2),
    "N": st.sampled_from(["-1.5", "0", "1", "1.0", "2", "10"]),
    "B": st.binary(min_size=1, max_size=2),
}


@given(kind=st.sampled_from("SNB"), data=st.data())
def test_membership_is_the_services(kind: str, data: st.DataObject) -> None:
    operator: Any = data.draw(st.sampled_from([o for o in OPERATORS if kind != "N" or o != "begins_with"]))
    low, high = data.draw(VALUES[kind]), data.draw(VALUES[kind])
    if operator == "BETWEEN":
        low, high = sorted([low, high], key=float if kind == "N" else None)
    operands = ({kind: low}, {kind: high}) if operator == "BETWEEN" else ({kind: low},)
    all_items = shards(1, kind)
    range_ = Range(
        all_items.table,
        all_items.index,
        all_items.table_key,
        all_items.partition,
        all_items.sort,
        all_items.partitions,
        (AttributeCondition("GS", operator, operands),),
    )
    stored = [item(f"k{n}", data.draw(st.integers(0, 1)), data.draw(VALUES[kind]), kind) for n in range(6)]
    with database(kind) as made:
        client = made.client()
        for one in stored:
            client.put_item(TableName="app", Item=one)
        (parameters,) = Question(range_).parameters
        answered = client.query(**parameters)["Items"]
    normal = [one["PK"]["S"] for one in stored if holds(range_, one)]
    assert sorted(one["PK"]["S"] for one in answered) == normal


def test_an_item_without_the_index_keys_is_not_in_it() -> None:
    whole = item("k", 0, "a")
    assert holds(shards(1), whole)
    assert not holds(shards(1), {name: value for name, value in whole.items() if name != "GS"})
    assert not holds(shards(1), whole | {"GS": {"N": "1"}})


@given(kind=st.sampled_from("SNB"), data=st.data())
def test_a_start_key_is_built_from_the_item(kind: str, data: st.DataObject) -> None:
    """It is the LastEvaluatedKey that the service gives for it."""
    stored = [item(f"k{n}", 0, data.draw(VALUES[kind]), kind) for n in range(3)]
    range_ = shards(1, kind)
    with database(kind) as made:
        client = made.client()
        for one in stored:
            client.put_item(TableName="app", Item=one)
        (parameters,) = Question(range_).parameters
        answer = client.query(**parameters, Limit=1)
    (first,) = answer["Items"]
    assert start_key(range_, 0, position_of(range_, first)) == answer["LastEvaluatedKey"]
