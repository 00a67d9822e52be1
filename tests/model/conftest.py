"""The servers that the functional tests of the toolkit run against."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import boto3
import pytest
from botocore.config import Config
from moto.server import ThreadedMotoServer
from tests.clients.server_process import Access, serve

import partita

_accounts = count(200_000_000_001)
_boto3 = boto3.Session()


@dataclass(frozen=True)
class Server:
    """A server of the DynamoDB API on which nothing exists yet."""

    name: str
    """"in process", "over HTTP" or "moto"."""
    client: Callable[[], Any]
    """Makes a boto3 client of it."""


@pytest.fixture(params=["in process", "over HTTP", "moto"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Partita in this process, Partita over HTTP and moto's server, in turn; each without tables.

    Where a test has to tell them apart, it names the AWS page that decides which one is right.
    """
    if request.param == "in process":
        with partita.Database() as database:
            yield Server(request.param, database.client)
    elif request.param == "over HTTP":
        url = request.getfixturevalue("_partita_url")
        yield Server(request.param, Access(url, str(next(_accounts))).client)
    else:
        url = request.getfixturevalue("_moto_url")
        # Moto keeps tables per region; what an earlier test left is not in this one.
        region = f"eu-west-{next(_accounts) % 3 + 1}"
        client = _moto_client(url, region)
        for name in client.list_tables()["TableNames"]:
            client.delete_table(TableName=name)
        yield Server(request.param, lambda: _moto_client(url, region))


def _moto_client(url: str, region: str) -> Any:
    return _boto3.client(
        "dynamodb",
        endpoint_url=url,
        region_name=region,
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=Config(proxies={}),
    )


@pytest.fixture(scope="session")
def _partita_url() -> Iterator[str]:
    with serve() as serving:
        yield serving.url


@pytest.fixture(scope="session")
def _moto_url() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()
