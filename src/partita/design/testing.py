"""For test suites: `assert_proved(orders.patterns)`."""

from __future__ import annotations

from partita.design.check import check
from partita.design.designs import Design, Source


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
