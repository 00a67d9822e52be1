"""The words of the table: sections hold facts, facts hold cases, cases hold steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.facts.answers import Answer, AnyBody, Matcher, error, success

if TYPE_CHECKING:
    from tests.facts.client import Client

DETECTED = "1 validation error detected: "


@dataclass(frozen=True)
class Request:
    operation: str
    parameters: Any

    def gives(self, body: Any) -> Step:
        """Answered with status 200 and exactly this body."""
        return Step(self, success(body))

    def succeeds(self) -> Step:
        """Answered with status 200, for a step that only prepares."""
        return Step(self, success(AnyBody()))

    def answers(self, answer: Answer) -> Step:
        return Step(self, answer)

    def fails(self, message: str | Matcher | None, name: str = "ValidationException", **members: Any) -> Step:
        return Step(self, error(name, message, **members))

    def detects(self, text: str) -> Step:
        """Fails with a ValidationException whose text bears the prefix of section 0."""
        return self.fails(DETECTED + text)


@dataclass(frozen=True)
class Step:
    request: Request
    answer: Answer


@dataclass(frozen=True)
class Advance:
    """Time passes."""

    seconds: float


@dataclass(frozen=True)
class Await:
    """Time passes until the table and its indexes are active."""

    table: str


@dataclass(frozen=True)
class Begin:
    """A request that must not be answered yet; `Finish` with the same name waits for its answer."""

    name: str
    request: Request


@dataclass(frozen=True)
class Finish:
    name: str
    answer: Answer


AnyStep = Step | Advance | Await | Begin | Finish


@dataclass(frozen=True)
class Case:
    """Steps on a database of its own. `profile` is the consistency profile that the case needs."""

    steps: tuple[AnyStep, ...]
    profile: str = "instant"


@dataclass(frozen=True)
class Program:
    """A case that one list of steps cannot say; `run` raises AssertionError if the fact does not hold."""

    run: Callable[[Client], None]
    profile: str = "instant"


@dataclass(frozen=True)
class Wire:
    """A case over a real connection: `run` gets the address of a server on loopback."""

    run: Callable[[tuple[str, int]], None]
    options: tuple[str, ...] = ()
    """Of `partita serve`, beside those for memory and a free port."""


AnyCase = Case | Program | Wire


@dataclass(frozen=True)
class Fact:
    number: str
    mark: str
    """What the page prints in brackets at the end of the line; empty if the marks stand in the text."""
    text: str
    cases: tuple[AnyCase, ...] = ()
    reason: str = ""
    """Why no case can show the fact."""
    is_later: bool = False

    @property
    def line(self) -> str:
        later = "[later] " if self.is_later else ""
        mark = f" ({self.mark})" if self.mark else ""
        return f"- **{self.number}** {later}{self.text}{mark}"


@dataclass(frozen=True)
class Section:
    number: int
    title: str
    facts: tuple[Fact, ...] = field(default=())


def section(number: int, title: str, *facts: Fact) -> Section:
    return Section(number, title, facts)


def fact(number: str, mark: str, text: str, *cases: AnyCase | AnyStep, reason: str = "") -> Fact:
    """A fact with its cases; a step that stands alone is a case."""
    whole = tuple(Case((item,)) if isinstance(item, AnyStep) else item for item in cases)
    return Fact(number, mark, text, whole, reason)


def later(number: str, mark: str, text: str) -> Fact:
    """A fact of a feature that is not built yet."""
    return Fact(number, mark, text, is_later=True)


def case(*steps: AnyStep, profile: str = "instant") -> Case:
    return Case(steps, profile)
