"""`python -m bench.toolkit`: what the toolkit costs between an entity and a client, beside PynamoDB's."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel
from pynamodb.attributes import (
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
    VersionAttribute,
)
from pynamodb.models import Model

from bench.reference import Reference
from partita.model import Entity, Index, Key, Session, Table, Version, item_of, version

MOST_US = 25
"""For encoding and decoding an entity of 12 attributes, on the machine of the targets."""
MOST_OF_PYNAMODB = 1 / 3
MOST_ITEM_US = 15
"""For each item of a query of 100, outside the client."""
_ROUNDS = 200
_CALLS = 50


class Shop(Table, name="shop"):
    gsi1 = Index()


class Address(BaseModel):
    city: str
    zip: str
    lines: list[str]


class Order(Entity, table=Shop):
    """12 attributes, as the workloads of the server have."""

    tenant: str
    id: str
    customer: str
    number: int
    quantity: int
    price: Decimal
    status: Literal["PENDING", "SHIPPED"]
    placed: datetime
    tags: set[str]
    address: Address
    note: str
    version: Version = version()

    key = Key("TENANT#{tenant}#ORDER#{id}", "META")
    gsi1 = Key("TENANT#{tenant}#CUST#{customer}", "{placed}")


class Event(Entity, table=Shop):
    """Read through four shards, merged by time."""

    id: str
    kind: str
    placed: datetime
    number: int
    quantity: int
    price: Decimal
    status: Literal["PENDING", "SHIPPED"]
    tags: set[str]
    address: Address
    note: str
    source: str
    version: Version = version()

    key = Key("EVENT#{id}", "META")
    gsi1 = Key("KIND#{kind}#{shard:4}", "{placed}")


class PynamoAddress(MapAttribute[str, Any]):
    city = UnicodeAttribute()
    zip = UnicodeAttribute()
    lines: ListAttribute[str] = ListAttribute(of=UnicodeAttribute)  # type: ignore[arg-type]


class PynamoOrder(Model):
    """The same with PynamoDB, its key attributes written by hand."""

    class Meta:
        table_name = "shop"
        region = "us-east-1"

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    gsi1pk = UnicodeAttribute(attr_name="GSI1PK")
    gsi1sk = UnicodeAttribute(attr_name="GSI1SK")
    tenant = UnicodeAttribute()
    id = UnicodeAttribute()
    customer = UnicodeAttribute()
    number = NumberAttribute()
    quantity = NumberAttribute()
    price = NumberAttribute()
    status = UnicodeAttribute()
    placed = UTCDateTimeAttribute()
    tags = UnicodeSetAttribute()
    address = PynamoAddress()  # type: ignore[no-untyped-call]
    note = UnicodeAttribute()
    version = VersionAttribute()


class Figures(NamedTuple):
    """CPU µs, undivided, the least of many rounds; `factor` is the machine's."""

    encode_us: float
    decode_us: float
    pynamodb_encode_us: float
    pynamodb_decode_us: float
    query_item_us: float
    sharded_item_us: float
    included_item_us: float
    factor: float

    @property
    def both_us(self) -> float:
        return self.encode_us + self.decode_us

    @property
    def share_of_pynamodb(self) -> float:
        return self.both_us / (self.pynamodb_encode_us + self.pynamodb_decode_us)


