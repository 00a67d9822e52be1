"""Creating something once, however often it is asked for: the idempotency key of an HTTP request.

A user who sees no order after paying sends the form again; a client whose answer was lost repeats the
request. Both bring the idempotency key of the first time, and both get the order that was made then.

    def build(tx: Transaction) -> Order:
        order = Order(tenant="42", id=tx.id(), …)
        tx.create(order)
        tx.change(Stock.key(sku="9"), F(Stock).qty.add(-2), when=F(Stock).qty >= 2)
        return order

    once = session.run(create_once(f"42#{idempotency_key}", build))
    once.entity, once.is_new

The record of the operation is put in the same transaction as the order, so that there is never one without
the other. The id has to come from the operation (`tx.id()`): by it the order is found again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from partita.model.declaring.entity import Entity, kind_of
from partita.model.errors import NotStored, WriteRefused
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.reading.getting import get
from partita.model.writing.targets import ref_to
from partita.model.writing.transaction import Transaction

E = TypeVar("E", bound=Entity)

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Once(Generic[E]):
    """What was created, now or earlier."""

    entity: E
    is_new: bool
    """False: it was there, and is as it is stored now."""


def create_once(
    operation: str, build: Callable[[Transaction], E], remember: timedelta = DAY
) -> Callable[[Context], Flow[Once[E]]]:
    """Builds a transaction and commits it, unless this operation was committed within the last `remember`.

    `operation` is the idempotency key, together with whoever it is of: clients choose keys, and another
    tenant's must not be met. `build` adds the writes and gives the entity that stands for them. Raises what
    the transaction raises; after OutcomeUnknown call it again. NotStored: it was created, and deleted
    since. WriteRefused: `build` gives no entity that the transaction writes; nothing was sent.
    """

    if not callable(build) or isinstance(build, type):
        raise TypeError(f"create_once takes a function that builds a transaction, not {kind_of(build)}")

    def recipe(context: Context) -> Flow[Once[E]]:
        tx = Transaction(context, operation, remember=remember)
        entity = build(tx)
        _require_built(entity)
        if not tx.writes(entity):
            raise WriteRefused(
                f"create_once: the function returns the entity that it creates, and the transaction does not "
                f"write {kind_of(entity)}: add it with tx.create(…)"
            )
        committed = yield from tx.as_flow()
        if committed is None or not committed.already_applied:
            return Once(entity, is_new=True)
        stored = yield from get(context, ref_to(entity), consistent=True)
        if stored is None:
            raise NotStored(f"{operation} was done, and what it created is deleted since")
        return Once(stored, is_new=False)

    return recipe


def _require_built(given: object) -> None:
    """The result is looked at before anything is sent: without it nobody could find what was created."""
    if not isinstance(given, Entity) or not hasattr(given, "__schema__"):
        what = "None" if given is None else kind_of(given)
        raise WriteRefused(
            f"create_once: the function returns the entity that it creates, and this one returned {what}"
        )
