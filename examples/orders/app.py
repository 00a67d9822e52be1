"""The service over HTTP; its page is at /docs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

from fastapi import FastAPI, Header, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi_offline import FastAPIOffline
from pydantic import BaseModel, Field
from starlette.middleware.trustedhost import TrustedHostMiddleware

from examples.orders.entities import Account, Customer, Id, Order, OrderLine, Product
from examples.orders.patterns import MAX_LINES
from examples.orders.service import KeyReused, NotFound, OrderService, OutOfStock, Wanted
from partita.model import (
    AlreadyExists,
    ConditionFailed,
    CursorRefused,
    KeyValueError,
    NotStored,
    OperationReused,
    OutcomeUnknown,
    ServiceError,
    StaleVersion,
    TransactionFailed,
    UniqueViolation,
    Unprocessed,
    Unreachable,
    UnstorableValue,
)

MOST = 1_000_000_000
"""Of one product; and of versions, which a form sends back."""
Name = Annotated[str, Field(max_length=200)]


class NewLine(BaseModel):
    product: Id
    quantity: Annotated[int, Field(ge=1, le=1_000_000)]


class NewOrder(BaseModel):
    customer: Id
    lines: Annotated[list[NewLine], Field(min_length=1, max_length=MAX_LINES)]


class NewProduct(BaseModel):
    title: Name
    price: Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=2)]
    quantity: Annotated[int, Field(ge=0, le=MOST)]


class NewAccount(BaseModel):
    id: Id
    email: Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+$", max_length=254)]
    username: Annotated[str, Field(min_length=1, max_length=64)]


class NewEmail(BaseModel):
    email: Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+$", max_length=254)]


class OrderPage(BaseModel):
    order: Order
    lines: Sequence[OrderLine]


class Orders(BaseModel):
    orders: Sequence[Order]
    cursor: str | None
    """Where the next page begins; null: this was the last one."""
    requests: int
    """How many requests to the database the page took."""


HOSTS = ("127.0.0.1", "localhost")
"""The names that it answers to. It has no log-in: a page from elsewhere, which a browser may be led to
connect to this machine by a name of its own, gets nothing."""


def make_app(service: OrderService, hosts: Sequence[str] = HOSTS) -> FastAPI:
    """The application over a service; its pages need nothing from other servers."""
    app = FastAPIOffline(
        title="Orders",
        summary="A multi-tenant order service on one table",
        redoc_url=None,
        swagger_ui_parameters={"validatorUrl": None},
    )
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    _add_errors(app)

    @app.get("/", include_in_schema=False)
    def front() -> RedirectResponse:
        return RedirectResponse("/docs")

    @app.put("/tenants/{tenant}/customers/{customer}")
    def put_customer(tenant: Id, customer: Id, name: Name) -> Customer:
        made = Customer(tenant=tenant, id=customer, name=name)
        service.put_customer(made)
        return made

    @app.post("/tenants/{tenant}/products/{product}", status_code=201)
    def add_product(tenant: Id, product: Id, new: NewProduct) -> Product:
        made = Product(tenant=tenant, id=product, **new.model_dump())
        service.add_product(made)
        return made

    @app.get("/tenants/{tenant}/products/{product}")
    def product(tenant: Id, product: Id) -> Product:
        return service.product(tenant, product)

    @app.post("/tenants/{tenant}/products/{product}/reserve")
    def reserve(tenant: Id, product: Id, quantity: Annotated[int, Query(ge=1, le=MOST)]) -> Product:
        """Takes from the stock, if there is enough."""
        return service.reserve(tenant, product, quantity)

    @app.put("/tenants/{tenant}/products/{product}")
    def edit_product(
        tenant: Id, product: Id, version: Annotated[int, Query(ge=1, le=MOST)], new: NewProduct
    ) -> Product:
        """Saves a form that was filled in from `version`; 409 with the product of now if it changed since."""
        return service.edit_product(Product(tenant=tenant, id=product, **new.model_dump()), version)

    @app.post("/tenants/{tenant}/orders", status_code=201)
    def place_order(
        tenant: Id, new: NewOrder, idempotency_key: Annotated[str, Header(min_length=1, max_length=200)]
    ) -> OrderPage:
        """Places an order and takes its products from the stock; once for each Idempotency-Key.

        The key with another order is refused: 422.
        """
        wanted = [Wanted(line.product, line.quantity) for line in new.lines]
        page = service.place_order(
            tenant, new.customer, wanted, key=idempotency_key, placed=datetime.now(UTC)
        )
        return OrderPage(order=page.order, lines=page.lines)

    @app.get("/tenants/{tenant}/orders/{order}")
    def order_page(tenant: Id, order: Id) -> OrderPage:
        page = service.order_page(tenant, order)
        return OrderPage(order=page.order, lines=page.lines)

    @app.get("/tenants/{tenant}/customers/{customer}/orders")
    def orders_of(
        tenant: Id,
        customer: Id,
        since: datetime,
        until: datetime,
        cursor: str | None = None,
        just_placed: Id | None = None,
    ) -> Orders:
        """Newest first; an order that was `just_placed` is always among them."""
        page = service.orders_of(tenant, customer, since, until, cursor=cursor, just_placed=just_placed)
        return Orders(orders=page.items, cursor=page.cursor, requests=page.requests)

    @app.get("/tenants/{tenant}/pending")
    def pending(tenant: Id, cursor: str | None = None) -> Orders:
        """Orders that are not completed, oldest first, of all shards."""
        page = service.pending(tenant, cursor=cursor)
        return Orders(orders=page.items, cursor=page.cursor, requests=page.requests)

    @app.post("/accounts", status_code=201)
    def register(new: NewAccount) -> Account:
        return service.register(Account(**new.model_dump()))

    @app.get("/accounts/{account}")
    def account(account: Id) -> Account:
        return service.account(account)

    @app.put("/accounts/{account}/email")
    def change_email(account: Id, new: NewEmail) -> Account:
        return service.change_email(account, new.email)

    @app.delete("/accounts/{account}", status_code=204)
    def delete_account(account: Id) -> None:
        service.delete_account(account)

    return app


def _add_errors(app: FastAPI) -> None:
    """Each error of the service has one answer: what is wrong, and what the caller needs to go on."""

    def on(kind: type[Exception], status: int, more: Any = lambda error: {}) -> None:
        async def answer(request: Request, error: Exception) -> JSONResponse:
            return JSONResponse({"error": str(error), **more(error)}, status)

        app.add_exception_handler(kind, answer)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        """Without the input, which may hold what no answer can: half a surrogate pair."""
        problems = error.errors() if isinstance(error, RequestValidationError) else []
        return JSONResponse(
            {"detail": [{name: one[name] for name in ("type", "loc", "msg")} for one in problems]}, 422
        )

    app.add_exception_handler(RequestValidationError, invalid)
    on(NotFound, 404)
    on(OutOfStock, 409, lambda error: {"products": error.products})
    on(StaleVersion, 409, lambda error: {"current": error.current and error.current.model_dump(mode="json")})
    on(UniqueViolation, 409, lambda error: {"taken": {one.rule: one.value for one in error.clashes}})
    on(AlreadyExists, 409)
    on(NotStored, 404)
    on(ConditionFailed, 409)
    on(TransactionFailed, 409)
    on(KeyReused, 422)
    on(OperationReused, 422)
    on(KeyValueError, 422)
    on(UnstorableValue, 422)
    on(CursorRefused, 422)
    on(OutcomeUnknown, 504)
    on(Unreachable, 503)
    on(Unprocessed, 503)
    on(ServiceError, 502)
