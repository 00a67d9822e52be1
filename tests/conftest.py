"""What holds for every test: hypothesis under load, and that nothing is skipped where it counts."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests import counts, sent_parameters

# How long an example takes says more about what else the machine does than about the code.
settings.register_profile(
    "partita",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
settings.load_profile("partita")


def pytest_collection_finish() -> None:
    """Thousands of cases stay to the end: collections of garbage looked at them for a quarter of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which the gate does not take: {report.longrepr}"
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A process that ran some of the tests has ended."""
    sent_parameters.add(getattr(node, "workeroutput", {}).get("sent", {}))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    worker: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if worker is not None:
        worker["sent"] = sent_parameters.sent()
    elif exitstatus == pytest.ExitCode.OK and sent_parameters.is_whole_run(session.config):
        sent_parameters.judge(session)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in counts.summary():
        terminalreporter.write_line(line)
    stale = terminalreporter.config.stash.get(sent_parameters.STALE, None)
    if stale is not None:
        terminalreporter.write_line(stale, red=True)
