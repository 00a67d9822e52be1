"""What the service can do: each function is one access pattern, or one write, applied all or not at all."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from examples.orders import patterns
from examples.orders.entities import Account, Customer, Order, OrderLine, Product
from partita.design import Collect
from partita.model import ConditionFailed, F, OperationReused, Page, Session, StaleVersion, TransactionFailed

LEASE = timedelta(minutes=5)
"""For how long a worker has an order to itself; then it is taken for dead."""
REMEMBERED = timedelta(days=1)
"""For how long placing an order twice under one idempotency key is known to be one order."""


class NotFound(LookupError):
    """There is no such thing."""


class KeyReused(Exception):
    """The idempotency key belongs to an order that was placed with other contents."""


class OutOfStock(Exception):
    """There are fewer of a product than asked for."""

    def __init__(self, products: Sequence[str]) -> None:
        super().__init__(f"not enough of {', '.join(products)}")
        self.products = tuple(products)


@dataclass(frozen=True)
class Wanted:
    """A product and how many of it."""

    product: str
    quantity: int


@dataclass(frozen=True)
class OrderPage:
    """An order with its lines."""

    order: Order
    lines: Sequence[OrderLine]


class OrderService:
    """The use cases, over one session."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def place_order(
        self, tenant: str, customer: str, wanted: Sequence[Wanted], *, key: str, placed: datetime
    ) -> OrderPage:
        """Places an order and takes its products from the stock, all or nothing.

        `key` is the caller's idempotency key: sent again, for a day, it gives the order that was placed.
        A product wanted twice is one line. Raises NotFound, OutOfStock, KeyReused.
        """
        quantities = Counter[str]()
        for one in wanted:
            quantities[one.product] += one.quantity
        request = _digest(customer, quantities)
        with self.session.pattern(patterns.PLACE_ORDER.name):
            buyer = self.session.run(patterns.CUSTOMER, tenant=tenant, customer=customer)
            if buyer is None:
                raise NotFound(f"customer {customer}")
            transaction = self.session.transaction(
                f"place-order#{tenant}#{key}", at=placed, remember=REMEMBERED
            )
            order_id = transaction.id()
            lines = self._lines(tenant, order_id, quantities)
            order = Order(
                tenant=tenant,
                id=order_id,
                customer=customer,
                customer_name=buyer.name,
                placed=placed,
                total=sum((line.price * line.quantity for line in lines), Decimal(0)),
                request=request,
            )
            try:
                with transaction:
                    transaction.create(order)
                    for line in lines:
                        transaction.create(line)
                        transaction.change(
                            Product.key(tenant=tenant, id=line.product),
                            F(Product).quantity.add(-line.quantity),
                            when=F(Product).quantity >= line.quantity,
                        )
            except OperationReused as reused:
                raise KeyReused(f"the key {key} was used for another order") from reused
            except (ConditionFailed, TransactionFailed) as failed:
                raise _out_of_stock(failed) from failed
        if transaction.committed is not None and transaction.committed.already_applied:
            page = self._page(patterns.ORDER_SENT_AGAIN, tenant, order_id)
            # The record of a transaction knows its keys, but not customer and quantities.
            if page.order.request != request:
                raise KeyReused(f"the key {key} was used for another order")
            return page
        return OrderPage(order, lines)

    def order_page(self, tenant: str, order: str) -> OrderPage:
        """An order with its lines: one Query. Raises NotFound."""
        return self._page(patterns.ORDER_PAGE, tenant, order)

    def orders_of(
        self,
        tenant: str,
        customer: str,
        since: datetime,
        until: datetime,
        *,
        cursor: str | None = None,
        just_placed: str | None = None,
    ) -> Page[Order]:
        """A customer's orders of a time, newest first: one Query of gsi1.

        The index is late; an order that this session placed, or whose id is `just_placed`, is read from the
        table as well, so that it is always there.
        """
        return self.session.run(
            patterns.ORDERS_OF_CUSTOMER,
            tenant=tenant,
            customer=customer,
            since=since,
            until=until,
            cursor=cursor,
            including=True if just_placed is None else [Order.key(tenant=tenant, id=just_placed)],
        )

    def pending(self, tenant: str, *, cursor: str | None = None) -> Page[Order]:
        """Orders that are not completed, oldest first: one Query for each shard of gsi2."""
        return self.session.run(patterns.PENDING, tenant=tenant, cursor=cursor)

    def take(self, tenant: str, order: str, worker: str, now: datetime) -> Order | None:
        """Gives an order to a worker for the time of a lease, None if it is done or another one has it.

        Whoever has it longer than that is taken for dead.
        """
        with self.session.pattern(patterns.TAKE_ORDER.name):
            found = self.session.run(patterns.ORDER, tenant=tenant, order=order)
            if found is None or not is_free(found, now):
                return None
            found.status, found.worker, found.taken_until = "TAKEN", worker, now + LEASE
            try:
                self.session.update(found)
            except StaleVersion:
                return None
            return found

    def complete(self, order: Order) -> None:
        """Marks an order that was taken as done. Raises StaleVersion if another worker has taken it over."""
        with self.session.pattern(patterns.COMPLETE_ORDER.name):
            order.status, order.taken_until = "COMPLETED", None
            self.session.update(order)

    def put_customer(self, customer: Customer) -> None:
        """Adds a customer, or replaces it."""
        with self.session.pattern(patterns.PUT_CUSTOMER.name):
            self.session.put(customer)

    def add_product(self, product: Product) -> None:
        """Adds a product. Raises AlreadyExists."""
        with self.session.pattern(patterns.ADD_PRODUCT.name):
            self.session.create(product)

    def product(self, tenant: str, product: str) -> Product:
        """A product as it is now. Raises NotFound."""
        found = self.session.run(patterns.PRODUCT, tenant=tenant, product=product)
        if found is None:
            raise NotFound(f"product {product}")
        return found

    def reserve(self, tenant: str, product: str, quantity: int) -> Product:
        """Takes from the stock if there is enough: the condition alone makes it safe. Raises OutOfStock."""
        with self.session.pattern(patterns.RESERVE.name):
            try:
                return self.session.change(
                    Product.key(tenant=tenant, id=product),
                    F(Product).quantity.add(-quantity),
                    when=F(Product).quantity >= quantity,
                )
            except ConditionFailed as failed:
                if failed.current is None:
                    raise NotFound(f"product {product}") from failed
                raise OutOfStock([product]) from failed

    def edit_product(self, product: Product, seen_version: int) -> Product:
        """Saves a form that somebody filled in from version `seen_version`.

        Raises StaleVersion with the product as it is now if it has changed since, NotFound.
        """
        with self.session.pattern(patterns.EDIT_PRODUCT.name):
            current = self.product(product.tenant, product.id)
            current.title, current.price, current.quantity = product.title, product.price, product.quantity
            current.version = seen_version
            self.session.update(current)
            return current

    def register(self, account: Account) -> Account:
        """Registers an account. Raises UniqueViolation that names each value that is taken, AlreadyExists."""
        with self.session.pattern(patterns.REGISTER.name):
            self.session.create(account)
            return account

    def account(self, account: str) -> Account:
        """An account as it is now. Raises NotFound."""
        found = self.session.run(patterns.ACCOUNT, account=account)
        if found is None:
            raise NotFound(f"account {account}")
        return found

    def change_email(self, account: str, email: str) -> Account:
        """Gives an account another e-mail address and frees the old one. Raises UniqueViolation, NotFound."""
        with self.session.pattern(patterns.CHANGE_EMAIL.name):
            found = self.account(account)
            found.email = email
            self.session.update(found)
            return found

    def delete_account(self, account: str) -> None:
        """Deletes an account, and frees its values; a missing one is none to delete."""
        with self.session.pattern(patterns.DELETE_ACCOUNT.name):
            self.session.delete(Account.key(id=account))

    def _page(self, pattern: Collect, tenant: str, order: str) -> OrderPage:
        found = self.session.run(pattern, tenant=tenant, order=order)
        heads = found.of(Order)
        if not heads:
            raise NotFound(f"order {order}")
        return OrderPage(heads[0], found.of(OrderLine))

    def _lines(self, tenant: str, order: str, quantities: Mapping[str, int]) -> list[OrderLine]:
        """Lines with titles and prices of now; one BatchGetItem. Raises NotFound."""
        products = self.session.run(patterns.PRODUCTS, tenant=tenant, products=quantities)
        lines: list[OrderLine] = []
        wanted = zip(quantities.items(), products, strict=True)
        for number, ((product_id, quantity), product) in enumerate(wanted, 1):
            if product is None:
                raise NotFound(f"product {product_id}")
            lines.append(
                OrderLine(
                    tenant=tenant,
                    order=order,
                    number=number,
                    product=product.id,
                    title=product.title,
                    quantity=quantity,
                    price=product.price,
                )
            )
        return lines


def is_free(order: Order, now: datetime) -> bool:
    """Whether a worker may take the order: it waits, or who took it had its time."""
    if order.status == "TAKEN":
        return order.taken_until is None or order.taken_until <= now
    return order.status == "PENDING"


def _digest(customer: str, quantities: Mapping[str, int]) -> str:
    asked = json.dumps([customer, sorted(quantities.items())])
    return hashlib.sha256(asked.encode()).hexdigest()


def _out_of_stock(failed: ConditionFailed | TransactionFailed) -> Exception:
    errors = [failed] if isinstance(failed, ConditionFailed) else [one.error for one in failed.reasons]
    products = [error.current for error in errors if isinstance(error, ConditionFailed)]
    short = [product.id for product in products if isinstance(product, Product)]
    return OutOfStock(short) if len(short) == len(errors) else failed
