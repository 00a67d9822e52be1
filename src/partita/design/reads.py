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
from typing import Any, Generic, TypedDict, TypeGuard, TypeVar, Unpack, overload

from pydantic import BaseModel

from partita.design.binding import bound_filter, filter_parameters, require_values, several_of
from partita.design.given import (
    given_counts,
    given_entities,
    given_filter,
    given_key,
    given_name,
    given_view,
)
from partita.design.patterns import ByKey, Keyed, Ranged, ReadKind, partition_words, sort_words
from partita.design.reach import selects_one
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
from partita.words import counted

E = TypeVar("E", bound=Entity)
V = TypeVar("V", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

RUN_OPTIONS = frozenset({"cursor", "including"})
"""What a run of a query takes beside the values of its parameters."""


class Get(Keyed, ByKey, Generic[R]):
    """One item by its full primary key: a GetItem."""

    operation = "GetItem"

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
        self.name = given_name(name)
        self.key = given_key(name, key)
        self.of = (key.entity,)
        self.consistent = consistent
        given_view(name, view)
        self.view = view

    @property
    def counted(self) -> tuple[tuple[KeyCondition[Any], int], ...]:
        return ((self.key, 1),)

    @property
    def request(self) -> str:
        return self.operation

    @property
    def words(self) -> str:
        return ", ".join([*partition_words(self.key), *sort_words(self.key)])

    def flow(self, context: Context, values: Mapping[str, Any]) -> Flow[R | None]:
        return get(context, self.bind(**values), consistent=self.consistent, view=self.view)


class GetMany(Keyed, ByKey, Generic[E]):
    """Up to `at_most` items by their full primary keys: one BatchGetItem, which takes 100 keys.

        PRODUCTS = GetMany("products", Product.key(tenant=P("tenant"), id=P("ids")), each="ids", at_most=45)
        session.run(PRODUCTS, tenant="42", ids=["shoes", "lamp"])

    `each` is the parameter of which a run gives several values. It returns the items in their order, None
    where there is none, and raises ReadRefused for more than `at_most`.
    """

    operation = "BatchGetItem"

    def __init__(
        self, name: str, key: KeyCondition[E], *, each: str, at_most: int, consistent: bool = False
    ) -> None:
        self.name = given_name(name)
        self.key = given_key(name, key)
        self.of = (key.entity,)
        self.each = each
        given_counts(name, at_most=at_most)
        self.at_most = at_most
        self.consistent = consistent

    @property
    def counted(self) -> tuple[tuple[KeyCondition[Any], int], ...]:
        return ((self.key, self.at_most),)

    @property
    def request(self) -> str:
        return f"{self.operation} (up to {counted(self.at_most, 'key')})"

    @property
    def words(self) -> str:
        bound = f"at most {self.at_most} of {self.each}"
        return ", ".join([*partition_words(self.key), *sort_words(self.key), bound])

    def flow(self, context: Context, values: Mapping[str, Any]) -> Flow[list[E | None]]:
        require_values(self.name, self.parameters, values)
        several = several_of(self.name, self.each, values[self.each])
        if len(several) > self.at_most:
            raise ReadRefused(
                f"{self.name!r} reads at most {counted(self.at_most, 'item')}, not {len(several)}"
            )
        keys = [self.bind(**{**values, self.each: value}) for value in several]
        return batch_get(context, keys, consistent=self.consistent)


class QueryBounds(TypedDict, total=False):
    """How a declared query is read.

    - newest_first, filter, consistent, fetch: as in PageOptions of `partita.model`
    - limit: the items of a page, at most
    - max_requests: bounds the search for matches of a filter (1 unless given)
    """

    newest_first: bool
    limit: int | None
    filter: Condition | None
    consistent: bool
    fetch: bool
    max_requests: int


class Query(Ranged, Generic[R]):
    """A page of what a key condition selects: a Query, or one for each shard of a sharded index.

    `limit` bounds the page. With a `filter` a page can be shorter than that, unless `max_requests` lets it
    search on. `fetch` completes from the table what an index has only a part of. A run takes `cursor` (of an
    earlier page) and `including` beside the parameters' values.
    """

    bound = "limit"
    unbounded = "nothing bounds the result: give the page a limit"

    @overload
    def __init__(
        self: Query[E],
        name: str,
        key: KeyCondition[E],
        *,
        of: None = None,
        view: None = None,
        **options: Unpack[QueryBounds],
    ) -> None: ...
    @overload
    def __init__(
        self: Query[E],
        name: str,
        key: KeyCondition[Any],
        *,
        of: Sequence[type[E]],
        view: None = None,
        **options: Unpack[QueryBounds],
    ) -> None: ...
    @overload
    def __init__(
        self: Query[V],
        name: str,
        key: KeyCondition[Any],
        *,
        of: Sequence[type[Entity]] | None = None,
        view: type[V],
        **options: Unpack[QueryBounds],
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
        self.name = given_name(name)
        self.key = given_key(name, key)
        self.of = (key.entity,) if of is None else given_entities(name, of)
        given_counts(name, max_requests=max_requests)
        if limit is not None:
            given_counts(name, limit=limit)
        given_filter(name, filter)
        given_view(name, view)
        self.newest_first = newest_first
        self.limit = limit
        self.filter = filter
        self.consistent = consistent
        self.view = view
        self.fetch = fetch
        self.max_requests = max_requests

    @property
    def most(self) -> int | None:
        if selects_one(self.of, self.key):
            return 1 if self.limit is None else min(1, self.limit)
        return self.limit

    @property
    def words(self) -> str:
        texts = [*partition_words(self.key), *sort_words(self.key)]
        texts += ["newest first"] if self.newest_first else []
        texts += [f"at most {self.limit}"] if self.limit is not None else []
        texts += ["filtered"] if self.filter is not None else []
        return ", ".join(texts)

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


class Collect(Ranged):
    """A whole item collection, such as an order with its lines: one Query of at most `at_most` items.

    `of` names the types it is read for. A run takes `including` beside the parameters' values.
    """

    bound = "at_most"
    unbounded = "nothing bounds the collection: say at_most how many items it can hold"

    def __init__(
        self,
        name: str,
        key: KeyCondition[Any],
        *,
        of: Sequence[type[Entity]],
        at_most: int | None = None,
        consistent: bool = False,
    ) -> None:
        self.name = given_name(name)
        self.key = given_key(name, key)
        self.of = given_entities(name, of)
        if at_most is not None:
            given_counts(name, at_most=at_most)
        self.at_most = at_most
        self.consistent = consistent

    @property
    def most(self) -> int | None:
        return self.at_most

    @property
    def words(self) -> str:
        names = ", ".join(entity.__name__ for entity in self.of)
        return ", ".join([*partition_words(self.key), f"{names}, at most {self.at_most}"])

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


class Scan(ReadKind):
    """What has no key yet: everything is read and most of it thrown away. Declared, it is refused.

    It is there to be said, so that the report names what is missing; sessions do not run it.
    """

    operation = "Scan"
    kind = "a Scan"

    def __init__(self, name: str, *of: type[Entity], filter: Condition | None = None) -> None:
        self.name = given_name(name)
        self.of = given_entities(name, of)
        given_filter(name, filter)
        self.filter = filter

    @property
    def request(self) -> str:
        return self.operation

    @property
    def index_name(self) -> str:
        return ""

    @property
    def consistency(self) -> str:
        return "eventual"

    @property
    def words(self) -> str:
        return "everything"

    @property
    def parameters(self) -> tuple[str, ...]:
        return filter_parameters(self.filter)


Read = Get[Any] | GetMany[Any] | TransactGet[Any] | Query[Any] | Collect | Scan


def is_read(value: object) -> TypeGuard[Read]:
    """Whether it is a declared read."""
    return isinstance(value, ReadKind)


def wished(key: BoundKey[E], **values: Any) -> KeyCondition[E]:
    """A key condition that nobody checked: of a pattern that one would like to have.

    `Order.gsi1(customer=P("customer"))` raises at once where the key needs the tenant too; with
    `wished(Order.gsi1, customer=P("customer"))` the check reports it among all the others.
    """
    if not isinstance(key, BoundKey):
        raise TypeError(f"a key of a class is needed, such as Order.gsi1, not {key!r}")
    return KeyCondition(key.entity, key.key, values)
