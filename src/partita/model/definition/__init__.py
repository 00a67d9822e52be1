"""The table that the declarations need: the request that creates it, drift, exports.

Imports `flows` and what is below it; neither reads nor writes items.
"""

from partita.model.definition.drift import drift
from partita.model.definition.exports import Export, export
from partita.model.definition.table_requests import create_table_request, time_to_live_request

__all__ = ["Export", "create_table_request", "drift", "export", "time_to_live_request"]
