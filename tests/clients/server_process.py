"""A `partita serve` as a user starts it, and the clients that reach it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from typing import IO, Any

import boto3
from botocore.config import Config

ROOT = Path(__file__).parents[2]
REGION = "eu-west-1"

_session = boto3.Session()


def environment(**variables: str) -> dict[str, str]:
    """What a program is started with: nothing of the machine's own AWS or proxy settings."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("AWS_")}
    for name in [name for name in kept if name.upper().endswith("_PROXY")]:
        del kept[name]
    nowhere = {
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    return kept | nowhere | variables


@dataclass(frozen=True)
class Serving:
    """A server that answers at `url`; `output` is what it writes after saying so."""

    url: str
    output: IO[str]


@contextmanager
def serve(*options: str) -> Iterator[Serving]:
    """Runs `partita serve` in memory on a free port, and ends it as a user does.

    It must have complained of nothing, and go at once.
    """
    command = [sys.executable, "-m", "partita", "serve", "--memory", "--port", "0", *options]
    variables = environment(PYTHONPATH=str(ROOT / "src"))
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(command, env=variables, stdout=PIPE, stderr=complaints, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            first = process.stdout.readline()
            yield Serving(first.rpartition(" ")[2].strip(), process.stdout)
            process.send_signal(signal.SIGTERM)
            process.wait(10)
        finally:
            process.kill()
        complaints.seek(0)
        assert (process.returncode, complaints.read()) == (0, "")


@dataclass(frozen=True)
class Access:
    """The way to the tables of one account and region of a server."""

    url: str
    account: str
    region: str = REGION

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a program that works with these tables."""
        return environment(
            AWS_ENDPOINT_URL_DYNAMODB=self.url,
            AWS_DEFAULT_REGION=self.region,
            AWS_REGION=self.region,
            AWS_ACCESS_KEY_ID=self.account,
            AWS_SECRET_ACCESS_KEY="local",
        )

    def client(self, **config: Any) -> Any:
        """A boto3 client; `config` is botocore's."""
        return _session.client("dynamodb", **self._parameters(config))

    def resource(self, **config: Any) -> Any:
        """A boto3 resource; `config` is botocore's."""
        return _session.resource("dynamodb", **self._parameters(config))

    def _parameters(self, config: dict[str, Any]) -> dict[str, Any]:
        return {
            "endpoint_url": self.url,
            "region_name": self.region,
            "aws_access_key_id": self.account,
            "aws_secret_access_key": "local",
            "config": Config(proxies={}, **config),
        }
