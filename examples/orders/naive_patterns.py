"""The naive version's design, declared: `partita design check examples.orders.naive_patterns` refuses it.

What `naive.py` does is said here in the words of patterns; each is refused for what would go wrong.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from partita.design import Collect, Get, P, Query, Scan, Write
from partita.model import Entity, F, Index, Key, Table

Id = Annotated[str, Field(min_length=1, max_length=64)]


class Orders(Table, name="naive-orders", partition_key="id", sort_key=None):
    """One table for each entity."""


class OrderItems(Table, name="naive-order_items", partition_key="order_id", sort_key="line"):
    """The lines of orders."""


class Customers(Table, name="naive-customers", partition_key="id", sort_key=None):
    """Who orders."""


class Products(Table, name="naive-products", partition_key="id", sort_key=None):
    """What there is to order."""


class Accounts(Table, name="naive-accounts", partition_key="id", sort_key=None):
    """Log-ins."""

    email_index = Index(name="email-index", partition=["email"])


class Order(Entity, table=Orders):
    id: Id
    tenant: Id
    customer_id: Id
    status: Literal["PENDING", "TAKEN", "COMPLETED"] = "PENDING"
    placed: datetime
    total: Decimal

    key = Key("{id}", raw=True)


class OrderItem(Entity, table=OrderItems):
    order_id: Id
    line: Id
    product: Id
    quantity: int
    price: Decimal

    key = Key("{order_id}", "{line}", raw=True)


class Customer(Entity, table=Customers):
    id: Id
    name: Annotated[str, Field(max_length=200)]

    key = Key("{id}", raw=True)


class Product(Entity, table=Products):
    id: Id
    price: Decimal
    quantity: int

    key = Key("{id}", raw=True)


class Account(Entity, table=Accounts):
    id: Id
    email: Annotated[str, Field(max_length=254)]

    key = Key("{id}", raw=True)
    email_index = Key()


ORDER = Get("order by id", Order.key(id=P("order")), consistent=True)
ORDER_PAGE = Collect("order page", Order.key(id=P("order")), of=[Order, OrderItem, Customer], at_most=50)
ORDERS_OF_CUSTOMER = Scan("orders of a customer", Order, filter=F(Order).customer_id == P("customer"))
PENDING = Scan("pending orders", Order, filter=F(Order).status == "PENDING")
PRODUCT = Get("product by id", Product.key(id=P("product")), consistent=True)
BY_EMAIL = Query("account by e-mail address", Account.email_index(email=P("email")), limit=1)
BY_EMAIL_NOW = Query(
    "account by e-mail address, strongly", Account.email_index(email=P("email")), limit=1, consistent=True
)

REGISTER = Write("register an account", creates=[Account], how="put", decided_by=[BY_EMAIL])
PLACE_ORDER = Write("place an order", creates={Order: 1, OrderItem: 20}, how="batch", together=True)
TAKE_ORDER = Write("take an order", changes=[Order], how="put", decided_by=[ORDER])
RESERVE = Write("take from the stock", changes=[Product], how="put", decided_by=[PRODUCT])
