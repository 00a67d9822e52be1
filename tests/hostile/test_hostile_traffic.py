"""Hostile traffic against a real server: nothing is a 500, nothing hangs, nothing piles up in memory, and who
behaves is served all the while."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from tests.api.valid_requests import VALID
from tests.counts import HOSTILE_REQUESTS
from tests.durability.connection import Connection
from tests.durability.server_process import ServerProcess
from tests.durability.spawner import Spawner

from .attackers import Attacker, Dawdler
from .messages import Messages, extremes
from .rich_requests import CREATE_DEEP, CREATE_LATER, DEEP, DELETE_LATER, ITEM

ATTACKERS: Final = 8
AT_ONCE: Final = 12
"""Sound requests of a connection that are sent together."""
UNSOUND: Final = 2
"""Messages that are no sound request, after each of those."""
DAWDLERS: Final = 10
INDEXES: Final = 60
"""As many as it takes to fill the cache of prepared statements."""
MOST_GROWTH_BYTES: Final = 10 << 20
TABLE: Final = VALID["CreateTable"] | {"BillingMode": "PAY_PER_REQUEST", "DeletionProtectionEnabled": True}


@pytest.mark.timeout(max(120, HOSTILE_REQUESTS // 100))
def test_hostile_traffic(tmp_path: Path) -> None:
    with Spawner() as spawner:
        asyncio.run(_run(spawner, tmp_path))


async def _run(spawner: Spawner, folder: Path) -> None:
    server = ServerProcess(spawner, folder / "partita.db", "--durability", "relaxed")
    await server.ready()
    polite = await server.connect()
    for table in (TABLE, CREATE_DEEP):
        await polite.call("CreateTable", table)
    chance = random.Random(5)
    messages = Messages(chance)
    dawdlers = [
        asyncio.create_task(Dawdler(server.port, messages.framed().data).run()) for _ in range(DAWDLERS)
    ]
    attackers = [Attacker(server.port) for _ in range(ATTACKERS)]
    await asyncio.gather(*(_utmost(attacker) for attacker in attackers))
    await _fill_caches(polite)
    sent, early_bytes, statuses = 0, 0, Counter[int]()
    while sent < HOSTILE_REQUESTS:
        await asyncio.gather(*(_burst(attacker, messages) for attacker in attackers))
        sent += ATTACKERS * (AT_ONCE + UNSOUND)
        await _is_served(polite, sent)
        if not early_bytes and sent >= HOSTILE_REQUESTS // 10:
            early_bytes = _resident_bytes(server.pid)
    growth_bytes = _resident_bytes(server.pid) - early_bytes
    for attacker in attackers:
        statuses += attacker.statuses
    for task in dawdlers:
        task.cancel()
    server.stop()
    assert not server.errors()
    assert statuses[200]
    assert all(status < 500 for status in statuses), statuses
    assert growth_bytes <= MOST_GROWTH_BYTES


async def _utmost(attacker: Attacker) -> None:
    """The largest and deepest of all at once: what they make the server keep, it keeps from then on."""
    framed = [message for message in extremes() if message.is_framed]
    for at in range(0, len(framed), AT_ONCE):
        await attacker.pipeline(framed[at : at + AT_ONCE])
    for message in extremes():
        if not message.is_framed:
            await attacker.attack(message)


async def _fill_caches(connection: Connection) -> None:
    """Of prepared statements, which each new index fills a little."""
    await connection.call("PutItem", {"TableName": DEEP, "Item": ITEM})
    for change in [CREATE_LATER, DELETE_LATER] * INDEXES:
        await connection.call("UpdateTable", change)
        await connection.call("Scan", {"TableName": DEEP})


async def _burst(attacker: Attacker, messages: Messages) -> None:
    await attacker.pipeline([messages.framed() for _ in range(AT_ONCE)])
    for _ in range(UNSOUND):
        await attacker.attack(messages.unframed())


async def _is_served(connection: Connection, number: int) -> None:
    """A client that behaves."""
    item = {"pk": {"S": "polite"}, "number": {"N": str(number)}}
    await connection.call("PutItem", {"TableName": "users", "Item": item})
    read = {"TableName": "users", "Key": {"pk": {"S": "polite"}}, "ConsistentRead": True}
    assert (await connection.call("GetItem", read))["Item"] == item


def _resident_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("the process has no memory")
