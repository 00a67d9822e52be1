"""Reads as they are declared: what an application asks of its tables, by name.

ACCOUNT = Get("account by id", Account.key(id=P("id")))
ORDER_PAGE = Collect(
    "order page", Order.key(tenant=P("tenant"), id=P("id")), of=[Order, OrderLine], at_most=101
)
ORDERS_OF_CUSTOMER = Query(
    "orders of a customer",
    Order.gsi1(tenant=P("tenant"), customer=P("customer")).between(P("since"), P("until")),
    newest_first=True,
    limit=20,
)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from pydantic import BaseModel

from partita.design.binding import bound_filter, bound_key, filter_parameters, require_values, several_of
from partita.design.transact_gets import TransactGet
from partita.model.declaring.entity import Entity
from partita.model.errors import ReadRefused
from partita.model.expressions.conditions import Condition
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.keys.key_conditions import BoundKey, KeyCondition
from partita.model.reading.batch import batch_get
from partita.model.reading.getting import get
from partita.model.reading.options import QueryOptions
from partita.model.reading.pages import Collection, Page
from partita.model.reading.requests import collection_of, pages_of

E = TypeVar("E", bound=Entity)
V = TypeVar("V", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

RUN_OPTIONS = frozenset({"cursor", "including"})
"""What a run of a query takes beside the values of its parameters."""


class Keyed:
    """What reads by key have in common."""

    name: str
    key: KeyCondition[Any]
    of: tuple[type[Entity], ...]
    filter: Condition | None = None
    consistent: bool
    view: type[BaseModel] | None = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names that a run gives values for."""
        return tuple(dict.fromkeys((*self.key.parameters, *filter_parameters(self.filter))))

    def bind(self, **values: Any) -> KeyCondition[Any]:
        """The key condition with these values. Raises KeyValueError."""
        require_values(self.name, self.parameters, values)
        return bound_key(self.key, values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class Get(Keyed, Generic[R]):
    """One item by its full primary key: a GetItem."""

    @overload
    def __init__(
        self: Get[E], name: str, key: KeyCondition[E], *, consistent: bool = False, view: None = None
    ) -> None: ...
    @overload
    def __init__(
        self: Get[V], name: str, key: KeyCondition[Any], *, consistent: bool = False, view: type[V]
    ) -> None: ...
    def __init__(
        self,
        name: str,
        key: KeyCondition[Any],
        *,
        consistent: bool = False,
        view: type[BaseModel] | None = None,
    ) -> None:
        self.name = name
        self.key = key
        self.of = (key.entity,)
        self.consistent = consistent
        self.view = view

    def flow(self, context: Context, values: Mapping[str, Any]) -> Flow[R | None]:
        return get(context, self.bind(**values), consistent=self.consistent, view=self.view)


class GetMany(Keyed, Generic[E]):
    """Up to `at_most` items by their full primary keys: one BatchGetItem, which takes 100 keys.

        PRODUCTS = GetMany("products", Product.key(tenant=P("tenant"), id=P("ids")), each="ids", at_most=45)
        session.run(PRODUCTS, tenant="42", ids=["shoes", "lamp"])

    `each` is the parameter of which a run gives several values. It returns the items in their order, None
    where there is none, and raises ReadRefused for more than `at_most`.
    """

    def __init__(
        self, name: str, key: KeyCondition[E], *, each: str, at_most: int, consistent: bool = False
    ) -> None:
        self.name = name
        self.key = key
        self.of = (key.entity,)
        self.each = each
        self.at_most = at_most
        self.consistent = consistent

    def flow(self, context: Context, values: Mapping[str, Any]) -> Flow[list[E | None]]:
        require_values(self.name, self.parameters, values)
        several = several_of(self.name, self.each, values[self.each])
        if len(several) > self.at_most:
            raise ReadRefused(f"{self.name!r} reads at most {self.at_most} items, not {len(several)}")
        keys = [self.bind(**{**values, self.each: value}) for value in several]
        return batch_get(context, keys, consistent=self.consistent)


class Query(Keyed, Generic[R]):
    """A page of what a key condition selects: a Query, or one for each shard of a sharded index.

    `limit` bounds the page. With a `filter` a page can be shorter than that, unless `max_requests` lets it
    search on. `fetch` completes from the table what an index has only a part of. A run takes `cursor` (of an
    earlier page) and `including` beside the parameters' values.
    """

    @overload
    def __init__(
        self: Query[E],
        name: str,
        key: KeyCondition[E],
        *,
        of: None = None,
        newest_first: bool = False,
        limit: int | None = None,
        filter: Condition | None = None,
        consistent: bool = False,
        view: None = None,
        fetch: bool = False,
        max_requests: int = 1,
    ) -> None: ...
    @overload
    def __init__(
        self: Query[E],
        name: str,
        key: KeyCondition[Any],
        *,
        of: Sequence[type[E]],
        newest_first: bool = False,
        limit: int | None = None,
        filter: Condition | None = None,
        consistent: bool = False,
        view: None = None,
        fetch: bool = False,
        max_requests: int = 1,
    ) -> None: ...
    @overload
    def __init__(
        self: Query[V],
        name: str,
        key: KeyCondition[Any],
        *,
        of: Sequence[type[Entity]] | None = None,
        newest_first: bool = False,
        limit: int | None = None,
        filter: Condition | None = None,
        consistent: bool = False,
        view: type[V],
        fetch: bool = False,
        max_requests: int = 1,
    ) -> None: ...
    def __init__(
        self,
        name: str,
        key: KeyCondition[Any],
        *,
        of: Sequence[type[Entity]] | None = None,
        newest_first: bool = False,
        limit: int | None = None,
        filter: Condition | None = None,
        consistent: bool = False,
        view: type[BaseModel] | None = None,
        fetch: bool = False,
        max_requests: int = 1,
    ) -> None:
        self.name = name
        self.key = key
        self.of = (key.entity,) if of is None else tuple(of)
        self.newest_first = newest_first
        self.limit = limit
        self.filter = filter
        self.consistent = consistent
        self.view = view
        self.fetch = fetch
        self.max_requests = max_requests

    def flow(self, context: Context, values: Mapping[str, Any]) -> Flow[Page[R]]:
        given = {name: value for name, value in values.items() if name not in RUN_OPTIONS}
        condition = self.bind(**given)
        options: QueryOptions = {
            "limit": self.limit,
            "cursor": values.get("cursor"),
            "newest_first": self.newest_first,
            "filter": bound_filter(self.filter, given),
            "consistent": self.consistent,
            "including": values.get("including"),
            "fetch": self.fetch,
            "max_requests": self.max_requests * len(condition.shards),
        }
        return pages_of(context, self.of, condition, self.view, options).next()


class Collect(Keyed):
    """A whole item collection, such as an order with its lines: one Query of at most `at_most` items.

    `of` names the types it is read for. A run takes `including` beside the parameters' values.
    """

    def __init__(
        self,
        name: str,
        key: KeyCondition[Any],
        *,
        of: Sequence[type[Entity]],
        at_most: int | None = None,
        consistent: bool = False,
    ) -> None:
        self.name = name
        self.key = key
        self.of = tuple(of)
        self.at_most = at_most
        self.consistent = consistent

    def flow(self, context: Context, values: Mapping[str, Any]) -> Flow[Collection]:
        given = {name: value for name, value in values.items() if name != "including"}
        return collection_of(
            context,
            self.bind(**given),
            self.of,
            consistent=self.consistent,
            max_items=1000 if self.at_most is None else self.at_most,
            including=values.get("including"),
        )


class Scan:
    """What has no key yet: everything is read and most of it thrown away. Declared, it is refused.

    It is there to be said, so that the report names what is missing; sessions do not run it.
    """

    def __init__(self, name: str, *of: type[Entity], filter: Condition | None = None) -> None:
        self.name = name
        self.of = of
        self.filter = filter

    @property
    def parameters(self) -> tuple[str, ...]:
        return filter_parameters(self.filter)

    def __repr__(self) -> str:
        return f"Scan({self.name!r})"


Read = Get[Any] | GetMany[Any] | TransactGet[Any] | Query[Any] | Collect | Scan


def wished(key: BoundKey[E], **values: Any) -> KeyCondition[E]:
    """A key condition that nobody checked: of a pattern that one would like to have.

    `Order.gsi1(customer=P("customer"))` raises at once where the key needs the tenant too; with
    `wished(Order.gsi1, customer=P("customer"))` the check reports it among all the others.
    """
    return KeyCondition(key.entity, key.key, values)
