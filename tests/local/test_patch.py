"""`partita.patch_boto3`: the clients of code under test."""

from __future__ import annotations

import threading
from typing import Any

import boto3
import botocore.session
import pytest
from botocore.config import Config
from botocore.stub import Stubber
from tests.local.tables import ORDERS

import partita
from partita import Database

NOBODY = {"region_name": "us-east-1", "endpoint_url": "http://127.0.0.1:9"}
ONCE = Config(retries={"max_attempts": 0}, connect_timeout=1)


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a fresh machine: nothing in the environment and no files."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)


def tables(client: Any) -> list[str]:
    names: list[str] = client.list_tables()["TableNames"]
    return names


def test_every_client_talks_to_the_database(orders: Database) -> None:
    before = boto3.client("dynamodb", **NOBODY, config=ONCE)
    with partita.patch_boto3(orders) as patched:
        assert patched is orders
        assert tables(before) == ["orders"]
        assert tables(boto3.client("dynamodb", "us-east-1")) == ["orders"]
        assert tables(botocore.session.get_session().create_client("dynamodb", "us-east-1")) == ["orders"]
        assert [table.name for table in boto3.resource("dynamodb", "us-east-1").tables.all()] == ["orders"]
    with pytest.raises(Exception, match="Unable to locate credentials"):
        before.list_tables()


def test_without_a_database_there_is_a_new_one() -> None:
    with partita.patch_boto3() as db:
        boto3.client("dynamodb", "us-east-1").create_table(**ORDERS)
        assert db.list_tables() == {"TableNames": ["orders"]}
    with pytest.raises(RuntimeError, match="closed"):
        db.list_tables()


def test_start_and_stop(orders: Database) -> None:
    patch = partita.patch_boto3(orders)
    with pytest.raises(RuntimeError, match="has not been started"):
        patch.stop()
    assert patch.start() is orders
    with pytest.raises(RuntimeError, match="started already"):
        patch.start()
    client = boto3.client("dynamodb", "us-east-1")
    assert tables(client) == ["orders"]
    patch.stop()
    assert orders.list_tables() == {"TableNames": ["orders"]}
    patch.start()
    assert tables(client) == ["orders"]
    patch.stop()


def test_patches_nest_and_end_in_any_order(orders: Database) -> None:
    client = boto3.client("dynamodb", "us-east-1")
    outer, inner = partita.patch_boto3(orders), partita.patch_boto3()
    outer.start()
    inner.start()
    assert tables(client) == []
    outer.stop()
    assert tables(client) == []
    outer.start()
    assert tables(client) == ["orders"]
    outer.stop()
    inner.stop()


def test_a_databases_own_clients_stay_with_it(orders: Database) -> None:
    own = orders.client()
    with partita.patch_boto3():
        assert tables(own) == ["orders"]
        assert tables(orders.client()) == ["orders"]


def test_botocore_is_as_before_afterwards() -> None:
    from botocore.endpoint import Endpoint

    before = Endpoint.make_request
    with partita.patch_boto3():
        assert Endpoint.make_request is not before
    assert Endpoint.make_request is before


def test_regions_and_accounts_come_from_the_client(orders: Database) -> None:
    with partita.patch_boto3(orders):
        assert tables(boto3.client("dynamodb", "eu-west-1")) == []
        other = {"aws_access_key_id": "111122223333", "aws_secret_access_key": "x"}
        assert tables(boto3.client("dynamodb", "us-east-1", **other)) == []


def test_other_services_are_left_alone() -> None:
    with partita.patch_boto3():
        client = boto3.client("sts", **NOBODY, aws_access_key_id="x", aws_secret_access_key="x", config=ONCE)
        with pytest.raises(Exception, match="Could not connect"):
            client.get_caller_identity()


def test_it_holds_in_every_thread(orders: Database) -> None:
    seen: list[list[str]] = []
    with partita.patch_boto3(orders):
        session = boto3.session.Session()
        clients = [session.client("dynamodb", "us-east-1") for _ in range(4)]
        threads = [
            threading.Thread(target=lambda client=client: seen.append(tables(client)))  # type: ignore[misc]
            for client in clients
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seen == [["orders"]] * 4


def test_a_stubbed_client_keeps_its_stub(orders: Database) -> None:
    client = boto3.client("dynamodb", "us-east-1")
    with partita.patch_boto3(orders), Stubber(client) as stub:
        stub.add_response("list_tables", {"TableNames": ["stubbed"]})
        assert tables(client) == ["stubbed"]
