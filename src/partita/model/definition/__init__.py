"""The table that the declarations need: the request that creates it, drift, exports.

Imports `flows` and what is below it; neither reads nor writes items.
"""

from partita.model.definition.create_table import create_table_request, drift, time_to_live_request
from partita.model.definition.exports import Export, export

__all__ = ["Export", "create_table_request", "drift", "export", "time_to_live_request"]
