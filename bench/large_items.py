"""What a Get of a small item costs where every second item has 300 KB, against one where none has."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench import load, servers
from bench.cost import Cost
from bench.workloads import Request, Workload, item, key

LARGE_BYTES = 300_000
_PLAIN_TABLE = "bench-plain"
_MIXED_TABLE = "bench-mixed"


def run(items: int, rounds: int) -> dict[str, Cost]:
    """The cost of a Get in both tables, in rounds that take turns. Each has `items` small items.

    Small items have even numbers; in the mixed table the large ones stand between them.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.db"
        _load(path, items)
        with servers.partita(path) as server:
            return load.run_in_turns(
                server, [_get("usual", _PLAIN_TABLE), _get("half of it large", _MIXED_TABLE)], items, rounds
            )


def _get(name: str, table: str) -> Workload:
    def request(number: int) -> Request:
        return {"TableName": table, "Key": key(2 * number)}

    return Workload(name, "GetItem", request, None, None)


def _load(path: Path, items: int) -> None:
    from partita import Database

    with Database(str(path), durability="relaxed") as database:
        for table in (_PLAIN_TABLE, _MIXED_TABLE):
            servers.make_table(database.call, table)
            for number in range(0, 2 * items, 2):
                database.call("PutItem", {"TableName": table, "Item": item(number)})
                if table == _MIXED_TABLE:
                    large = item(number + 1) | {"blob": {"S": "x" * LARGE_BYTES}}
                    database.call("PutItem", {"TableName": table, "Item": large})
