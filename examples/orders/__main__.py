"""`python -m examples.orders`: the service with sample data, on a database inside this process."""

from __future__ import annotations

import argparse
import socket
import threading
from datetime import UTC, datetime

import partita

try:
    import boto3  # noqa: F401 (a database makes its clients with it)
    import uvicorn

    from examples.orders.app import make_app
    from examples.orders.entities import Shop
    from examples.orders.sample import add_sample
    from examples.orders.service import OrderService
    from examples.orders.worker import work
    from partita.model import Session
except ModuleNotFoundError as missing:
    raise SystemExit(
        f'the order service needs {missing.name}: install it with pip install -e ".[dev]", or run make orders'
    ) from None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.orders", description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="0: any that is free")
    parser.add_argument(
        "--profile",
        choices=["instant", "aws", "hostile"],
        default="aws",
        help="how consistent the database is",
    )
    options = parser.parse_args()
    try:
        listening = socket.create_server(("127.0.0.1", options.port))
    except (OSError, OverflowError) as error:
        parser.error(f"port {options.port} cannot be had ({error}); take another one with --port")
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with listening, partita.Database(profile=options.profile) as database:
        session = Session(database.client())
        session.ensure_table(Shop)
        service = OrderService(session)
        add_sample(service, datetime.now(UTC))
        stop = threading.Event()
        worker = threading.Thread(target=_work, args=(service, stop), daemon=True)
        worker.start()
        print(f"Orders on {address}/docs (tenants 42 and 43; end with Ctrl-C)", flush=True)
        print(f"  curl {address}/tenants/42/pending", flush=True)
        try:
            uvicorn.Server(uvicorn.Config(make_app(service), log_level="warning")).run([listening])
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
            worker.join(10)


def _work(service: OrderService, stop: threading.Event) -> None:
    """Tenant 43 has a worker that completes what waits; the orders of 42 are left to look at."""
    while not stop.wait(1.0):
        work(service, "43", "worker-1", lambda order: None)


if __name__ == "__main__":
    main()
