"""`partita check`, `backup`, `dump` and `load`."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.cli.conftest import Served, run_here

import partita as package
from partita.cli.definitions import create_request
from partita.cli.server_file import ServerFile
from partita.cli.verification import Verification
from partita.engine.catalogue import FIRST_SPACE
from partita.storage import StoreFailed
from partita.storage.sqlite import SqliteStore

Run = Callable[..., subprocess.CompletedProcess[str]]
Serve = Callable[..., Served]

MUSIC = {
    "TableName": "music",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": kind}
        for name, kind in (("artist", "S"), ("label", "S"), ("title", "S"), ("year", "N"))
    ],
    "KeySchema": [
        {"AttributeName": "artist", "KeyType": "HASH"},
        {"AttributeName": "title", "KeyType": "RANGE"},
    ],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "by-year",
            "KeySchema": [
                {"AttributeName": "artist", "KeyType": "HASH"},
                {"AttributeName": "year", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["label"]},
        }
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by-label",
            "KeySchema": [{"AttributeName": "label", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
}


def item(number: int) -> dict[str, dict[str, str]]:
    members = {"artist": {"S": f"artist {number % 7}"}, "title": {"S": f"title {number}"}}
    if number % 2:
        members["year"] = {"N": str(1700 + number % 5)}
    if number % 3:
        members["label"] = {"S": f"label {number % 4}"}
    members["cover"] = {"B": "AAEC"}
    return members


def fill(path: Path, **settings: object) -> None:
    with package.Database(path, **settings) as db:  # type: ignore[arg-type]
        db.call("CreateTable", {**MUSIC, "Tags": [{"Key": "a", "Value": "b"}]})
        db.call("DescribeTable", {"TableName": "music"})
        for number in range(200):
            db.call("PutItem", {"TableName": "music", "Item": item(number)})
        db.call(
            "UpdateTimeToLive",
            {"TableName": "music", "TimeToLiveSpecification": {"AttributeName": "until", "Enabled": True}},
        )


def scanned(path: Path) -> list[object]:
    with package.Database(path) as db:
        page = db.call("Scan", {"TableName": "music"})
    return sorted(page["Items"], key=json.dumps)


def test_dump_and_load(partita: Run, folder: Path) -> None:
    fill(folder / "partita.db")
    dumped = partita("dump")
    assert dumped.returncode == 0
    assert dumped.stderr == "music: 200 items\n"
    first, *items = dumped.stdout.splitlines()
    assert json.loads(first)["Table"] == {
        "Account": "000000000000",
        "Region": "us-east-1",
        "CreateTable": {**MUSIC, "DeletionProtectionEnabled": False, "Tags": [{"Key": "a", "Value": "b"}]},
        "TimeToLive": "until",
    }
    assert len(items) == 200
    loaded = partita("load", "--data", "copy.db", input=dumped.stdout)
    assert (loaded.returncode, loaded.stderr) == (0, "music: 200 items\n")
    assert scanned(folder / "copy.db") == scanned(folder / "partita.db")
    assert partita("dump", "--data", "copy.db").stdout == dumped.stdout
    assert partita("check", "copy.db").stdout == "copy.db is sound: 1 table, 200 items, 2 indexes\n"


def test_a_server_in_between(serve: Serve, partita: Run, folder: Path) -> None:
    fill(folder / "partita.db")
    served = serve()
    assert partita("dump", "out.jsonl").returncode == 0
    backup = partita("backup", "partita.db", "copy.db")
    assert (backup.returncode, backup.stdout.split(":")[0]) == (0, str(folder / "copy.db"))
    again = partita("backup", "partita.db", "copy.db")
    assert again.returncode == 2
    assert "exists" in again.stderr
    assert partita("check", "partita.db").stderr.endswith(
        "is in use by another process: stop it or give another path\n"
    )
    other = serve("--data", "other.db")
    assert partita("load", "--data", "other.db", "out.jsonl").returncode == 0
    other.stop()
    served.stop()
    for name in ("copy.db", "other.db"):
        assert scanned(folder / name) == scanned(folder / "partita.db")
        assert partita("check", name).stdout == f"{name} is sound: 1 table, 200 items, 2 indexes\n"


def test_a_server_that_was_killed_is_not_asked(serve: Serve, partita: Run, folder: Path) -> None:
    served = serve()
    served.process.kill()
    served.process.wait()
    assert (folder / "partita.db-server").exists()
    assert partita("backup", "partita.db", "copy.db").returncode == 0


def test_another_server_on_that_port_is_not_asked(partita: Run, folder: Path) -> None:
    fill(folder / "partita.db")

    class Other(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

    with HTTPServer(("127.0.0.1", 0), Other) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        ServerFile(f"http://127.0.0.1:{other.server_port}", "secret", 1).write(str(folder / "partita.db"))
        assert partita("backup", "partita.db", "copy.db").returncode == 0
        other.shutdown()


def test_an_interrupted_load_says_so_and_leaves_a_sound_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(folder / "partita.db")
    assert run_here("dump", "out.jsonl").returncode == 0
    write, calls = SqliteStore._write, iter(range(100))

    def write_until_ctrl_c(store: SqliteStore, *arguments: object) -> None:
        if next(calls) == 50:
            raise KeyboardInterrupt
        write(store, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "_write", write_until_ctrl_c)
        done = run_here("load", "out.jsonl", "--data", "new.db")
    assert (done.returncode, done.stderr) == (130, "partita: interrupted\n")
    assert run_here("check", "new.db").returncode == 0


def test_a_disk_that_is_full_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(folder / "partita.db")
    assert run_here("dump", "out.jsonl").returncode == 0

    commit = SqliteStore.commit

    def commit_until_it_is_full(store: SqliteStore) -> None:
        if store.has_space(FIRST_SPACE):
            store.rollback()
            raise StoreFailed("FullError: database or disk is full")
        commit(store)

    monkeypatch.setattr(SqliteStore, "commit", commit_until_it_is_full)
    done = run_here("load", "out.jsonl", "--data", "new.db")
    assert done.returncode == 2
    assert done.stderr.splitlines()[1:] == ["partita: FullError: database or disk is full"]
    monkeypatch.undo()
    done = run_here("load", "/dev/null", "--data", "new.db")
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "given", "line"),
    [
        (["check", "none.db"], "", "there is no file none.db"),
        (["check", "junk"], "", "junk is a file of another program: give another path"),
        (["backup", "none.db", "x"], "", "there is no file {folder}/none.db: give the path of a database"),
        (["dump"], "", "there is no file {folder}/partita.db: give the path of a database"),
        (["load", "none.jsonl"], "", "cannot read none.jsonl: No such file or directory"),
        (["load"], "nonsense\n", "the standard input, line 1: not a line of a dump"),
        (["load"], '\n{"Item":{}}\n', "the standard input, line 2: not a line of a dump"),
        (
            ["load"],
            '{"Table":{"Account":"000000000000","Region":"r","CreateTable":{"TableName":"t"}}}\n',
            "the standard input, line 1: ",
        ),
    ],
)
def test_what_cannot_be_done(partita: Run, folder: Path, arguments: list[str], given: str, line: str) -> None:
    (folder / "junk").write_bytes(b"junk" * 1000)
    done = run_here(*arguments, given=given)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("partita: " + line.format(folder=folder))


@pytest.mark.parametrize(
    ("to", "line"),
    [
        ("none/copy.db", "there is no folder {folder}/none: create it or give another path"),
        ("partita.db/copy.db", "{folder}/partita.db is not a folder: give another path"),
        ("partita.db", "{folder}/partita.db exists: a backup overwrites nothing, give another path"),
    ],
)
def test_a_backup_with_no_place_to_go(folder: Path, to: str, line: str) -> None:
    fill(folder / "partita.db")
    done = run_here("backup", "partita.db", to)
    assert (done.returncode, done.stderr) == (2, f"partita: {line.format(folder=folder)}\n")


def test_lagging_indexes_are_sound(folder: Path) -> None:
    lag = {"index_lag_ms": (3_600_000, 3_600_000)}
    fill(folder / "partita.db", **lag)
    verification = Verification(str(folder / "partita.db"))
    assert list(verification.problems()) == []
    assert verification.summary == "1 table, 200 items, 2 indexes"
    with package.Database(folder / "partita.db", **lag) as db:  # type: ignore[arg-type]
        assert db.call("Scan", {"TableName": "music", "IndexName": "by-label"})["Count"] == 0


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("DELETE FROM {by_label} WHERE rowid = 1", "is missing in index by-label"),
        ("DELETE FROM {by_year} WHERE rowid = 1", "is missing in index by-year"),
        ("UPDATE {by_year} SET size = size + 1", "is another in index by-year"),
        ("UPDATE {table} SET size = size + 1 WHERE rowid = 1", "and should have"),
        (
            "UPDATE {table} SET sort = CAST(sort || x'00' AS BLOB) WHERE rowid = 1",
            "stands where its key does not belong",
        ),
        ("UPDATE {table} SET value = x'7b' WHERE rowid = 1", "cannot be read"),
        ("DELETE FROM {table} WHERE rowid = 1", "counts 200 items"),
        ("UPDATE {collections} SET size = size + 1", "collection"),
        ("DELETE FROM {books} WHERE partition = x'636f756e74'", "counts 0 items of 0 bytes"),
    ],
)
def test_damage_is_found(folder: Path, change: str, problem: str) -> None:
    path = folder / "partita.db"
    fill(path)
    with package.Database(path) as db:
        (table,) = db._driver._engine.catalogue.all_tables()  # type: ignore[union-attr]
        spaces = {
            "table": table.space,
            "collections": table.collections_space,
            "by_label": table.indexes["by-label"].space,
            "by_year": table.indexes["by-year"].space,
            "books": 0,
        }
    names = {name: f"rows_{space}" for name, space in spaces.items()}
    with sqlite3.connect(path) as file:
        statement = change.format(**names)
        if "rowid" in statement:
            target = statement.split()[2 if statement.startswith("DELETE") else 1]
            key = f"(SELECT partition, sort FROM {target} LIMIT 1)"
            statement = statement.replace("rowid = 1", f"(partition, sort) = {key}")
        assert file.execute(statement).rowcount
    file.close()
    assert any(problem in line for line in Verification(str(path)).problems())


def test_definitions_are_requests() -> None:
    with package.Database() as db:
        request = {
            "TableName": "table",
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4},
            "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "index",
                    "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                    "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
                }
            ],
            "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
            "TableClass": "STANDARD_INFREQUENT_ACCESS",
            "DeletionProtectionEnabled": True,
        }
        db.call("CreateTable", request)
        description = db.call("DescribeTable", {"TableName": "table"})["Table"]
    assert create_request(description) == request


def test_an_index_that_is_being_deleted_is_not_dumped() -> None:
    deletion = [{"Delete": {"IndexName": "by-label"}}]
    with package.Database(index_transition_ms=60_000, clock=package.ManualClock()) as db:
        db.call("CreateTable", MUSIC)
        db.call("DescribeTable", {"TableName": "music"})
        db.call("UpdateTable", {"TableName": "music", "GlobalSecondaryIndexUpdates": deletion})
        description = db.call("DescribeTable", {"TableName": "music"})["Table"]
        assert [index["IndexStatus"] for index in description["GlobalSecondaryIndexes"]] == ["DELETING"]
        db.call("CreateTable", {**create_request(description), "TableName": "again"})
