"""Access patterns, declared first and proved: each is one request, or the check says why it is not."""

from partita.design.check import check, is_proved
from partita.design.designs import Design, design_of
from partita.design.findings import Accept, Finding
from partita.design.reads import Collect, Get, GetMany, Query, Scan, wished
from partita.design.transact_gets import TransactGet
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
    "Query",
    "Scan",
    "TransactGet",
    "Write",
    "check",
    "design_of",
    "is_proved",
    "wished",
]
