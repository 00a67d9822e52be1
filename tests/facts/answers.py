"""What an answer must be: the whole of it, with matchers where the facts leave something open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_SERVICE = "com.amazonaws.dynamodb.v20120810#"
_CORAL_SERVICE = "com.amazon.coral.service#"
_NAMESPACES = {
    "ValidationException": "com.amazon.coral.validate#",
    "ThrottlingException": "com.amazon.coral.availability#",
} | dict.fromkeys(
    (
        "SerializationException",
        "UnknownOperationException",
        "MissingAuthenticationTokenException",
        "IncompleteSignatureException",
        "InvalidSignatureException",
        "UnrecognizedClientException",
        "AccessDeniedException",
        "InternalFailure",
    ),
    _CORAL_SERVICE,
)
_CAPITAL_MESSAGE = (
    "TransactionCanceledException",
    "TransactionInProgressException",
    "IdempotentParameterMismatchException",
    "AccessDeniedException",
)


class Matcher:
    """Stands in an expected answer where a fact leaves the exact value open."""

    def fits(self, actual: object) -> bool:
        raise NotImplementedError


@dataclass(frozen=True)
class Matching(Matcher):
    pattern: str

    def fits(self, actual: object) -> bool:
        return isinstance(actual, str) and re.fullmatch(self.pattern, actual, re.DOTALL) is not None


@dataclass(frozen=True)
class OneOf(Matcher):
    choices: tuple[Any, ...]

    def fits(self, actual: object) -> bool:
        return any(same(choice, actual) for choice in self.choices)


@dataclass(frozen=True)
class Unordered(Matcher):
    members: tuple[Any, ...]

    def fits(self, actual: object) -> bool:
        if not isinstance(actual, list) or len(actual) != len(self.members):
            return False
        left = list(actual)
        for member in self.members:
            place = next((i for i, candidate in enumerate(left) if same(member, candidate)), None)
            if place is None:
                return False
            del left[place]
        return True


@dataclass(frozen=True)
class Joined(Matcher):
    """A text of `parts` in any order between `before` and `after`."""

    before: str
    parts: tuple[str, ...]
    separator: str
    after: str

    def fits(self, actual: object) -> bool:
        if not (isinstance(actual, str) and actual.startswith(self.before) and actual.endswith(self.after)):
            return False
        middle = actual[len(self.before) : len(actual) - len(self.after)]
        return sorted(middle.split(self.separator)) == sorted(self.parts)


@dataclass(frozen=True)
class AnyBody(Matcher):
    """For steps that only prepare: another fact compares that answer."""

    def fits(self, actual: object) -> bool:
        return True


@dataclass(frozen=True)
class AnyNumber(Matcher):
    least: float

    def fits(self, actual: object) -> bool:
        return isinstance(actual, (int, float)) and not isinstance(actual, bool) and actual >= self.least


def any_number(least: float = 0) -> Matcher:
    return AnyNumber(least)


def any_text() -> Matcher:
    """Any text: the fact says that it is not known or cannot be reproduced."""
    return Matching(r".+")


def matching(pattern: str) -> Matcher:
    """A text that the regular expression describes wholly."""
    return Matching(pattern)


def one_of(*choices: Any) -> Matcher:
    return OneOf(choices)


def unordered(*members: Any) -> Matcher:
    """A list of these members in any order."""
    return Unordered(members)


def any_order(value: dict[str, Any]) -> dict[str, Any]:
    """A set's AttributeValue, its members in any order (fact 3.26)."""
    ((kind, members),) = value.items()
    return {kind: Unordered(tuple(members))}


def joined(before: str, *parts: str, separator: str = "; ", after: str = "") -> Matcher:
    """A text that lists `parts` in an order that no fact gives."""
    return Joined(before, parts, separator, after)


def same(expected: Any, actual: Any) -> bool:
    """Deep equality, with matchers; true is not 1."""
    if isinstance(expected, Matcher):
        return expected.fits(actual)
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and expected.keys() == actual.keys()
            and all(same(value, actual[key]) for key, value in expected.items())
        )
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(same(left, right) for left, right in zip(expected, actual, strict=True))
        )
    return isinstance(expected, bool) == isinstance(actual, bool) and bool(expected == actual)


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any

    def fits(self, actual: Answer) -> bool:
        return self.status == actual.status and same(self.body, actual.body)


def success(body: Any) -> Answer:
    return Answer(200, body)


def error(name: str, message: str | Matcher | None, **members: Any) -> Answer:
    """An error's whole body: its name with the namespace of facts 1.5 - 1.7, and the message's key of 1.8."""
    body: dict[str, Any] = {"__type": _NAMESPACES.get(name, _SERVICE) + name}
    if message is not None:
        body["Message" if name in _CAPITAL_MESSAGE else "message"] = message
    return Answer(500 if name == "InternalServerError" else 400, body | members)


def reasons(*codes: str | tuple[str, str] | dict[str, Any]) -> Answer:
    """A cancelled transaction: one reason an action, `None`, (code, message) or a whole reason."""
    listed: list[dict[str, Any]] = []
    for code in codes:
        if isinstance(code, dict):
            listed.append(code)
        elif isinstance(code, str):
            listed.append({"Code": code})
        else:
            listed.append({"Code": code[0], "Message": code[1]})
    names = ", ".join(reason["Code"] for reason in listed)
    return error(
        "TransactionCanceledException",
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{names}]",
        CancellationReasons=listed,
    )


def items(*expected: dict[str, Any], scanned: int | None = None, **members: Any) -> dict[str, Any]:
    """The body of a Query or Scan that found these items, in this order."""
    return {
        "Items": list(expected),
        "Count": len(expected),
        "ScannedCount": len(expected) if scanned is None else scanned,
    } | members


def items_in_any_order(
    expected: Sequence[dict[str, Any]], scanned: int | None = None, **members: Any
) -> dict[str, Any]:
    return items(*expected, scanned=scanned, **members) | {"Items": Unordered(tuple(expected))}


def constraint(value: str | None, member: str, rule: str) -> str:
    """The text of a constraint failure, without its prefix; `value` is what is echoed, None null."""
    shown = "null" if value is None else f"'{value}'"
    return f"Value {shown} at '{member}' failed to satisfy constraint: {rule}"


def null(member: str) -> str:
    return constraint(None, member, "Member must not be null")


def length_at_least(value: str, member: str, least: int) -> str:
    return constraint(value, member, f"Member must have length greater than or equal to {least}")


def length_at_most(value: str, member: str, most: int) -> str:
    return constraint(value, member, f"Member must have length less than or equal to {most}")


def not_in(value: str, member: str, choices: str) -> str:
    """The text of a wrong enum value; `choices` as the service lists them."""
    return constraint(value, member, f"Member must satisfy enum value set: [{choices}]")
