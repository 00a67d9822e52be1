"""A file that cannot be used is refused with one line that says why, and is left as it was."""

from __future__ import annotations

import os
import pwd
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from partita.storage import StoreUnusable
from partita.storage.sqlite import SqliteStore
from partita.storage.statements import APPLICATION_ID, FORMAT

from .workload import put, run


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other users than root can enter too."""
    name = tempfile.mkdtemp(prefix="partita-")
    os.chmod(name, 0o755)
    yield Path(name)
    shutil.rmtree(name)


def make(path: Path) -> None:
    store = SqliteStore(path, lambda: 1)
    store.create_space(1)
    put(store, 1, b"p", b"s", b"value")
    store.commit()
    store.close()


def refusal(path: Path | str) -> str:
    with pytest.raises(StoreUnusable) as raised:
        SqliteStore(path, lambda: 1)
    return str(raised.value)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def as_nobody(function: Callable[[], str]) -> str:
    """What the function gives when somebody runs it who may not do everything."""
    if os.geteuid() != 0:
        return function()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(pwd.getpwnam("nobody").pw_gid)
            os.setuid(pwd.getpwnam("nobody").pw_uid)
            os.write(writer, function().encode())
        except BaseException as error:
            os.write(writer, repr(error).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode()
    os.waitpid(child, 0)
    return text


def owned_by_nobody(*paths: Path) -> None:
    if os.geteuid() == 0:
        for path in paths:
            os.chown(path, pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid)


def test_a_new_file_and_again(folder: Path) -> None:
    path = folder / "partita.db"
    make(path)
    assert contents(folder).keys() == {"partita.db"}
    store = SqliteStore(str(path), lambda: 1)
    assert run(store.get(1, b"p", b"s")) == (b"value", 5, 1)
    store.close()


def test_an_empty_file_is_as_good_as_none(folder: Path) -> None:
    path = folder / "partita.db"
    path.touch()
    make(path)
    SqliteStore(path, lambda: 1).close()


def test_the_file_is_named_as_ours(folder: Path) -> None:
    path = folder / "partita.db"
    make(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    connection.close()


def test_a_folder(folder: Path) -> None:
    assert refusal(folder) == f"{folder} is a folder: give the path of a file in it"


def test_no_folder(folder: Path) -> None:
    path = folder / "none" / "partita.db"
    assert refusal(path) == f"there is no folder {folder}/none: create it or give another path"


def test_a_file_where_the_folder_should_be(folder: Path) -> None:
    (folder / "file").touch()
    assert refusal(folder / "file" / "partita.db") == f"{folder}/file is not a folder: give another path"


def test_not_a_file(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert refusal(folder / "pipe") == f"{folder}/pipe is not a file: give another path"


def test_a_name_too_long(folder: Path) -> None:
    path = folder / ("x" * 300)
    assert refusal(path) == f"cannot open {path}: File name too long"


@pytest.mark.parametrize("content", [b"x", b"SQLite format 3\0", b"not a database " * 1000, bytes(8192)])
def test_any_file_of_another_program(folder: Path, content: bytes) -> None:
    path = folder / "partita.db"
    path.write_bytes(content)
    assert refusal(path) == f"{path} is a file of another program: give another path"
    assert contents(folder) == {"partita.db": content}


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_database_of_another_program(folder: Path, mode: str) -> None:
    path = folder / "partita.db"
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA journal_mode = {mode}")
    other.execute("CREATE TABLE rows_1 (x)")
    before = contents(folder)
    assert refusal(path) == f"{path} is a file of another program: give another path"
    assert contents(folder) == before
    other.close()


@pytest.mark.parametrize("is_in_log", [False, True])
def test_a_newer_format(folder: Path, is_in_log: bool) -> None:
    path = folder / "partita.db"
    make(path)
    newer = apsw.Connection(str(path))
    newer.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(is_in_log))
    newer.pragma("locking_mode", "EXCLUSIVE")
    newer.pragma("user_version", FORMAT + 1)
    newer.close()
    before = contents(folder)
    assert ("partita.db-wal" in before) == is_in_log
    assert (
        refusal(path)
        == f"{path} was written by a newer Partita (format {FORMAT + 1}, this one knows {FORMAT}): upgrade"
    )
    assert contents(folder) == before


def test_damaged(folder: Path) -> None:
    path = folder / "partita.db"
    make(path)
    content = path.read_bytes()
    path.write_bytes(content[:100] + bytes(len(content) - 100))
    before = contents(folder)
    assert refusal(path).startswith(f"{path} is damaged (")
    assert contents(folder) == before


def test_in_use_here(folder: Path) -> None:
    path = folder / "partita.db"
    store = SqliteStore(path, lambda: 1)
    assert refusal(path) == f"{path} is in use by another process: stop it or give another path"
    assert in_another_process(path) == f"{path} is in use by another process: stop it or give another path"
    store.create_space(1)
    store.commit()
    store.close()
    assert in_another_process(path) == "opened"


def in_another_process(path: Path) -> str:
    program = (
        "import sys\n"
        "from partita.storage import StoreUnusable\n"
        "from partita.storage.sqlite import SqliteStore\n"
        "try:\n"
        "    SqliteStore(sys.argv[1], lambda: 1).close()\n"
        "    print('opened')\n"
        "except StoreUnusable as unusable:\n"
        "    print(unusable)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    return ended.stdout.strip()


def test_a_forked_child_leaves_the_file_alone(folder: Path) -> None:
    path = folder / "partita.db"
    store = SqliteStore(path, lambda: 1)
    store.create_space(1)
    put(store, 1, b"p", b"s", b"value")
    store.commit()
    before = contents(folder)
    child = os.fork()
    if not child:
        store.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert contents(folder) == before
    assert refusal(path)
    put(store, 1, b"p", b"t", b"value")
    store.commit()
    assert store.check() == []
    store.close()


def test_read_only(folder: Path) -> None:
    path = folder / "partita.db"
    make(path)
    owned_by_nobody(folder, path)
    path.chmod(0o444)
    before = contents(folder)
    expected = f"{path} is read-only: make it writable, or copy it and open the copy"
    assert as_nobody(lambda: refusal(path)) == expected
    assert contents(folder) == before


def test_no_permission_to_read(folder: Path) -> None:
    path = folder / "partita.db"
    make(path)
    owned_by_nobody(folder, path)
    path.chmod(0)
    expected = f"no permission to read {path}: change its mode or give another path"
    assert as_nobody(lambda: refusal(path)) == expected


def test_no_permission_to_create(folder: Path) -> None:
    path = folder / "partita.db"
    owned_by_nobody(folder)
    folder.chmod(0o555)
    expected = f"no permission to create files in {folder}: give another path"
    assert as_nobody(lambda: refusal(path)) == expected
    assert contents(folder) == {}


def test_no_permission_to_create_beside(folder: Path) -> None:
    path = folder / "partita.db"
    make(path)
    owned_by_nobody(folder, path)
    folder.chmod(0o555)
    before = contents(folder)
    expected = f"no permission to create files in {folder}, beside {path}: change its mode"
    assert as_nobody(lambda: refusal(path)) == expected
    assert contents(folder) == before


def test_no_permission_to_enter(folder: Path) -> None:
    path = folder / "inner" / "partita.db"
    path.parent.mkdir()
    make(path)
    owned_by_nobody(path.parent)
    path.parent.chmod(0)
    expected = f"no permission to enter {folder}/inner: change its mode or give another path"
    assert as_nobody(lambda: refusal(path)) == expected


def test_too_little_space(folder: Path) -> None:
    """A limit on the size of files stands for the full disk of a new file."""
    path = folder / "partita.db"

    def limited() -> str:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        return refusal(path)

    owned_by_nobody(folder)
    assert str(path) in as_nobody(limited)
    assert contents(folder) == {}
