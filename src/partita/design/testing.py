"""For test suites: `assert_proved(orders.patterns)`, `with assert_pattern(PLACE_ORDER, session): …`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from partita.design.check import check
from partita.design.conformance import declared_text, differences, spoken
from partita.design.designs import Design, Pattern, Source
from partita.design.patterns import PatternKind
from partita.model.sessions.async_session import AsyncSession
from partita.model.sessions.session import Session


def assert_proved(source: Source | Design, *, allow_warnings: bool = True) -> None:
    """Raises AssertionError with every reason why a design is not proved.

        def test_every_access_pattern_is_one_request() -> None:
            assert_proved(shop.patterns)

    Warnings count as reasons too unless they are allowed.
    """
    __tracebackhide__ = True
    counted = {"refused"} if allow_warnings else {"refused", "warning"}
    found = [str(finding) for finding in check(source) if finding.severity in counted]
    if found:
        raise AssertionError("the design is not proved:\n" + "\n".join(f"- {one}" for one in found))


@contextmanager
def assert_pattern(
    pattern: Pattern, session: Session | AsyncSession, *, including: bool = False
) -> Iterator[None]:
    """Raises AssertionError unless what the session sends inside is exactly what the pattern declares.

        with assert_pattern(PLACE_ORDER, session):
            service.place_order(…)

    A read pattern: one request (one for each shard), of this kind, of this index, nothing else. A write
    pattern: its writes in one request (or in its batches), of the entities that it names and no more of them,
    guarded ones with a condition; before them only reads that `decided_by` declares. A request that was sent
    again counts once. `including`: the code reads its own writes beside a query (`including=`).
    """
    __tracebackhide__ = True
    if not isinstance(pattern, PatternKind) or not isinstance(session, Session | AsyncSession):
        raise TypeError(f"assert_pattern takes a pattern and a session, not {pattern!r} and {session!r}")
    with session.recording() as sent:
        yield
    found = differences(pattern, sent, lambda table: session.table_name(table.cls), including=including)
    if found:
        lines = [f"{number}. {spoken(one)}" for number, one in enumerate(sent, 1)] or ["nothing"]
        raise AssertionError(
            f'"{pattern.name}" is not what was sent:\n'
            + "\n".join(f"- {one}" for one in found)
            + f"\ndeclared: {declared_text(pattern)}\nsent:\n"
            + "\n".join(f"  {line}" for line in lines)
        )
