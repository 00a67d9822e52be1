"""Access patterns, declared first and proved: each is one request, or the check says why it is not."""

from partita.design.reads import Collect, Get, Query, Scan, wished
from partita.design.writes import Write
from partita.model.parameters import P

__all__ = ["Collect", "Get", "P", "Query", "Scan", "Write", "wished"]
