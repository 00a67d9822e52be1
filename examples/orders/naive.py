"""The same use cases as they are often written by who comes from SQL: a table for each entity, plain boto3.

It works on a laptop with little data and one user at a time. Each docstring says what is wrong. Beside
`service.py` it is what `compare.py` measures; do not take code from here.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from boto3.dynamodb.conditions import Attr, Key

from examples.orders.service import NotFound, OutOfStock, Wanted

Row = dict[str, Any]

KEYS: dict[str, tuple[str, ...]] = {
    "orders": ("id",),
    "order_items": ("order_id", "number"),
    "customers": ("id",),
    "products": ("id",),
    "accounts": ("id",),
}
"""Table -> its key attributes. A tenant is only an attribute, so an id must be unique over all tenants."""
EMAIL_INDEX = "email-index"
NUMBERS = frozenset({"number"})


class Taken(Exception):
    """Somebody has this e-mail address, as far as one can see."""


class NaiveService:
    """The use cases, over a boto3 resource; the names of tables begin with `prefix`."""

    def __init__(self, dynamodb: Any, prefix: str = "naive-") -> None:
        self.orders = dynamodb.Table(f"{prefix}orders")
        self.items = dynamodb.Table(f"{prefix}order_items")
        self.customers = dynamodb.Table(f"{prefix}customers")
        self.products = dynamodb.Table(f"{prefix}products")
        self.accounts = dynamodb.Table(f"{prefix}accounts")

    def place_order(
        self, tenant: str, customer: str, wanted: Sequence[Wanted], *, placed: datetime
    ) -> tuple[Row, list[Row]]:
        """Puts the order, then its lines in a batch, and takes the stock of each product.

        Wrong: a crash or an error between two of these requests leaves an order without lines, or stock
        that was taken for no order; a batch is not atomic either, each of its lines is written for itself.
        And with no idempotency key, an order sent again after a lost answer is a second order.
        """
        order_id = str(uuid.uuid4())
        lines: list[Row] = []
        for number, one in enumerate(wanted, 1):
            product = self.reserve(tenant, one.product, one.quantity)
            line = {"order_id": order_id, "number": number, "product": one.product, "quantity": one.quantity}
            lines.append(line | {"title": product["title"], "price": product["price"]})
        order = {
            "id": order_id,
            "tenant": tenant,
            "customer_id": customer,
            "status": "PENDING",
            "placed": placed.isoformat(),
            "total": sum((line["price"] * line["quantity"] for line in lines), Decimal(0)),
        }
        self.orders.put_item(Item=order)
        with self.items.batch_writer() as batch:
            for line in lines:
                batch.put_item(Item=line)
        return order, lines

    def order_page(self, tenant: str, order: str) -> tuple[Row, list[Row], Row]:
        """The order, its lines, and the customer for the name.

        Wrong: three requests, one after the other, where the page needs one; and the three do not show
        one moment.
        """
        found = self.orders.get_item(Key={"id": order}).get("Item")
        if found is None or found["tenant"] != tenant:
            raise NotFound(f"order {order}")
        lines = self.items.query(KeyConditionExpression=Key("order_id").eq(order))["Items"]
        customer = self.customers.get_item(Key={"id": found["customer_id"]}).get("Item", {})
        return found, lines, customer

    def orders_of(
        self, tenant: str, customer: str, since: datetime, until: datetime, *, limit: int = 20
    ) -> list[Row]:
        """A customer's orders, newest first.

        Wrong: every order of every customer is read, and paid for; the filter only hides them afterwards.
        """
        found = self._scan(
            Attr("tenant").eq(tenant)
            & Attr("customer_id").eq(customer)
            & Attr("placed").between(since.isoformat(), until.isoformat())
        )
        return sorted(found, key=lambda order: str(order["placed"]), reverse=True)[:limit]

    def pending(self, tenant: str, *, limit: int = 20) -> list[Row]:
        """Orders that wait, oldest first. Wrong: a Scan of all orders, to find the few that wait."""
        found = self._scan(Attr("tenant").eq(tenant) & Attr("status").eq("PENDING"))
        return sorted(found, key=lambda order: str(order["placed"]))[:limit]

    def take(self, tenant: str, order: str, worker: str) -> Row | None:
        """Gives a waiting order to a worker.

        Wrong: two workers both read PENDING, and both take it. The put writes back the whole order as it was
        read, so that it also undoes what somebody else changed meanwhile.
        """
        found: Row = self.orders.get_item(Key={"id": order})["Item"]
        if found["status"] != "PENDING":
            return None
        found |= {"status": "TAKEN", "worker": worker}
        self.orders.put_item(Item=found)
        return found

    def reserve(self, tenant: str, product: str, quantity: int) -> Row:
        """Takes from the stock if there is enough.

        Wrong: two customers both read that there is one, and both buy it.
        """
        found: Row | None = self.products.get_item(Key={"id": product}).get("Item")
        if found is None:
            raise NotFound(f"product {product}")
        if found["quantity"] < quantity:
            raise OutOfStock([product])
        found["quantity"] -= quantity
        self.products.put_item(Item=found)
        return found

    def register(self, account: str, email: str) -> Row:
        """Registers an account if nobody has its e-mail address.

        Wrong: the index shows an address some time after it was written, and even a fresh look is old by the
        time of the put. The username would need the same again, with another index.
        """
        taken = self.accounts.query(
            IndexName=EMAIL_INDEX, KeyConditionExpression=Key("email").eq(email.casefold())
        )
        if taken["Items"]:
            raise Taken(email)
        made = {"id": account, "email": email.casefold()}
        self.accounts.put_item(Item=made)
        return made

    def _scan(self, condition: Any) -> list[Row]:
        found: list[Row] = []
        page = self.orders.scan(FilterExpression=condition)
        found += page["Items"]
        while "LastEvaluatedKey" in page:
            page = self.orders.scan(FilterExpression=condition, ExclusiveStartKey=page["LastEvaluatedKey"])
            found += page["Items"]
        return found


def create_tables(client: Any, prefix: str = "naive-") -> list[str]:
    """Makes the five tables, and gives their names."""
    names = []
    for table, keys in KEYS.items():
        request: dict[str, Any] = {
            "TableName": prefix + table,
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [
                {"AttributeName": name, "KeyType": kind}
                for name, kind in zip(keys, ("HASH", "RANGE"), strict=False)
            ],
            "AttributeDefinitions": [
                {"AttributeName": name, "AttributeType": "N" if name in NUMBERS else "S"} for name in keys
            ],
        }
        if table == "accounts":
            request["AttributeDefinitions"].append({"AttributeName": "email", "AttributeType": "S"})
            request["GlobalSecondaryIndexes"] = [
                {
                    "IndexName": EMAIL_INDEX,
                    "KeySchema": [{"AttributeName": "email", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                }
            ]
        client.create_table(**request)
        client.get_waiter("table_exists").wait(TableName=request["TableName"], WaiterConfig={"Delay": 1})
        names.append(request["TableName"])
    return names
