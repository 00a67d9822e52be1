"""Every access pattern of the service: `partita design check examples.orders.patterns` proves them.

The service runs the reads as they stand here, so what is proved is what is asked.
"""

from __future__ import annotations

from examples.orders.entities import Account, Customer, Order, OrderLine, Product
from partita.design import Accept, Collect, Get, GetMany, P, Query, Write

MAX_LINES = 45
"""Each line takes two of a transaction's 100 actions: itself, and the stock that it takes."""
PAGE = 20
"""Orders on a page of a list."""

ORDER = Get("order by id", Order.key(tenant=P("tenant"), id=P("order")), consistent=True)
ORDER_PAGE = Collect(
    "order page",
    Order.key(tenant=P("tenant"), id=P("order")),
    of=[Order, OrderLine],
    at_most=1 + MAX_LINES,
)
ORDER_SENT_AGAIN = Collect(
    "order sent again",
    Order.key(tenant=P("tenant"), id=P("order")),
    of=[Order, OrderLine],
    at_most=1 + MAX_LINES,
    # The first attempt may have written it just now.
    consistent=True,
)
ORDERS_OF_CUSTOMER = Query(
    "orders of a customer",
    Order.gsi1(tenant=P("tenant"), customer=P("customer")).between(P("since"), P("until")),
    newest_first=True,
    limit=PAGE,
)
PENDING = Query("pending orders", Order.gsi2(tenant=P("tenant")), limit=PAGE)
CUSTOMER = Get("customer by id", Customer.key(tenant=P("tenant"), id=P("customer")), consistent=True)
PRODUCT = Get("product by id", Product.key(tenant=P("tenant"), id=P("product")), consistent=True)
PRODUCTS = GetMany(
    "products of an order",
    Product.key(tenant=P("tenant"), id=P("products")),
    each="products",
    at_most=MAX_LINES,
    consistent=True,
)
ACCOUNT = Get("account by id", Account.key(id=P("account")), consistent=True)

PLACE_ORDER = Write(
    "place an order",
    creates={Order: 1, OrderLine: MAX_LINES},
    changes={Product: MAX_LINES},
    how="transaction",
    decided_by=[CUSTOMER, PRODUCTS],
    guarded=[Product],
)
NO_CUSTOMER_IS_DELETED = Accept(
    "check-then-put",
    PLACE_ORDER,
    because="customers are not deleted, and an order keeps the name of its moment",
)
TAKE_ORDER = Write("take an order", changes=[Order], how="put", decided_by=[PENDING, ORDER])
COMPLETE_ORDER = Write("complete an order", changes=[Order], how="put", decided_by=[ORDER])
PUT_CUSTOMER = Write("put a customer", creates=[Customer], how="put")
ADD_PRODUCT = Write("add a product", creates=[Product], how="put")
RESERVE = Write("reserve by condition", changes=[Product], how="put", guarded=[Product])
EDIT_PRODUCT = Write("edit by version", changes=[Product], how="put", decided_by=[PRODUCT])
REGISTER = Write("register an account", creates=[Account], how="transaction")
CHANGE_EMAIL = Write("change an e-mail address", changes=[Account], how="transaction", decided_by=[ACCOUNT])
DELETE_ACCOUNT = Write("delete an account", deletes=[Account], how="transaction", decided_by=[ACCOUNT])
