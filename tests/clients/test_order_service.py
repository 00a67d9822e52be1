"""The order service's access patterns: each is one request, whose answer is the whole answer."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.clients import app_table
from tests.clients.app_table import SHARDS, TENANT
from tests.clients.errors import codes_of, error_of
from tests.clients.order_service import OrderService, order_ids, pending_shard, shard_of
from tests.clients.server_process import Access

ORDERS = {
    "990": ("7", "2026-09-20T08:00:00Z", 120),
    "991": ("7", "2026-09-28T10:15:00Z", 640),
    "992": ("7", "2026-09-30T23:59:59Z", 75),
    "993": ("8", "2026-09-29T12:00:00Z", 510),
    "994": ("8", "2026-10-01T00:00:00Z", 499),
    "995": ("7", "2026-10-02T09:30:00Z", 500),
    "996": ("9", "2026-10-02T09:31:00Z", 20),
    "997": ("9", "2026-10-02T09:32:00Z", 21),
}


@pytest.fixture
def service(access: Access) -> OrderService:
    resource = access.resource()
    app_table.create(resource.meta.client)
    service = OrderService(resource.Table("app"))
    for order, (customer, time, total) in ORDERS.items():
        service.place(order, customer, time, total, [f"sku-{order}-a", f"sku-{order}-b"])
    return service


def test_one_query_reads_an_order_with_its_items(service: OrderService) -> None:
    assert service.order_with_items("991") == [
        {"PK": "TENANT#42#ORDER#991", "SK": "ITEM#001", "sku": "sku-991-a"},
        {"PK": "TENANT#42#ORDER#991", "SK": "ITEM#002", "sku": "sku-991-b"},
        {
            "PK": "TENANT#42#ORDER#991",
            "SK": "META",
            "total": Decimal(640),
            "status": "pending",
            "GSI1PK": "TENANT#42#CUST#7",
            "GSI1SK": "ORDER#2026-09-28T10:15:00Z#991",
            "GSI2PK": pending_shard(shard_of("991")),
            "GSI2SK": "2026-09-28T10:15:00Z",
        },
    ]
    assert service.order_with_items("none") == []


def test_one_query_reads_the_orders_of_a_customer_newest_first_within_days(service: OrderService) -> None:
    assert order_ids(service.orders_of("7", "2026-09-01", "2026-12-31")) == ["995", "992", "991", "990"]
    assert order_ids(service.orders_of("7", "2026-09-28", "2026-09-30")) == ["992", "991"]
    assert order_ids(service.orders_of("7", "2026-11-01", "2026-11-30")) == []
    assert order_ids(service.orders_of("8", "2026-09-28", "2026-10-01")) == ["994", "993"]


def test_pending_orders_are_found_over_all_shards_and_leave_when_they_are_shipped(
    service: OrderService,
) -> None:
    assert {shard_of(order) for order in ORDERS} == set(range(SHARDS))
    assert sorted(order_ids(service.pending())) == sorted(ORDERS)

    for order in ("991", "994"):
        service.ship(order)

    assert sorted(order_ids(service.pending())) == ["990", "992", "993", "995", "996", "997"]
    shipped = service.order_with_items("991")[-1]
    assert (shipped["status"], "GSI2PK" in shipped, "GSI2SK" in shipped) == ("shipped", False, False)
    assert "991" in order_ids(service.orders_of("7", "2026-09-28", "2026-09-28"))


def test_an_order_is_shipped_once(service: OrderService) -> None:
    service.ship("991")
    assert error_of(service.ship, order="991") == (
        "ConditionalCheckFailedException",
        "The conditional request failed",
    )


def test_the_index_of_pending_orders_holds_nothing_else(access: Access, service: OrderService) -> None:
    for order in ORDERS:
        if order != "996":
            service.ship(order)
    answer = access.client().scan(TableName="app", IndexName="GSI2")
    assert (answer["Count"], answer["ScannedCount"]) == (1, 1)
    assert answer["Items"][0]["PK"] == {"S": "TENANT#42#ORDER#996"}


def test_a_customer_is_read_by_id(service: OrderService) -> None:
    service.add_customer("7", "Mai")
    assert service.customer("7") == {"PK": "TENANT#42#CUST#7", "SK": "PROFILE", "name": "Mai"}
    assert service.customer("404") is None
    assert error_of(service.add_customer, customer="7", name="Lan")[0] == "ConditionalCheckFailedException"
    assert service.customer("7") == {"PK": "TENANT#42#CUST#7", "SK": "PROFILE", "name": "Mai"}


def test_one_index_serves_entities_of_several_kinds(access: Access, service: OrderService) -> None:
    client = access.client()
    client.put_item(
        TableName="app",
        Item={
            "PK": {"S": f"{TENANT}#PRODUCT#9"},
            "SK": {"S": "META"},
            "GSI1PK": {"S": f"{TENANT}#CATEGORY#shoes"},
            "GSI1SK": {"S": "PRODUCT#9"},
        },
    )
    answer = client.query(
        TableName="app",
        IndexName="GSI1",
        KeyConditionExpression="GSI1PK = :category",
        ExpressionAttributeValues={":category": {"S": f"{TENANT}#CATEGORY#shoes"}},
    )
    assert [item["PK"] for item in answer["Items"]] == [{"S": "TENANT#42#PRODUCT#9"}]
    assert len(service.orders_of("7", "2026-09-01", "2026-12-31")) == 4


def test_a_retried_order_with_the_same_token_is_placed_once(service: OrderService) -> None:
    new = {"order": "1000", "customer": "7", "time": "2026-11-01T08:00:00Z", "total": 5, "lines": ["sku"]}
    service.place(**new, token="intention-1")  # type: ignore[arg-type]
    service.place(**new, token="intention-1")  # type: ignore[arg-type]
    assert order_ids(service.orders_of("7", "2026-11-01", "2026-11-01")) == ["1000"]
    assert codes_of(service.place, **new, token="intention-2") == [
        "ConditionalCheckFailed",
        "ConditionalCheckFailed",
    ]
    other = new | {"total": 6}
    assert error_of(service.place, **other, token="intention-1")[0] == "IdempotentParameterMismatchException"
