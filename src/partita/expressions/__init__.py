"""Everything of a request that is an expression, placeholders and legacy parameters included.

`prepare` checks it all and compiles it: one lexer, one family of grammars and one tree for condition,
filter, key condition, projection and update; the legacy parameters become the same tree.
"""

from partita.expressions.key_conditions import INDEXABLE, KeyCondition
from partita.expressions.prepare import check_before_start, check_earlier, prepare
from partita.expressions.prepared import NOTHING, Prepared
from partita.expressions.projection import Projection
from partita.expressions.takes import (
    BATCH_GET,
    DELETE,
    GET,
    PUT,
    QUERY,
    SCAN,
    TX_CHECK,
    TX_DELETE,
    TX_GET,
    TX_PUT,
    TX_UPDATE,
    UPDATE,
    Takes,
)
from partita.expressions.tree import Path
from partita.expressions.update import Update

__all__ = [
    "BATCH_GET",
    "DELETE",
    "GET",
    "INDEXABLE",
    "NOTHING",
    "PUT",
    "QUERY",
    "SCAN",
    "TX_CHECK",
    "TX_DELETE",
    "TX_GET",
    "TX_PUT",
    "TX_UPDATE",
    "UPDATE",
    "KeyCondition",
    "Path",
    "Prepared",
    "Projection",
    "Takes",
    "Update",
    "check_before_start",
    "check_earlier",
    "prepare",
]