def measure(rounds: int = _ROUNDS) -> Figures:
    """Takes turns, so that what disturbs the machine disturbs all alike."""
    placed = datetime(2026, 9, 28, 12, 30, 1, 250_000, tzinfo=UTC)
    order = Order(
        tenant="42",
        id="991",
        customer="7",
        number=991,
        quantity=10,
        price=Decimal("1299.95"),
        status="PENDING",
        placed=placed,
        tags={"new", "sale", "shoes"},
        address=Address(city="Hà Nội", zip="100000", lines=["12 Main St"]),
        note="x" * 170,
        version=17,
    )
    pynamo = PynamoOrder(
        pk="TENANT#42#ORDER#991",
        sk="META",
        gsi1pk="TENANT#42#CUST#7",
        gsi1sk="2026-09-28T12:30:01.250000Z",
        tenant="42",
        id="991",
        customer="7",
        number=991,
        quantity=10,
        price=1299.95,
        status="PENDING",
        placed=placed,
        tags={"new", "sale", "shoes"},
        address=PynamoAddress(city="Hà Nội", zip="100000", lines=["12 Main St"]),  # type: ignore[no-untyped-call]
        note="x" * 170,
        version=17,
    )
    schema = Order.__schema__
    item, pynamo_item = schema.encode(order), pynamo.serialize()
    answered = Answering({"Items": [item] * 100, "Count": 100, "ScannedCount": 100})
    session = Session(answered)
    condition = Order.gsi1(tenant="42", customer="7")
    sharded = Session(Sharded([_event(number, placed) for number in range(400)]))
    events = Event.gsi1(kind="sale")
    work: Mapping[str, tuple[Callable[[], Any], int]] = {
        "encode": (lambda: schema.encode(order), _CALLS),
        "decode": (lambda: schema.decode(item), _CALLS),
        "pynamodb encode": (pynamo.serialize, _CALLS // 5),
        "pynamodb decode": (lambda: PynamoOrder.from_raw_data(pynamo_item), _CALLS // 5),
        "query": (lambda: session.query(Order, condition), 1),
        "sharded": (lambda: sharded.query(Event, events, limit=100), 1),
        "included": (lambda: sharded.query(Event, events, limit=100, including=True), 1),
    }
    reference = Reference()
    least = dict.fromkeys(work, float("inf"))
    for turn in range(rounds):
        if turn % 20 == 0:
            reference.sample()
        for name, (call, calls) in work.items():
            least[name] = min(least[name], _us(call, calls))
    return Figures(
        least["encode"],
        least["decode"],
        least["pynamodb encode"],
        least["pynamodb decode"],
        least["query"] / 100,
        least["sharded"] / 100,
        least["included"] / 100,
        reference.factor,
    )


def _event(number: int, placed: datetime) -> Event:
    return Event(
        id=str(number),
        kind="sale",
        placed=placed + timedelta(minutes=number),
        number=number,
        quantity=10,
        price=Decimal("1299.95"),
        status="PENDING",
        tags={"new", "sale", "shoes"},
        address=Address(city="Hà Nội", zip="100000", lines=["12 Main St"]),
        note="x" * 170,
        source="web",
        version=17,
    )


class Sharded:
    """As `Answering`: each shard has its own items, more than a page takes of it."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._answers: dict[str, dict[str, Any]] = {}
        for event in events:
            item = item_of(event)
            answer = self._answers.setdefault(item["GSI1PK"]["S"], {"Items": []})
            answer["Items"].append(item)
            answer["Count"] = answer["ScannedCount"] = len(answer["Items"])

    def query(self, **parameters: Any) -> Mapping[str, Any]:
        values = parameters["ExpressionAttributeValues"].values()
        return next(self._answers[value["S"]] for value in values if value["S"] in self._answers)


class Answering:
    """A client that costs nothing: it has one answer to every query."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self._answer = answer

    def query(self, **_: Any) -> Mapping[str, Any]:
        return self._answer


def _us(call: Callable[[], Any], calls: int) -> float:
    began_ns = time.process_time_ns()
    for _ in range(calls):
        call()
    return (time.process_time_ns() - began_ns) / 1000 / calls


def main() -> None:
    figures = measure()
    factor = figures.factor
    print(f"the machine's factor: {factor:.2f}; CPU µs on the machine of the targets (as measured here):")
    for name, us, most in (
        ("encode an entity of 12 attributes", figures.encode_us, None),
        ("decode it", figures.decode_us, None),
        ("both", figures.both_us, MOST_US),
        ("PynamoDB: both", figures.pynamodb_encode_us + figures.pynamodb_decode_us, None),
        ("an item of a query of 100, outside the client", figures.query_item_us, MOST_ITEM_US),
        ("… merged from four shards", figures.sharded_item_us, MOST_ITEM_US),
        ("… and with including=True", figures.included_item_us, MOST_ITEM_US),
    ):
        limit = "" if most is None else f", at most {most}"
        print(f"  {name:48s} {us / factor:7.1f} ({us:.1f}){limit}")
    print(f"  {'share of PynamoDB':48s} {figures.share_of_pynamodb:7.2f}, at most {MOST_OF_PYNAMODB:.2f}")


if __name__ == "__main__":
    main()
