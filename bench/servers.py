"""Servers to measure, each started as a process of its own on loopback."""

from __future__ import annotations

import http.client
import json
import math
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench import cpu
from bench.workloads import INDEXED_ITEMS, INDEXED_TABLE, TABLE, Request, item, table_request

_HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "Authorization": "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=0",
    "X-Amz-Date": "20260101T000000Z",
}


_INSTALL_S = 120


class Server(NamedTuple):
    pid: int
    port: int
    ready_ms: float
    """From the start of the process until it had answered a request."""
    ready_cpu_ms: float


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def partita(data: Path | None, durability: str = "full") -> Iterator[Server]:
    """`partita serve` on a file (or in memory)."""
    port = free_port()
    command = [sys.executable, "-m", "partita", "serve", "--port", str(port)]
    command += ["--memory"] if data is None else ["--data", str(data), "--durability", durability]
    with _running(command, port) as server:
        yield server


@contextmanager
def moto() -> Iterator[Server]:
    port = free_port()
    with _running([sys.executable, "-m", "moto.server", "-p", str(port), "-H", "127.0.0.1"], port) as server:
        yield server


@contextmanager
def dynalite(folder: Path) -> Iterator[Server]:
    """dynalite from npm, installed into `folder`; RuntimeError where that does not work."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise RuntimeError("npm and node are needed to install it")
    install = [npm, "install", "--silent", "--prefix", str(folder), "dynalite"]
    try:
        subprocess.run(install, check=True, capture_output=True, timeout=_INSTALL_S)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failure:
        raise RuntimeError(f"npm could not install it: {failure}") from failure
    port = free_port()
    script = folder / "node_modules" / "dynalite" / "cli.js"
    with _running([node, str(script), "--port", str(port)], port) as server:
        yield server


@contextmanager
def _running(command: list[str], port: int) -> Iterator[Server]:
    began = time.monotonic()
    # It runs what this process would import.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(process, port)
        ready_ms = (time.monotonic() - began) * 1000
        yield Server(process.pid, port, ready_ms, cpu.used_ns(process.pid) / 1e6)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            # A peer still busy with a request that nobody waits for any more.
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode}")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/")
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            time.sleep(0.003)
        else:
            return
        finally:
            connection.close()
    raise RuntimeError("the server did not answer within 60 s")


class Caller:
    """Sends single requests; RuntimeError for an error answer, TimeoutError if there is none in time."""

    def __init__(self, port: int, *, timeout_s: float = 60) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)

    def __call__(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        headers = {**_HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        self._connection.request("POST", "/", json.dumps(request), headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"{operation}: {body!r}")
        answer: dict[str, Any] = json.loads(body)
        return answer


def load(
    call: Callable[[str, Request], Any], items: int, *, seconds: float = math.inf, what: str = ""
) -> int:
    """Makes the tables and puts the items; `call(operation, request)` sends.

    Gives the number of items that the table has: fewer if the time was over before.
    """
    deadline = time.monotonic() + seconds
    loaded = 0
    for name, count in ((INDEXED_TABLE, min(items, INDEXED_ITEMS)), (TABLE, items)):
        make_table(call, name)
        loaded = 0
        while loaded < count and time.monotonic() < deadline:
            puts = [{"PutRequest": {"Item": item(at)}} for at in range(loaded, min(loaded + 25, count))]
            call("BatchWriteItem", {"RequestItems": {name: puts}})
            loaded += len(puts)
            if what and loaded % 100_000 == 0:
                print(f"{what}: {loaded:,} items loaded", file=sys.stderr)
    return loaded


def make_table(call: Callable[[str, Request], Any], name: str) -> None:
    call("CreateTable", table_request(name))
    while call("DescribeTable", {"TableName": name})["Table"]["TableStatus"] != "ACTIVE":
        time.sleep(0.05)
