"""Hostile bodies: requests of the API, or what looks like them."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.api.hostile_requests import PLACES, WRONG, placed
from tests.api.valid_requests import VALID

from partita.api.shapes import INPUTS

from .rich_requests import RICH

Body = tuple[str, bytes]
"""(operation, content)."""

NUMBERS: Final = [
    *(
        "0",
        "-0",
        "1e125",
        "1e126",
        "9" * 38,
        "9" * 39,
        "1" + "0" * 5000,
        "1e-130",
        "1e-131",
        "0x10",
        "",
        " 1",
        "1_0",
    ),
    *(
        "٣",
        "NaN",
        "Infinity",
        "-",
        "+",
        "1e",
        "1e999999999999",
        "0." + "0" * 200 + "1",
        "--1",
        "1e+5",
        ".5",
        "5.",
    ),
]
TEXTS: Final = [
    *(
        "",
        "a",
        "é",
        "\0",
        "\x7f",
        "😀" * 400,
        "x" * 2049,
        "x" * 1025,
        "a.b",
        "a[0]",
        "#a",
        ":v",
        "'",
        '"',
        "\\",
        "\r\n",
    ),
    *(
        "arn:aws:dynamodb:eu-west-1:000000000000:table/users",
        "arn:",
        "arn:aws:dynamodb:::table/",
        "users",
        "..",
        "/",
    ),
]
VALUES: Final[list[Any]] = [
    *WRONG,
    *({"N": text} for text in NUMBERS),
    *({"S": text} for text in TEXTS),
    *({"B": text} for text in ("YQ==", "YQ", "=", "é", "A" * 4000, "YQ==YQ==")),
    *({kind: [text, text]} for kind in ("SS", "NS", "BS") for text in ("1", "YQ==", "")),
    *({"M": {text: {"S": text}}} for text in TEXTS),
    *({"pk": value} for value in ({"S": "a"}, {"N": 1}, {"S": None}, None, {"L": [None]}, {}, {"B": "YQ"})),
    *({":v": value} for value in ({"SS": []}, {"S": "a"}, {"N": "1"}, {"L": [{"NULL": False}]})),
    *({"#a": name} for name in TEXTS),
    *TEXTS,
    *(0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 1e308, 1e-308, True, False),
]
TOKENS: Final = [
    *(
        "a",
        "b",
        "#a",
        "#b",
        ":v",
        ":w",
        "pk",
        "size",
        "a[0]",
        "a[99999999999]",
        "a[-1]",
        "[0]",
        ".",
        "..",
        "é",
        "#",
    ),
    *(
        "AND",
        "OR",
        "NOT",
        "BETWEEN",
        "IN",
        "(",
        ")",
        ",",
        "=",
        "<>",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "*",
        "==",
        "!=",
    ),
    *(
        "SET",
        "REMOVE",
        "ADD",
        "DELETE",
        "set",
        "attribute_exists(",
        "attribute_type(",
        "begins_with(",
        "contains(",
    ),
    *(
        "size(a)",
        "list_append(",
        "if_not_exists(",
        "a = :v",
        "pk = :v",
        "'",
        '"',
        "\0",
        "1",
        ":",
        "attribute_not_exists(",
    ),
]
EXPRESSIONS: Final = {
    "PutItem": ["ConditionExpression"],
    "DeleteItem": ["ConditionExpression"],
    "UpdateItem": ["UpdateExpression", "UpdateExpression", "ConditionExpression"],
    "GetItem": ["ProjectionExpression"],
    "Query": ["KeyConditionExpression", "FilterExpression", "ProjectionExpression"],
    "Scan": ["FilterExpression", "ProjectionExpression"],
}
EXTREME: Final = [
    "(" * 2000 + "a = :v" + ")" * 2000,
    "(" * 4096,
    "NOT " * 1000 + "a = :v",
    "a = :v AND " * 300 + "a = :v",
    "SET " + ", ".join(f"a{number} = :v" for number in range(350)),
    "REMOVE a" + ".a" * 2000,
    "REMOVE a" + "[0]" * 1000,
    "a IN (" + ", ".join([":v"] * 101) + ")",
    "size(" * 600 + "a" + ")" * 600,
    "x" * 5000,
    "SET a = " + "if_not_exists(a, " * 200 + ":v" + ")" * 200,
]
JSON_BOMBS: Final[list[bytes]] = [
    *(b"[" * depth for depth in (10, 1023, 1024, 1025, 50_000)),
    *(b"[" * depth + b"]" * depth for depth in (127, 128, 1023, 1024, 20_000)),
    *(b'{"a":' * depth + b"1" + b"}" * depth for depth in (127, 1023, 1024, 20_000)),
    *(
        b'{"TableName":"users","Item":{"pk":' + _ + b"}}"
        for _ in (b"1" * 50_000, b"-" + b"9" * 400, b"1e400", b"1E-999999")
    ),
    *(
        b'{"TableName":"users","Limit":' + _ + b"}"
        for _ in (b"1" * 5000, b"1e400", b"-0", b"1.5", b"0x1", b"01", b"+1")
    ),
    b'{"TableName":"users","TableName":"users","Key":{"pk":{"S":"a"}},"Key":{"pk":{"S":"a","S":"b"}}}',
    b"{" + b",".join(b'"k%d":1' % number for number in range(5000)) + b"}",
    *(
        b"",
        b" ",
        b"\0",
        b"null",
        b"true",
        b"1",
        b'"x"',
        b"[]",
        b"{}",
        b"{",
        b'{"',
        b"NaN",
        b"[NaN,Infinity]",
        b"{'a':1}",
    ),
    *(
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\0}\0",
        b'{"TableName":"\xff"}',
        b'{"TableName":"\xc3"}',
        b'{"TableName":"\xed\xa0\x80"}',
    ),
    *(
        b'{"TableName":"' + _ + b'"}'
        for _ in (b"\\ud800", b"\\udc00\\ud800", b"\\u0000", b"\\ud83d\\ude00", b"\\u12", b"\\x41")
    ),
    b'{"TableName":"users","Item":{"pk":{"S":"\\ud800"}}}',
    b'{"TableName":"users","Item":{"\\ud800":{"S":"a"},"pk":{"S":"a"}}}',
    b'{"TableName":"users","Item":{"pk":{"S":"' + b"x" * 500_000 + b'"}}}',
    b"{}" + b" " * 100_000,
    b"{} {}",
]


def extremes() -> Iterator[Body]:
    """Each of the fixed extremes once."""
    for bomb in JSON_BOMBS:
        yield "PutItem", bomb
    for text in EXTREME:
        for operation, names in EXPRESSIONS.items():
            for name in names:
                values = {"ExpressionAttributeValues": {":v": {"S": "a"}}}
                yield operation, _encoded(VALID[operation] | {name: text} | values)


class Bodies:
    """Draws bodies of all kinds; the same chance gives the same ones."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._kinds: dict[Callable[[], Body], int] = {
            self._nearly: 60,
            self._wrong_member: 30,
            self._wrong_members: 10,
            self._expression: 20,
            self._damaged: 12,
            self._bomb: 2,
            self._nested: 2,
            self._many: 1,
        }

    def draw(self) -> Body:
        return self._chance.choices(list(self._kinds), list(self._kinds.values()))[0]()

    def _nearly(self) -> Body:
        """A sound request in which one thing, or none, is replaced or gone."""
        chance = self._chance
        operation, sound = chance.choice(RICH)
        request = copy.deepcopy(sound)
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            places = list(_places_in(request))
            holder, at = chance.choice(places)
            match chance.randrange(4):
                case 0 if isinstance(holder, dict):
                    holder.pop(at, None)
                case 1:
                    other, from_ = chance.choice(places)
                    holder[at] = copy.deepcopy(other[from_])
                case 2 if isinstance(holder[at], str):
                    text = holder[at]
                    cut = chance.randrange(len(text) + 1)
                    holder[at] = text[:cut] + chance.choice(TEXTS + TOKENS) + text[cut:]
                case _:
                    holder[at] = copy.deepcopy(chance.choice(VALUES))
        return operation, _encoded(request)

    def _wrong_member(self) -> Body:
        operation, path = self._chance.choice(PLACES)
        return operation, _encoded(self._placed(operation, copy.deepcopy(VALID[operation]), path))

    def _wrong_members(self) -> Body:
        operation = self._chance.choice(sorted(VALID))
        request = copy.deepcopy(VALID[operation])
        paths = [path for place, path in PLACES if place == operation]
        for path in self._chance.choices(paths, k=self._chance.randrange(2, 5)) if paths else ():
            try:
                request = self._placed(operation, request, path)
            except (TypeError, ValueError, AttributeError, IndexError):
                break  # What was placed before leaves no room for this one.
        return operation, _encoded(request)

    def _placed(self, operation: str, request: Any, path: tuple[Any, ...]) -> Any:
        value = copy.deepcopy(self._chance.choice(VALUES))
        return placed(INPUTS[operation], request, path, value)

    def _expression(self) -> Body:
        chance = self._chance
        operation = chance.choice(sorted(EXPRESSIONS))
        text = (
            chance.choice(EXTREME)
            if chance.random() < 0.03
            else chance.choice(["", " "]).join(chance.choices(TOKENS, k=chance.randrange(1, 25)))
        )
        request = copy.deepcopy(VALID[operation]) | {chance.choice(EXPRESSIONS[operation]): text}
        if chance.random() < 0.6:
            request["ExpressionAttributeValues"] = {":v": chance.choice(VALUES), ":w": {"N": "1"}}
        if chance.random() < 0.4:
            request["ExpressionAttributeNames"] = {"#a": chance.choice(TEXTS), "#b": "b"}
        return operation, _encoded(request)

    def _damaged(self) -> Body:
        """A body in whose bytes something is lost, doubled or replaced."""
        chance = self._chance
        operation, content = chance.choice([self._wrong_member, self._expression])()
        damaged = bytearray(content)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(damaged) + 1)
            match chance.randrange(4):
                case 0:
                    del damaged[at:]
                case 1:
                    del damaged[at : at + chance.randrange(1, 9)]
                case 2:
                    damaged[at:at] = chance.choice(
                        [b'"', b"{", b"}", b"[", b",", b":", b"\\", b"\xff", b"\0"]
                    )
                case _:
                    damaged[at:at] = damaged[at : at + 30]
        return operation, bytes(damaged)

    def _bomb(self) -> Body:
        return self._chance.choice(sorted(VALID)), self._chance.choice(JSON_BOMBS)

    def _nested(self) -> Body:
        """Attribute values around the depth that an item may have, and far beyond it."""
        depth = self._chance.choice([31, 32, 33, 63, 64, 126, 127, 500, 1000, 5000])
        opening, closing = self._chance.choice([(b'{"L":[', b"]}"), (b'{"M":{"a":', b"}}")])
        value = opening * depth + b'{"S":"x"}' + closing * depth
        operation, template = self._chance.choice(
            [
                ("PutItem", b'{"TableName":"users","Item":{"pk":{"S":"a"},"a":%b}}'),
                ("GetItem", b'{"TableName":"users","Key":{"pk":%b}}'),
                (
                    "UpdateItem",
                    b'{"TableName":"users","Key":{"pk":{"S":"a"}},"UpdateExpression":"SET a = :v",'
                    b'"ExpressionAttributeValues":{":v":%b}}',
                ),
                ("Query", b'{"TableName":"users","ExclusiveStartKey":{"pk":%b}}'),
            ]
        )
        return operation, template % value

    def _many(self) -> Body:
        """More of something than there may be."""
        chance = self._chance
        number = chance.choice([26, 101, 1000])
        put = {"PutRequest": {"Item": {"pk": {"S": "a"}}}}
        get = {"Get": {"TableName": "users", "Key": {"pk": {"S": "a"}}}}
        write = {"Put": {"TableName": "users", "Item": {"pk": {"S": "a"}}}}
        return chance.choice(
            [
                ("BatchWriteItem", _encoded({"RequestItems": {"users": [put] * number}})),
                ("BatchWriteItem", _encoded({"RequestItems": {f"t{at}": [put] for at in range(number)}})),
                (
                    "BatchGetItem",
                    _encoded({"RequestItems": {"users": {"Keys": [{"pk": {"S": "a"}}] * number}}}),
                ),
                ("TransactGetItems", _encoded({"TransactItems": [get] * number})),
                ("TransactWriteItems", _encoded({"TransactItems": [write] * number})),
                (
                    "PutItem",
                    _encoded({"TableName": "users", "Item": {str(at): {"S": "x"} for at in range(number)}}),
                ),
                (
                    "PutItem",
                    _encoded(
                        {"TableName": "users", "Item": {"pk": {"NS": [str(at) for at in range(number)]}}}
                    ),
                ),
            ]
        )


def _places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a request: (what holds it, its name or number)."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for at, member in members:
        yield value, at
        if isinstance(member, dict | list):
            yield from _places_in(member)


def _encoded(request: Any) -> bytes:
    return json.dumps(request, ensure_ascii=False).encode("utf-8", "surrogatepass")
