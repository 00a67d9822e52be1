"""A worker: takes waiting orders, oldest first, does what is to be done, and completes them.

It takes an order for the time of a lease. If it dies or fails in that time, the order stays in the index of
what is not completed, and the next worker after the lease takes it over: so what is done for an order may be
done twice.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from examples.orders.entities import Order
from examples.orders.service import OrderService, is_free
from partita.model import StaleVersion


def utc_now() -> datetime:
    return datetime.now(UTC)


def work(
    service: OrderService,
    tenant: str,
    worker: str,
    do: Callable[[Order], object],
    now: Callable[[], datetime] = utc_now,
) -> int:
    """Completes what waits now; how many orders that were. Several workers may run at once.

    What `do` raises is raised; its order waits for the end of the lease.
    """
    completed = 0
    cursor: str | None = None
    while True:
        page = service.pending(tenant, cursor=cursor)
        for waiting in page.items:
            # The index is late; `take` reads the order itself.
            taken = service.take(tenant, waiting.id, worker, now()) if is_free(waiting, now()) else None
            if taken is not None:
                do(taken)
                try:
                    service.complete(taken)
                except StaleVersion:
                    continue
                completed += 1
        if page.cursor is None:
            return completed
        cursor = page.cursor
