"""A start on a disk that is full: one line, exit code 2, nothing touched; with space again, all is there."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from partita import Database

from .full_disk import SmallDisk, can_mount, small_disk
from .tables import CREATE_PLAIN, PLAIN

FULL: Final = ["limited files", *(["small disk"] if can_mount() else [])]
NAME: Final = "partita.db"


class NoSpace:
    """A folder, and a way to run `partita serve` there without space."""

    def __init__(self, folder: Path, disk: SmallDisk | None) -> None:
        self.folder = folder
        self._disk = disk

    def serve(self) -> subprocess.CompletedProcess[str]:
        if self._disk is None:
            return self._run(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)))
        self._disk.run_out()
        try:
            return self._run(None)
        finally:
            self._disk.come_back()

    def _run(self, first: Callable[[], None] | None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "partita", "serve", "--port", "0", "--data", str(self.folder / NAME)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            cwd="/",
            preexec_fn=first,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    def contents(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}


@pytest.fixture(params=FULL)
def no_space(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NoSpace]:
    if request.param == "limited files":
        yield NoSpace(tmp_path, None)
        return
    with small_disk() as disk:
        yield NoSpace(disk.folder, disk)


def test_a_new_file(no_space: NoSpace) -> None:
    assert _refusal(no_space)
    assert no_space.contents() == {}


def test_a_file_with_data(no_space: NoSpace) -> None:
    item = {"pk": {"S": "a"}}
    path = no_space.folder / NAME
    with Database(path) as database:
        database.call("CreateTable", CREATE_PLAIN)
        database.call("PutItem", {"TableName": PLAIN, "Item": item})
    before = no_space.contents()
    assert _refusal(no_space)
    assert no_space.contents() == before
    with Database(path) as database:
        assert database.call("GetItem", {"TableName": PLAIN, "Key": item}) == {"Item": item}


def _refusal(no_space: NoSpace) -> str:
    done = no_space.serve()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("partita: ")
    assert done.stderr.count("\n") == 1
    assert str(no_space.folder / NAME) in done.stderr
    return done.stderr
