"""`partita serve`: how it starts, how it stops, and how it says that it cannot start."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import ENVIRONMENT, Served, run_here
from tests.local.tables import ORDERS

from partita import Database

Run = Callable[..., subprocess.CompletedProcess[str]]
Serve = Callable[..., Served]


def test_it_says_where_it_is_and_keeps_the_data(serve: Serve, folder: Path) -> None:
    served = serve()
    assert re.fullmatch(r"Partita \d+\.\d+\.\d+ answers at http://127\.0\.0\.1:\d+", served.first_line)
    assert served.read_line() == f"data in {folder}/partita.db (full durability)"
    with urllib.request.urlopen(served.url) as answer:
        assert answer.read() == b"healthy: dynamodb.us-east-1.amazonaws.com "
    assert served.stop(signal.SIGINT) == 0
    assert (folder / "partita.db").exists()
    assert [path.name for path in folder.iterdir()] == ["partita.db"]


def test_memory_only(serve: Serve, folder: Path) -> None:
    served = serve("--memory", "--region", "eu-west-1")
    assert served.read_line() == "data in memory only"
    with urllib.request.urlopen(served.url) as answer:
        assert answer.read() == b"healthy: dynamodb.eu-west-1.amazonaws.com "
    assert served.stop() == 0
    assert list(folder.iterdir()) == []


def test_a_server_for_other_machines_says_what_they_need(serve: Serve) -> None:
    served = serve("--memory", "--host", "0.0.0.0")
    assert served.first_line.startswith("Partita 0.1.0 answers at http://0.0.0.0:")
    served.read_line()
    assert served.read_line() == "open to other machines, which need a name that --allow-host lists"
    with urllib.request.urlopen(served.url) as answer:
        assert answer.status == 200


def test_examples_and_relaxed_durability(serve: Serve, folder: Path) -> None:
    served = serve("--examples", "--durability", "relaxed", "--data", "other.db")
    assert served.read_line() == f"data in {folder}/other.db (relaxed durability)"
    served.stop()
    assert served.process.stdout is not None
    text = served.process.stdout.read()
    assert f'endpoint_url="{served.url}"' in text
    assert f"AWS_ENDPOINT_URL_DYNAMODB={served.url}" in text


def test_an_idle_connection_does_not_hold_the_end(serve: Serve) -> None:
    served = serve("--memory")
    port = int(served.url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert idle.recv(1000).startswith(b"HTTP/1.1 200 OK")
        assert served.stop() == 0


def test_access_lines_are_json(serve: Serve) -> None:
    served = serve("--memory", "--log")
    first = json.loads(served.first_line)
    urllib.request.urlopen(first["url"]).read()
    assert first["data"] == "data in memory only"
    assert json.loads(served.read_line())["status"] == 200


def make_certificate(folder: Path) -> None:
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem"
    )
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)


def test_tls(serve: Serve, folder: Path) -> None:
    make_certificate(folder)
    served = serve("--memory", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    assert served.url.startswith("https://")
    context = ssl._create_unverified_context()
    with urllib.request.urlopen(served.url, context=context) as answer:
        assert answer.status == 200
    assert served.stop() == 0


def refused(run: Callable[..., Any], *arguments: str, **options: object) -> str:
    """The one line that a bad start prints."""
    done = run("serve", "--port", "0", *arguments, **options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("partita: ")
    return done.stderr.removeprefix("partita: ").rstrip()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--profile", "slow"], "unknown profile 'slow': it is one of instant, aws, hostile"),
        (["--setting", "lag=1"], "unknown setting 'lag': it is one of "),
        (["--setting", "read_lag_ms"], "--setting 'read_lag_ms' is not of the form NAME=VALUE"),
        (["--setting", "read_lag_ms=x"], "--setting 'read_lag_ms=x': the value is a number, or two with"),
        (["--host", "no.such.host.invalid"], "--host no.such.host.invalid cannot be resolved: "),
        (["--host", "203.0.113.1"], "cannot listen on 203.0.113.1:0: Cannot assign requested address"),
        (["--tls-cert", "cert.pem"], "--tls-cert and --tls-key belong together"),
        (["--tls-cert", "none", "--tls-key", "none"], "--tls-cert none: No such file or directory"),
        (
            ["--tls-cert", "junk", "--tls-key", "junk"],
            "--tls-cert junk, --tls-key junk: not a PEM certificate",
        ),
        (["--credentials", "none"], "--credentials none: No such file or directory"),
        (["--credentials", "junk"], "--credentials junk: not in the form of ~/.aws/credentials"),
        (["--data", "missing/partita.db"], "there is no folder "),
        (["--data", "junk"], "{folder}/junk is a file of another program: give another path"),
        (["--data", "."], "{folder} is a folder: give the path of a file in it"),
        (["--memory", "--data", "partita.db"], "--memory keeps no data and --data says where to keep it"),
        (["--region", ""], "--region is a name, such as us-east-1"),
        (["--allow-host", ""], "--allow-host '' is not a name: no scheme, no port; * for any"),
        (["--allow-host", "db", "--allow-host", "db:8000"], "--allow-host 'db:8000' is not a name"),
        (["--allow-host", "http://db"], "--allow-host 'http://db' is not a name"),
        (["--cors", "app.example"], "--cors 'app.example' is not an origin, such as https://app.example"),
        (["--cors", "https://app.example/page"], "--cors 'https://app.example/page' is not an origin"),
    ],
)
def test_bad_starts(folder: Path, arguments: list[str], line: str) -> None:
    (folder / "junk").write_bytes(b"junk" * 1000)
    assert refused(run_here, *arguments).startswith(line.format(folder=folder))
    assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [("junk", b"junk" * 1000)]


def test_other_programs_databases_and_newer_formats(serve: Serve, partita: Run, folder: Path) -> None:
    with sqlite3.connect(folder / "other.db") as other:
        other.execute("CREATE TABLE t (a)")
    assert refused(partita, "--data", "other.db").endswith("is a file of another program: give another path")
    serve("--data", "new.db").stop()
    with sqlite3.connect(folder / "new.db") as newer:
        newer.execute("PRAGMA user_version = 999")
    newer.close()
    before = (folder / "new.db").read_bytes()
    assert "was written by a newer Partita" in refused(partita, "--data", "new.db")
    assert (folder / "new.db").read_bytes() == before


def test_a_second_process_and_a_port_in_use(serve: Serve, partita: Run, folder: Path) -> None:
    served = serve()
    line = f"{folder}/partita.db is in use by another process: stop it or give another path"
    assert refused(partita) == line
    port = served.url.rsplit(":", 1)[1]
    done = partita("serve", "--port", port, "--data", "second.db")
    assert done.returncode == 2
    assert done.stderr.startswith(f"partita: port {port} of 127.0.0.1 is in use; choose another with --port")
    assert not (folder / "second.db").exists()
    with urllib.request.urlopen(served.url) as answer:
        assert answer.status == 200


AS_NOBODY = """
import encodings.idna, os, sys
import partita.cli.serve, partita.cli.server_file
import partita.api, partita.engine.engine, partita.server.run, partita.storage.sqlite
os.setgroups([]); os.setgid(65534); os.setuid(65534)
partita.cli.serve.command(sys.argv[1:])
"""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs to become another user")
def test_as_another_user(serve: Serve) -> None:
    """Root may do everything, so these are run by somebody else."""

    def run(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-c", AS_NOBODY, *arguments]
        return subprocess.run(line, env=ENVIRONMENT, capture_output=True, text=True, check=False)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        serve("--data", f"{folder}/partita.db").stop()
        before = (folder / "partita.db").read_bytes()
        assert "is read-only" in refused(run, "--data", f"{folder}/partita.db")
        assert "no permission to create files" in refused(run, "--data", f"{folder}/new.db")
        (folder / "partita.db").chmod(0o600)
        assert "no permission to read" in refused(run, "--data", f"{folder}/partita.db")
        assert [path.name for path in folder.iterdir()] == ["partita.db"]
        assert (folder / "partita.db").read_bytes() == before


def test_a_full_disk(partita: Run, folder: Path) -> None:
    """A limit on file sizes stands in for it."""
    import resource

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    line = refused(partita, preexec_fn=limit)
    assert str(folder / "partita.db") in line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device stands in for a full disk")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["serve --memory --port 0", "version", "serve --help", "dump"])
def test_an_output_that_cannot_be_written_is_one_line(folder: Path, command: str, unbuffered: str) -> None:
    with Database(folder / "partita.db") as database:
        database.create_table(**ORDERS)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "partita", *command.split()],
            cwd=folder,
            env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=30,
        )
    line = "partita: cannot write the standard output: No space left on device"
    told = [told for told in done.stderr.splitlines() if not told.startswith("orders: ")]
    assert (done.returncode, told) == (2, [line])


def test_version(partita: Run) -> None:
    done = partita("version")
    assert (done.returncode, done.stdout) == (0, "partita 0.1.0\n")


def test_it_never_imports_boto(folder: Path) -> None:
    """And so it starts at once."""
    code = (
        "import sys\n"
        "from partita.cli.serve import command\n"
        "from partita.server import run\n"
        "run.run = lambda *a: print(sorted(m for m in sys.modules if m.startswith(('boto', 'hypothesis'))))\n"
        "command(['--port', '0', '--memory'])\n"
    )
    (folder / "start.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "start.py"], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
