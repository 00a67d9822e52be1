"""Notes which parameters the tests of a run send, and holds docs/compatibility.md to it.

The tests in tests/api do not count: they check requests that no engine answers. Nor do generated requests,
which differ from run to run. A whole run fails if the page is stale; PARTITA_DOCS=write writes it instead.
Where several processes share a run, each tells the first one at its end.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import currently_in_test_context
from tools.compatibility_page import TARGET, page

from partita.api.checks import ACCEPTORS
from partita.api.shapes import INPUTS, Shape

DEFAULTS: dict[str, Any] = {
    "BillingMode": "PROVISIONED",
    "ConditionalOperator": "AND",
    "ConsistentRead": False,
    "DeletionProtectionEnabled": False,
    "ReturnConsumedCapacity": "NONE",
    "ReturnItemCollectionMetrics": "NONE",
    "ReturnValues": "NONE",
    "ReturnValuesOnConditionCheckFailure": "NONE",
    "ScanIndexForward": True,
    "TableClass": "STANDARD",
}
"""Values that ask for nothing, and so show nothing."""

_sent: dict[str, set[str]] = defaultdict(set)
STALE = pytest.StashKey[str]()
"""Why the page is not as it should be."""


def note(operation: str, shape: Shape, value: Any, outer: str = "") -> None:
    """Notes the paths of all parameters in an accepted request."""
    if shape.type == "structure":
        for name, inner in value.items():
            member = shape.members.get(name)
            if member is not None and inner != DEFAULTS.get(name, ...):
                path = f"{outer}.{name}" if outer else name
                _sent[operation].add(path)
                if _has_parameters(member.shape):
                    note(operation, member.shape, inner, path)
    elif shape.element is not None:
        for inner in value if shape.type == "list" else value.values():
            note(operation, shape.element, inner, f"{outer}[]")


@cache
def _has_parameters(shape: Shape) -> bool:
    """Whether a value of this shape holds parameters of its own, in lists and maps also: most hold data."""
    if shape.is_attribute_value:
        return False
    return shape.type == "structure" or (shape.element is not None and _has_parameters(shape.element))


def _noting(operation: str, accepts: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def accepts_and_notes(request: Any) -> bool:
        is_fine = accepts(request)
        if is_fine and not currently_in_test_context() and not _is_own_test():
            _sent.setdefault(operation, set())
            note(operation, INPUTS[operation], request)
        return is_fine

    return accepts_and_notes


def _is_own_test() -> bool:
    return os.environ.get("PYTEST_CURRENT_TEST", "").startswith("tests/api/")


for _operation, _accepts in list(ACCEPTORS.items()):
    ACCEPTORS[_operation] = _noting(_operation, _accepts)


def sent() -> dict[str, list[str]]:
    """What was noted in this process, in a form that one process can tell another."""
    return {operation: sorted(paths) for operation, paths in _sent.items()}


def add(others: dict[str, list[str]]) -> None:
    """Takes over what another process has noted."""
    for operation, paths in others.items():
        _sent[operation].update(paths)


def judge(session: pytest.Session) -> None:
    """At the end of a whole run: compares the page with what was sent, or writes it."""
    text = page({operation: frozenset(paths) for operation, paths in _sent.items()})
    if os.environ.get("PARTITA_DOCS") == "write":
        TARGET.write_text(text)
    elif not TARGET.exists() or TARGET.read_text() != text:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        session.config.stash[STALE] = "docs/compatibility.md is stale: run make pages"


def is_whole_run(config: pytest.Config) -> bool:
    option = config.option
    if (
        option.collectonly
        or option.keyword
        or option.markexpr
        or option.deselect
        or getattr(option, "lf", False)
    ):
        return False
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS
