"""Space runs out under a server that is in use: its clients get internal errors and no wrong answer, what was
acknowledged stays readable, and when there is space again it goes on. Then it is killed."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import pytest
from tests.counts import FULL_DISKS

from .clients import Clients
from .connection import Connection
from .full_disk import LimitedFiles, Space, can_mount, small_disk
from .knowledge import Knowledge
from .offline import problems_of_file, problems_once_settled
from .server_process import ServerProcess
from .spawner import Spawner
from .tables import BY_COLOR, ORDERS, PLAIN, wire_key
from .workload import ACCOUNTS, account

CLIENTS: Final = 4
FILLING: Final = 200
FAILURES: Final = 30
MOST_ANSWERS: Final = 60

QUERY: Final = {
    "TableName": ORDERS,
    "IndexName": BY_COLOR,
    "KeyConditionExpression": "color = :c",
    "ExpressionAttributeValues": {":c": {"S": "grey"}},
}

FAILS: Final = "partita: the store fails, requests are answered with 500: "
WORKS: Final = "partita: the store works again"

ROUNDS_A_DISK: Final = 2
"""A file that has once grown needs no more space for what is written later: then nothing runs out."""


@contextmanager
def limited_files() -> Iterator[Space]:
    with tempfile.TemporaryDirectory(prefix="partita-") as name:
        yield LimitedFiles(Path(name))


SPACES: Final[dict[str, Callable[[], AbstractContextManager[Space]]]] = {
    "limited files": limited_files,
    **({"small disk": small_disk} if can_mount() else {}),
}


@pytest.mark.parametrize("profile", ["instant", "aws"])
@pytest.mark.parametrize("kind", SPACES)
def test_space_runs_out_and_comes_back(kind: str, profile: str) -> None:
    for disk in range(FULL_DISKS // ROUNDS_A_DISK):
        with SPACES[kind]() as space, Spawner() as spawner:
            asyncio.run(_run(spawner, space, profile, disk))


async def _run(spawner: Spawner, space: Space, profile: str, disk: int) -> None:
    chance = random.Random(f"{profile} {disk}")
    known = Knowledge(CLIENTS)
    clients = Clients(known, chance, pipelined=1)
    path = space.folder / "partita.db"
    server = ServerProcess(spawner, path, "--profile", profile)
    await server.ready()
    await known.prepare((await server.connect()).call, FILLING)
    for _ in range(ROUNDS_A_DISK):
        tasks = await clients.begin(server.connect)
        await clients.reach(clients.progress, chance.randrange(1, MOST_ANSWERS), tasks)
        space.run_out(server.pid)
        await clients.reach(clients.failures, FAILURES, tasks)
        await clients.stop(tasks)
        await _reads_go_on(await server.connect())
        tasks = await clients.begin(server.connect)
        space.come_back(server.pid)
        await clients.reach(clients.progress, MOST_ANSWERS, tasks)
        await clients.stop(tasks)
        known.trust_answers()
        problems = await known.problems(
            (await server.connect()).call, lambda: asyncio.sleep(0.02), with_counts=profile == "instant"
        )
        assert not problems, "\n".join(problems)
    # What it says goes to the same disk, and may be lost like everything else.
    for line in server.errors().splitlines():
        assert line.startswith((FAILS, WORKS))
    # It says so once a time that it fails, not once a request; how often small writes still fit is chance.
    assert server.errors().count(FAILS) <= ROUNDS_A_DISK * FAILURES // 3
    server.kill()
    assert not problems_of_file(path)
    assert not problems_once_settled(path)


async def _reads_go_on(connection: Connection) -> None:
    """Of what is acknowledged."""
    for number in range(ACCOUNTS):
        read = {"TableName": PLAIN, "Key": wire_key(account(number)), "ConsistentRead": True}
        assert "balance" in (await connection.call("GetItem", read))["Item"]
    assert (await connection.call("Query", QUERY))["Count"] > 0
