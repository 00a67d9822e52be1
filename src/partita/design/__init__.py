"""Access patterns, declared first and proved: each is one request, or the check says why it is not."""

# Before all else: it says what is missing where pydantic is.
import partita.model  # noqa: F401
from partita.design.check import check, is_proved
from partita.design.designs import Design, design_of
from partita.design.diff import Step, diff
from partita.design.export import exported, read_exported
from partita.design.findings import Accept, Finding
from partita.design.html import html
from partita.design.markdown import markdown
from partita.design.prices import Prices, Traffic
from partita.design.reads import Collect, Get, GetMany, Query, QueryBounds, Scan, wished
from partita.design.report import Report, report
from partita.design.testing import assert_pattern, assert_proved
from partita.design.transact_gets import TransactGet
from partita.design.verify import Problem, Verification, verify
from partita.design.writes import Write
from partita.model.values.parameters import P

__all__ = [
    "Accept",
    "Collect",
    "Design",
    "Finding",
    "Get",
    "GetMany",
    "P",
    "Prices",
    "Problem",
    "Query",
    "QueryBounds",
    "Report",
    "Scan",
    "Step",
    "Traffic",
    "TransactGet",
    "Verification",
    "Write",
    "assert_pattern",
    "assert_proved",
    "check",
    "design_of",
    "diff",
    "exported",
    "html",
    "is_proved",
    "markdown",
    "read_exported",
    "report",
    "verify",
    "wished",
]
