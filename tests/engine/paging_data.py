"""A table full of ties for the tests of Query and Scan, and what a read must give, worked out slowly."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from hypothesis import strategies as st
from tests.engine.support import Item, Request, World, index_of, table_of

STRINGS = ["a", "a\0", "a\0\x01", "a\x01", "ab", "b", "é", "\uffff", "😀"]
NUMBERS = ["-100", "-1.5", "-0.001", "0", "0.5", "1", "10", "12", "12345678901234567890"]
BYTES = [b"\0", b"\0\0", b"\0\x01", b"\x01", b"\x01\xff", b"\x7f", b"\x80", b"\xff", b"\xff\xff"]
DOMAIN: dict[str, list[str]] = {"S": STRINGS, "N": NUMBERS, "B": [b64encode(b).decode() for b in BYTES]}

TYPES = {"pk": "S", "sk": "S", "h1": "S", "h2": "N", "r1": "N", "r2": "S", "r3": "B"}


class Read(NamedTuple):
    """What can be read: the table or an index, with the names of its keys."""

    index_name: str | None
    hashes: tuple[str, ...]
    ranges: tuple[str, ...]
    is_local: bool = False


def reads_of(range_name: str | None) -> list[Read]:
    """Everything that a table of `create` with that range key lets read."""
    ranges = (range_name,) if range_name else ()
    reads = [
        Read(None, ("pk",), ranges),
        Read("hash_only", ("h1",), ()),
        Read("pair", ("h1",), ("r1",)),
        Read("multi", ("h1", "h2"), ("r1", "r2", "r3")),
        Read("turned", ("h2",), ("r3", "r2")),
        Read("inverted", (range_name or "h2",), ("pk",)),
    ]
    return [*reads, Read("local", ("pk",), ("r2",), is_local=True)] if range_name else reads


def create(world: World, pk_type: str, range_name: str | None, sk_type: str) -> dict[str, str]:
    """Makes the table `stock`; gives the type of every key attribute."""
    types = {**TYPES, "pk": pk_type, "sk": sk_type}
    if range_name is None:
        del types["sk"]
    world.call(
        "CreateTable",
        table_of(
            "stock",
            "pk",
            range_name,
            types=types,
            global_indexes=[
                index_of("hash_only", ["h1"], projection="KEYS_ONLY"),
                index_of("pair", ["h1"], ["r1"]),
                index_of("multi", ["h1", "h2"], ["r1", "r2", "r3"], projection=["x"]),
                index_of("turned", ["h2"], ["r3", "r2"], projection=["x", "pad"]),
                index_of("inverted", [range_name or "h2"], ["pk"], projection=["x"]),
            ],
            local_indexes=[index_of("local", ["pk"], ["r2"], projection=["x"])] if range_name else [],
        ),
    )
    return types


SPARSE = ("h1", "h2", "r1", "r2", "r3")
PADS = (0, 0, 0, 0, 0, 0, 40, 200, 900, 2500)


@st.composite
def items_of(draw: st.DrawFn, types: dict[str, str], *, most: int = 45) -> list[Item]:
    """Items with distinct keys and few values: their index keys tie, and many lack one of them.

    Each is made of eight bytes, since one draw of many bytes costs little more than one of a few.
    """
    # Three values of each type in a run, drawn so that prefixes and ends of frames meet.
    chosen = {kind: draw(st.permutations(DOMAIN[kind]))[:3] for kind in "SNB"}
    number = draw(st.integers(0, most))
    dice = draw(st.binary(min_size=8 * number, max_size=8 * number))
    return list({key_of(item): item for item in _items(types, chosen, dice)}.values())


def _items(types: dict[str, str], chosen: dict[str, list[str]], dice: bytes) -> Iterator[Item]:
    for start in range(0, len(dice), 8):
        pk, sk, extra, *sparse = dice[start : start + 8]
        item: Item = {"pk": {types["pk"]: chosen[types["pk"]][pk % 3]}}
        if "sk" in types:
            item["sk"] = {types["sk"]: DOMAIN[types["sk"]][sk % len(DOMAIN[types["sk"]])]}
        else:
            item["pk"] = {types["pk"]: DOMAIN[types["pk"]][pk % len(DOMAIN[types["pk"]])]}
        for name, value in zip(SPARSE, sparse, strict=True):
            if value < 230:
                item[name] = {types[name]: chosen[types[name]][value % 3]}
        item["x"] = {"N": str(extra % 3)}
        if PADS[extra % 10]:
            item["pad"] = {"S": "p" * PADS[extra % 10]}
        yield item


def put_all(world: World, items: list[Item]) -> None:
    for start in range(0, len(items), 25):
        requests = [{"PutRequest": {"Item": item}} for item in items[start : start + 25]]
        world.call("BatchWriteItem", {"RequestItems": {"stock": requests}})


# -- what a read must give
def order_of(value: dict[str, Any]) -> Any:
    """Sorts as DynamoDB sorts values of one type."""
    if "S" in value:
        return value["S"].encode()
    return Decimal(value["N"]) if "N" in value else b64decode(value["B"])


_TESTS: dict[str, Callable[[Any, Any, Any], bool]] = {
    "=": lambda v, a, b: bool(v == a),
    "<": lambda v, a, b: bool(v < a),
    "<=": lambda v, a, b: bool(v <= a),
    ">": lambda v, a, b: bool(v > a),
    ">=": lambda v, a, b: bool(v >= a),
    "BETWEEN": lambda v, a, b: bool(a <= v <= b),
    "begins_with": lambda v, a, b: bool(v.startswith(a)),
}


class Condition(NamedTuple):
    name: str
    operator: str
    operands: tuple[dict[str, Any], ...]

    def holds(self, item: Item) -> bool:
        low, high = order_of(self.operands[0]), order_of(self.operands[-1])
        return _TESTS[self.operator](order_of(item[self.name]), low, high)

    def text(self) -> str:
        if self.operator == "BETWEEN":
            return f"{self.name} BETWEEN :{self.name}0 AND :{self.name}1"
        if self.operator == "begins_with":
            return f"begins_with({self.name}, :{self.name}0)"
        return f"{self.name} {self.operator} :{self.name}0"

    def values(self) -> dict[str, Any]:
        return {f":{self.name}{at}": operand for at, operand in enumerate(self.operands)}


@st.composite
def conditions_of(draw: st.DrawFn, read: Read, types: dict[str, str], items: list[Item]) -> list[Condition]:
    """Key conditions that some of the items are likely to meet."""
    present = [item for item in items if all(name in item for name in read.hashes + read.ranges)]
    like = draw(st.sampled_from(present)) if present else {}

    def value(name: str) -> dict[str, Any]:
        usual = like.get(name)
        if usual is not None and draw(st.integers(0, 3)):
            found: dict[str, Any] = usual
            return found
        return {types[name]: draw(st.sampled_from(DOMAIN[types[name]]))}

    conditions = [Condition(name, "=", (like[name] if like else value(name),)) for name in read.hashes]
    depth = draw(st.integers(0, len(read.ranges)))
    for at, name in enumerate(read.ranges[:depth]):
        operator = "="
        if at == depth - 1:
            operators = [op for op in _TESTS if op != "begins_with" or types[name] != "N"]
            operator = draw(st.sampled_from(operators))
        operands = [value(name)]
        if operator == "begins_with" and types[name] == "S":
            operands = [{"S": operands[0]["S"][:1]}]
        if operator == "BETWEEN":
            operands = sorted([*operands, value(name)], key=order_of)
        conditions.append(Condition(name, operator, tuple(operands)))
    return conditions


def matching(read: Read, conditions: list[Condition], items: list[Item]) -> list[Item]:
    """The items that are in what is read and meet all conditions, in order of the range attributes."""
    found = [
        item
        for item in items
        if all(name in item for name in read.hashes + read.ranges) and all(c.holds(item) for c in conditions)
    ]
    return sorted(found, key=lambda item: range_order(read, item))


def range_order(read: Read, item: Item) -> tuple[Any, ...]:
    return tuple(order_of(item[name]) for name in read.ranges)


def query_of(read: Read, conditions: list[Condition]) -> Request:
    request: Request = {
        "TableName": "stock",
        "KeyConditionExpression": " AND ".join(condition.text() for condition in conditions),
        "ExpressionAttributeValues": {},
    }
    for condition in conditions:
        request["ExpressionAttributeValues"] |= condition.values()
    if read.index_name is not None:
        request["IndexName"] = read.index_name
    return request


def scan_of(read: Read) -> Request:
    request = {"TableName": "stock"}
    return request if read.index_name is None else {**request, "IndexName": read.index_name}


def key_of(item: Item) -> str:
    """The item's primary key, to tell items apart."""
    return str((item["pk"], item.get("sk")))
