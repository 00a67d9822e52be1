"""Servers to measure, each started as a process of its own on loopback."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.workloads import INDEXED_TABLE, TABLE, item, table_request

_HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "Authorization": "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=0",
    "X-Amz-Date": "20260101T000000Z",
}


class Server(NamedTuple):
    pid: int
    port: int


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
    """dynalite from npm, installed into `folder`."""
    subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), "dynalite"], check=True)
    port = free_port()
    script = folder / "node_modules" / "dynalite" / "cli.js"
    with _running([str(shutil.which("node")), str(script), "--port", str(port)], port) as server:
        yield server


@contextmanager
def _running(command: list[str], port: int) -> Iterator[Server]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(process, port)
        yield Server(process.pid, port)
    finally:
        process.terminate()
        process.wait(30)


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError("the server did not listen within 60 s")


class Caller:
    """Sends single requests, for loading and checking."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def __call__(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        headers = {**_HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        self._connection.request("POST", "/", json.dumps(request), headers)
        response = self._connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise RuntimeError(f"{operation}: {body!r}")
        answer: dict[str, Any] = json.loads(body)
        return answer


def load(call: Any, items: int, *, indexed_items: int = 2000) -> None:
    """Makes the tables and puts the items; `call(operation, request)` sends."""
    for name, count in ((TABLE, items), (INDEXED_TABLE, min(items, indexed_items))):
        call("CreateTable", table_request(name))
        while call("DescribeTable", {"TableName": name})["Table"]["TableStatus"] != "ACTIVE":
            time.sleep(0.05)
        for first in range(0, count, 25):
            puts = [{"PutRequest": {"Item": item(at)}} for at in range(first, min(first + 25, count))]
            call("BatchWriteItem", {"RequestItems": {name: puts}})
