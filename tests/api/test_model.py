"""The committed model is the pinned botocore's, and what was captured beyond it fits it."""

from __future__ import annotations

import orjson
import pytest
from tests.api.valid_requests import VALID
from tools.make_model import TARGET, model_text

from partita.api import OPERATIONS, captured
from partita.api.shapes import INPUTS, SHAPES
from partita.api.support import not_yet

MODEL = orjson.loads(TARGET.read_bytes())


def test_the_model_is_the_one_of_the_installed_botocore() -> None:
    assert TARGET.read_text() == model_text(), "run tools/make_model.py"


def test_the_operations() -> None:
    assert VALID.keys() == OPERATIONS


@pytest.mark.parametrize("shape", captured.ENUM_ORDERS)
def test_an_enum_order_has_the_values_of_the_model(shape: str) -> None:
    assert sorted(captured.ENUM_ORDERS[shape]) == sorted(MODEL["shapes"][shape]["enum"])


@pytest.mark.parametrize("shape", captured.MEMBER_ORDERS)
def test_a_member_order_names_members_of_the_model(shape: str) -> None:
    order = captured.MEMBER_ORDERS[shape]
    assert len(set(order)) == len(order)
    assert set(order) <= set(MODEL["shapes"][shape]["members"])


@pytest.mark.parametrize(("shape", "member"), captured.RULES)
def test_a_rule_is_about_a_member_of_the_model(shape: str, member: str) -> None:
    assert member in MODEL["shapes"][shape]["members"]


@pytest.mark.parametrize("operation", captured.GROUPS)
def test_groups_name_each_member_once(operation: str) -> None:
    names = [name for group in captured.GROUPS[operation] for name in group]
    assert len(set(names)) == len(names)
    assert set(names) <= set(INPUTS[operation].members)


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_a_parameter_that_is_not_done_yet_is_one_of_the_model(operation: str) -> None:
    assert not_yet(operation) <= set(INPUTS[operation].members)


def test_attribute_values_refer_to_themselves() -> None:
    value = SHAPES["AttributeValue"]
    element = value.members["L"].shape.element
    assert element is value
