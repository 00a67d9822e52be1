"""The design of the service is proved; that of its naive version is refused, each part for its reason."""

from __future__ import annotations

import inspect

from click.testing import CliRunner
from examples.orders import naive_patterns, patterns, service

from partita.cli.root import command
from partita.design import Collect, Get, GetMany, Query, Write, check


def test_the_command_proves_every_pattern() -> None:
    done = CliRunner().invoke(command, ["design", "check", "examples.orders.patterns"])
    assert done.exit_code == 0, done.output
    assert "19 patterns, 19 proved" in done.output


def test_nothing_is_refused_and_nothing_warned_of() -> None:
    assert [(one.severity, one.subject) for one in check(patterns)] == [("accepted", '"place an order"')]


def test_the_service_runs_or_names_every_pattern_that_is_proved() -> None:
    source = inspect.getsource(service)
    declared = [
        name
        for name, value in vars(patterns).items()
        if isinstance(value, Collect | Get | GetMany | Query | Write)
    ]
    assert declared
    assert [name for name in declared if f"patterns.{name}" not in source] == []


def test_the_naive_design_is_refused_for_what_would_go_wrong() -> None:
    found = [(one.subject, one.rule) for one in check(naive_patterns) if one.severity == "refused"]
    assert sorted(found) == [
        ('"account by e-mail address, strongly"', "strong-gsi"),
        ('"order page"', "other-partition"),
        ('"orders of a customer"', "scan"),
        ('"pending orders"', "scan"),
        ('"place an order"', "batch-together"),
        ('"register an account"', "check-then-put"),
        ('"take an order"', "check-then-put"),
        ('"take from the stock"', "check-then-put"),
    ]
    done = CliRunner().invoke(command, ["design", "check", "examples.orders.naive_patterns"])
    assert done.exit_code == 1
