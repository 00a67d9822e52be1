"""Many orders, the same ones for both designs, written in batches without going through the services."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any

from boto3.dynamodb.types import TypeSerializer

from examples.orders.entities import Customer, Order, OrderLine, Product
from partita.model import Entity, Version, item_of

TENANT = "42"
NEWEST = datetime(2026, 6, 30, 12, tzinfo=UTC)
ORDERS_OF_A_CUSTOMER = 20
PENDING = 40
"""So many of the newest orders wait, however many there are."""
PRODUCTS = 100
STOCK = 1_000_000
BATCH = 25

Put = tuple[str, dict[str, Any]]
"""A table's name and an item, as the API takes it."""


def customers_of(orders: int) -> int:
    return max(orders // ORDERS_OF_A_CUSTOMER, 1)


def order_id(number: int) -> str:
    return f"{number:08}"


def entities(orders: int) -> Iterator[Entity]:
    """The toolkit's side: customers, products, orders with one to three lines."""
    for number in range(customers_of(orders)):
        yield Customer(tenant=TENANT, id=str(number), name=f"Customer {number}")
    for number in range(PRODUCTS):
        yield Product(
            tenant=TENANT,
            id=str(number),
            title=f"Product {number}",
            price=Decimal(number) + 1,
            quantity=STOCK,
            version=Version(1),
        )
    for number in range(orders):
        customer = number % customers_of(orders)
        lines = [_line(number, position) for position in range(1, 2 + number % 3)]
        yield Order(
            tenant=TENANT,
            id=order_id(number),
            customer=str(customer),
            customer_name=f"Customer {customer}",
            status="PENDING" if number < PENDING else "COMPLETED",
            placed=NEWEST - timedelta(minutes=number),
            total=sum((line.price * line.quantity for line in lines), Decimal(0)),
            version=Version(1),
        )
        yield from lines


def one_table(orders: int, table: str) -> Iterator[Put]:
    """What the toolkit's table holds."""
    for entity in entities(orders):
        yield table, dict(item_of(entity))


def table_each(orders: int, prefix: str) -> Iterator[Put]:
    """What the tables of the naive design hold: the same."""
    serialize = TypeSerializer().serialize
    for entity in entities(orders):
        table, row = _row(entity)
        yield prefix + table, {name: serialize(value) for name, value in row.items()}


def load(batch_write_item: Callable[..., Any], puts: Iterable[Put]) -> int:
    """Writes 25 at a time, what comes back unprocessed again; how many items that were."""
    loaded = 0
    remaining = iter(puts)
    while batch := list(islice(remaining, BATCH)):
        requests: dict[str, list[Any]] = {}
        for table, item in batch:
            requests.setdefault(table, []).append({"PutRequest": {"Item": item}})
        while requests:
            requests = batch_write_item(RequestItems=requests)["UnprocessedItems"]
        loaded += len(batch)
    return loaded


def _line(order: int, number: int) -> OrderLine:
    product = (7 * order + number) % PRODUCTS
    return OrderLine(
        tenant=TENANT,
        order=order_id(order),
        number=number,
        product=str(product),
        title=f"Product {product}",
        quantity=1 + order % 2,
        price=Decimal(product) + 1,
    )


def _row(entity: Entity) -> tuple[str, dict[str, Any]]:
    match entity:
        case Customer():
            return "customers", {"id": entity.id, "tenant": entity.tenant, "name": entity.name}
        case Product():
            row = entity.model_dump(include={"id", "tenant", "title", "price", "quantity"})
            return "products", row
        case Order():
            row = entity.model_dump(include={"id", "tenant", "status", "total"})
            return "orders", row | {"customer_id": entity.customer, "placed": entity.placed.isoformat()}
        case OrderLine():
            row = entity.model_dump(include={"number", "product", "title", "quantity", "price"})
            return "order_items", row | {"order_id": entity.order}
    raise TypeError(f"no table for {type(entity).__name__}")
