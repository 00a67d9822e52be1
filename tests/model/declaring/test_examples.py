"""Entities for tests are made of what the annotations allow, and are the same every time."""

from __future__ import annotations

import enum
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field, PositiveInt, field_validator
from tests.model.declaring.orders import Account, Order, OrderLine

from partita.model import Entity, Key, Table, attribute, entity_of, item_of


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


class Node(BaseModel):
    name: str
    children: list[Node]


class Everything(Table):
    pass


class Full(Entity, table=Everything):
    id: str
    short: Annotated[str, Field(max_length=4)]
    long: str = attribute("l", min_length=20, max_length=22)
    n: PositiveInt
    bounded: Annotated[int, Field(ge=10, le=12)]
    below: Annotated[Decimal, Field(lt=1)]
    tens: Annotated[int, Field(multiple_of=10, gt=5)]
    ratio: float
    flag: bool
    data: bytes
    at: datetime
    day: date
    uid: UUID
    size: Size
    kind: Literal["a", "b"]
    tags: set[str]
    pair: tuple[int, str]
    many: Annotated[list[int], Field(min_length=3)]
    by_name: dict[str, Decimal]
    node: Node
    maybe: str | None
    either: int | str
    key = Key("F#{id}", "{n:4}")


@pytest.mark.parametrize("entity", [Full, Order, OrderLine, Account])
def test_examples_are_valid_stored_and_read_back(entity: type[Entity]) -> None:
    made = entity.example()
    assert made == entity.example(1)
    assert entity_of(item_of(made), entity) == made
    assert entity(**made.model_dump()) == made


@pytest.mark.parametrize("entity", [Full, Order, OrderLine, Account])
def test_another_number_has_another_key(entity: type[Entity]) -> None:
    keys = {
        str(item_of(entity.example(n))["PK"]) + str(item_of(entity.example(n))["SK"]) for n in range(1, 101)
    }
    assert len(keys) == 100


def test_what_is_given_is_taken() -> None:
    made = Order.example(3, tenant="42", total=Decimal(7))
    assert (made.tenant, made.id, made.total, made.status) == ("42", "id-3", Decimal(7), "PENDING")


def test_what_cannot_be_made_up_is_asked_for() -> None:
    class Coded(Entity, table=Everything):
        id: str
        code: Annotated[str, Field(pattern="^[A-Z]{3}$")]
        key = Key("C#{id}", "META")

        @field_validator("id")
        @classmethod
        def _checked(cls, value: str) -> str:
            return value

    with pytest.raises(ValueError, match=r"^Coded\.example\(\) cannot make up code .*: give it$"):
        Coded.example()
    assert Coded.example(code="ABC").code == "ABC"
