"""Real connections to a real server: what section 1 is about."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.facts.requests import call
from tests.facts.shapes import SHAPES, mentioned

AMZ_JSON = "application/x-amz-json-1.0"
ACCESS_KEY, SECRET_KEY = "AKIAFACTS", "of facts"
AUTHORIZATION = (
    f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/20261130/eu-central-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64
)
CREDENTIALS = "credentials"
"""Stands among a server's options for `--credentials` and a file with the key above."""

Address = tuple[str, int]


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """One connection, kept alive; sends exactly the headers that it is told to."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._connection = http.client.HTTPConnection(*address, timeout=30)

    def ask(
        self,
        operation: str = "ListTables",
        body: Any = None,
        *,
        method: str = "POST",
        url: str = "/",
        **headers: str | None,
    ) -> Response:
        """`headers` by name with `_` for `-`; None leaves one out. A body of bytes goes as it is."""
        content = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        named: dict[str, str | None] = {
            "host": f"{self._address[0]}:{self._address[1]}",
            "x-amz-target": f"DynamoDB_20120810.{operation}",
            "content-type": AMZ_JSON,
            "x-amz-date": "20261130T120000Z",
            "authorization": AUTHORIZATION,
            "content-length": str(len(content)),
        }
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = self._connection
        connection.putrequest(method, url, skip_host=True, skip_accept_encoding=True)
        for name, value in named.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        # A request may be refused before the end of its body: the answer says why.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.send(content)
        with connection.getresponse() as answer:
            return Response(
                answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
            )

    def close(self) -> None:
        self._connection.close()


def ask(address: Address, operation: str = "ListTables", body: Any = None, **how: Any) -> Response:
    """One request on a connection of its own; makes the tables that it names."""
    connection = Connection(address)
    try:
        for name in sorted(mentioned(body)):
            connection.ask("CreateTable", SHAPES[name])
            connection.ask("DescribeTable", call("DescribeTable", table=name).parameters)
        return connection.ask(operation, body, **how)
    finally:
        connection.close()


def crc32(content: bytes) -> str:
    return str(zlib.crc32(content))


class Servers:
    """Servers in processes of their own, one for each set of options."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, ...], tuple[subprocess.Popen[str], Address]] = {}
        self._folder = tempfile.TemporaryDirectory()

    def address(self, options: tuple[str, ...]) -> Address:
        if options not in self._running:
            self._running[options] = self._start(options)
        return self._running[options][1]

    def _start(self, options: tuple[str, ...]) -> tuple[subprocess.Popen[str], Address]:
        arguments = [part for option in options for part in self._arguments(option)]
        process = subprocess.Popen(
            [sys.executable, "-m", "partita", "serve", "--memory", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2] / "src",
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://([\d.]+):(\d+)", line)
        assert found, f"the server said {line!r}"
        return process, (found[1], int(found[2]))

    def _arguments(self, option: str) -> list[str]:
        if option != CREDENTIALS:
            return [option]
        path = Path(self._folder.name) / "credentials"
        path.write_text(f"[facts]\naws_access_key_id = {ACCESS_KEY}\naws_secret_access_key = {SECRET_KEY}\n")
        return ["--credentials", str(path)]

    def close(self) -> None:
        for process, _ in self._running.values():
            process.terminate()
        for process, _ in self._running.values():
            process.communicate(timeout=20)
        self._folder.cleanup()
