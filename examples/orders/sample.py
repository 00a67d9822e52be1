"""Sample data: two tenants, some customers, products, and orders of the last days."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from examples.orders.entities import Account, Customer, Product
from examples.orders.service import OrderService, Wanted

NAMES = ("Ada", "Bao", "Chi", "Dora", "Emeka")
TITLES = ("Trail shoes", "Rain jacket", "Head lamp", "Water bottle", "Wool socks", "Map of the north")


def add_sample(service: OrderService, now: datetime, orders: int = 40) -> None:
    """Adds it; a second time changes nothing that matters."""
    chance = Random(7)
    for tenant in ("42", "43"):
        for number, name in enumerate(NAMES, 1):
            service.put_customer(Customer(tenant=tenant, id=str(number), name=name))
        for number, title in enumerate(TITLES, 1):
            price = Decimal(chance.randrange(900, 19900)) / 100
            service.add_product(
                Product(tenant=tenant, id=str(number), title=title, price=price, quantity=10_000)
            )
        for number in range(orders):
            products = chance.sample(range(1, len(TITLES) + 1), chance.randint(1, 4))
            service.place_order(
                tenant,
                str(chance.randint(1, len(NAMES))),
                [Wanted(str(product), chance.randint(1, 3)) for product in products],
                key=f"sample-{number}",
                placed=now - timedelta(hours=3 * number),
            )
    for number, name in enumerate(NAMES, 1):
        service.register(Account(id=str(number), email=f"{name.lower()}@example.com", username=name.lower()))
