"""A worker: takes waiting orders, oldest first, does what is to be done, and completes them."""

from __future__ import annotations

from collections.abc import Callable

from examples.orders.entities import Order
from examples.orders.service import OrderService


def work(service: OrderService, tenant: str, worker: str, do: Callable[[Order], object]) -> int:
    """Completes what waits now; how many orders that were. Several workers may run at once."""
    completed = 0
    cursor: str | None = None
    while True:
        page = service.pending(tenant, cursor=cursor)
        for waiting in page.items:
            taken = service.take(tenant, waiting.id, worker)
            if taken is not None:
                do(taken)
                service.complete(taken)
                completed += 1
        if page.cursor is None:
            return completed
        cursor = page.cursor
