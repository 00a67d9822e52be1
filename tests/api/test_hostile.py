"""Whatever a request holds, it is accepted or refused with one of DynamoDB's errors."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.api.hostile_requests import PLACES, WRONG, placed
from tests.api.valid_requests import VALID

from partita.api import OPERATIONS, check, decode
from partita.api.checks import ACCEPTORS, _judge
from partita.api.shapes import INPUTS, Shape
from partita.errors import SerializationException, ValidationException

EXAMPLES = 150
DEEP = 3
"""Levels of structures that are generated."""

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["", "NONE", "arn:", "a" * 300, "YQ==", "TOTAL", "pk"]),
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(st.text(max_size=4), st.sampled_from(["S", "N", "L", "M", "B"])), inner, max_size=4
        ),
    ),
    max_leaves=12,
)
TEXTS = ["", "a", "ab", "users", "x" * 37, "x" * 256, "bad!", "arn:aws:x", "arn:" + "x" * 1021]
NUMBERS = [-1, 0, 1, 100, 101, 999_999, 1_000_000, 1_000_001, 2**31 - 1]


def answers(operation: str, request: Any) -> None:
    """Checks a request as the engine does: nothing but the two errors may be raised."""
    try:
        check(operation, request)
        decode(operation, request)
    except (SerializationException, ValidationException) as error:
        error.body(operation)


@given(st.sampled_from(PLACES), anything)
@settings(max_examples=EXAMPLES * 3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_anything_in_any_member(place: tuple[str, tuple[Any, ...]], value: Any) -> None:
    operation, path = place
    answers(operation, placed(INPUTS[operation], VALID[operation], path, value))


@given(st.sampled_from(sorted(OPERATIONS)), anything)
@settings(max_examples=EXAMPLES, deadline=None)
def test_anything_as_a_request(operation: str, request: Any) -> None:
    answers(operation, request)


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_a_few_values_in_every_member(operation: str) -> None:
    paths = [path for place, path in PLACES if place == operation]
    for path in paths:
        for value in WRONG:
            answers(operation, placed(INPUTS[operation], VALID[operation], path, copy.deepcopy(value)))


def shaped(shape: Shape, depth: int = 0) -> st.SearchStrategy[Any]:
    """Requests with the right JSON types, many of which break constraints."""
    if shape.is_attribute_value:
        return st.just({"S": "x"})
    if shape.type == "structure":
        members = {name: shaped(member.shape, depth + 1) for name, member in shape.members.items()}
        required = {name: members[name] for name, member in shape.members.items() if member.rule.required}
        optional = {} if depth > DEEP else {name: members[name] for name in members if name not in required}
        return st.fixed_dictionaries(required, optional=optional)
    if shape.type == "list":
        assert shape.element is not None
        return st.lists(shaped(shape.element, depth + 1), max_size=3)
    if shape.type == "map":
        assert shape.element is not None
        return st.dictionaries(st.sampled_from(TEXTS), shaped(shape.element, depth + 1), max_size=2)
    if shape.type == "boolean":
        return st.booleans()
    if shape.type in ("integer", "long"):
        return st.sampled_from(NUMBERS)
    enums = [member.rule.enum for member in _members_with(shape)]
    return st.sampled_from([*TEXTS, *{value for enum in enums for value in enum}])


def _members_with(shape: Shape) -> list[Any]:
    seen: list[Any] = []
    for owner in INPUTS.values():
        seen += _find(owner, shape, set())
    return seen


def _find(owner: Shape, shape: Shape, visited: set[str]) -> list[Any]:
    if owner.name in visited or owner.is_attribute_value:
        return []
    visited.add(owner.name)
    found = [member for member in owner.members.values() if member.shape is shape]
    for inner in (*(member.shape for member in owner.members.values()), owner.element):
        if inner is not None:
            found += _find(inner, shape, visited)
    return found


SHAPED = {operation: shaped(shape) for operation, shape in INPUTS.items()}


@given(st.data(), st.sampled_from(sorted(OPERATIONS)))
@settings(max_examples=EXAMPLES * 3, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_quick_and_the_slow_way_agree(data: st.DataObject, operation: str) -> None:
    request = data.draw(SHAPED[operation])
    is_fine = True
    try:
        _judge(operation, request)
    except ValidationException:
        is_fine = False
    assert ACCEPTORS[operation](request) == is_fine
