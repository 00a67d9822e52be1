"""The reads of `Session`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, Unpack, overload

from pydantic import BaseModel

from partita.model.declaring.entity import Entity
from partita.model.declaring.table import Table
from partita.model.keys.key_conditions import KeyCondition
from partita.model.reading.batch import batch_get
from partita.model.reading.getting import get
from partita.model.reading.options import (
    BatchOptions,
    CollectionOptions,
    PageOptions,
    QueryOptions,
    ScanOptions,
)
from partita.model.reading.pages import Collection, Page
from partita.model.reading.paging import Pages
from partita.model.reading.requests import Queried, collection_of, pages_of, ref_of
from partita.model.reading.scanning import Scan
from partita.model.sessions.state import Driven

E = TypeVar("E", bound=Entity)
V = TypeVar("V", bound=BaseModel)


class Reads(Driven):
    """What `Session` can read."""

    @overload
    def get(
        self, of: type[E] | KeyCondition[E], /, *, consistent: bool = False, view: None = None, **key: Any
    ) -> E | None: ...
    @overload
    def get(
        self, of: type[Entity] | KeyCondition[Any], /, *, consistent: bool = False, view: type[V], **key: Any
    ) -> V | None: ...
    def get(
        self,
        of: type[Entity] | KeyCondition[Any],
        /,
        *,
        consistent: bool = False,
        view: type[BaseModel] | None = None,
        **key: Any,
    ) -> Any:
        """The entity with this primary key, None if there is none.

            session.get(Order, tenant="42", id="991")
            session.get(Order.key(tenant="42", id="991"), consistent=True, view=OrderLabel)

        As in the service, a read may be behind the last writes unless it is `consistent`, which costs twice.
        Raises UnreadableItem if the item is of another type or misses what the entity needs.
        """
        return self._run(get(self._context, ref_of(of, key), consistent=consistent, view=view))

    @overload
    def query(
        self,
        of: type[E] | Sequence[type[E]] | KeyCondition[E],
        condition: KeyCondition[Any] | None = None,
        *,
        view: None = None,
        **options: Unpack[QueryOptions],
    ) -> Page[E]: ...
    @overload
    def query(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[V],
        **options: Unpack[QueryOptions],
    ) -> Page[V]: ...
    def query(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[BaseModel] | None = None,
        **options: Unpack[QueryOptions],
    ) -> Page[Any]:
        """A page of the entities that a key condition selects, in the order of the sort key.

            session.query(
                Order, Order.gsi1(tenant="42", customer="7").between(a, b), newest_first=True, limit=20
            )

        Without `limit` a page is what one request brings. Of a sharded index all shards are asked at once
        and merged in order. The options: see QueryOptions. Raises ReadRefused with the reason why a query
        cannot work, before anything is sent.
        """
        return self._run(pages_of(self._context, of, condition, view, options).next())

    @overload
    def pages(
        self,
        of: type[E] | Sequence[type[E]] | KeyCondition[E],
        condition: KeyCondition[Any] | None = None,
        *,
        view: None = None,
        **options: Unpack[QueryOptions],
    ) -> Iterator[Page[E]]: ...
    @overload
    def pages(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[V],
        **options: Unpack[QueryOptions],
    ) -> Iterator[Page[V]]: ...
    def pages(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[BaseModel] | None = None,
        **options: Unpack[QueryOptions],
    ) -> Iterator[Page[Any]]:
        """All pages of a query, each read when it is asked for. The options: see QueryOptions."""
        return self._pages(pages_of(self._context, of, condition, view, options))

    @overload
    def iterate(
        self,
        of: type[E] | Sequence[type[E]] | KeyCondition[E],
        condition: KeyCondition[Any] | None = None,
        *,
        view: None = None,
        **options: Unpack[PageOptions],
    ) -> Iterator[E]: ...
    @overload
    def iterate(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[V],
        **options: Unpack[PageOptions],
    ) -> Iterator[V]: ...
    def iterate(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[BaseModel] | None = None,
        **options: Unpack[PageOptions],
    ) -> Iterator[Any]:
        """Every item that a query selects, one after the other; pages are read as they are needed.

        The options: see PageOptions.
        """
        pages = self._pages(pages_of(self._context, of, condition, view, options, known=PageOptions))
        return (item for page in pages for item in page.items)

    def collection(
        self,
        condition: KeyCondition[Any],
        *,
        of: Sequence[type[Entity]] | None = None,
        **options: Unpack[CollectionOptions],
    ) -> Collection:
        """Everything in one partition: an order with its lines, in one request.

            found = session.collection(Order.key(tenant="42", id="991"), of=[Order, OrderLine])
            order, lines = found.one(Order), found.of(OrderLine)

        Items of other types than `of` are passed over; without `of` all types of the table are read, and an
        item of none of them raises UnreadableItem. The options: see CollectionOptions.
        """
        return self._run(collection_of(self._context, condition, of, **options))

    @overload
    def batch_get(
        self, wanted: Iterable[KeyCondition[E]], **options: Unpack[BatchOptions]
    ) -> list[E | None]: ...
    @overload
    def batch_get(
        self, wanted: Iterable[KeyCondition[Any] | Entity], **options: Unpack[BatchOptions]
    ) -> list[Any]: ...
    def batch_get(
        self, wanted: Iterable[KeyCondition[Any] | Entity], **options: Unpack[BatchOptions]
    ) -> list[Any]:
        """The entities of many keys, also of several types and tables; None where there is no item.

            session.batch_get([Order.key(tenant="42", id="991"), Customer.key(tenant="42", id="7")])

        100 keys go in one request, several requests at once; what comes back unprocessed is asked for again.
        The options: see BatchOptions. Raises Unprocessed with the keys that were left out to the end,
        ReadRefused for duplicates to be refused.
        """
        return self._run(batch_get(self._context, wanted, **options))

    @overload
    def scan_everything(
        self, table: type[Table], *, of: Sequence[type[E]], **options: Unpack[ScanOptions]
    ) -> Iterator[E]: ...
    @overload
    def scan_everything(
        self, table: type[Table], *, of: None = None, **options: Unpack[ScanOptions]
    ) -> Iterator[Entity]: ...
    def scan_everything(
        self,
        table: type[Table],
        *,
        of: Sequence[type[Entity]] | None = None,
        **options: Unpack[ScanOptions],
    ) -> Iterator[Any]:
        """Reads the whole table and gives its entities, of all types or those of `of`, in no order.

        It costs the size of the table whatever is found: for migrations and repairs, not for requests of
        users. Items that are no entity are passed over. The options: see ScanOptions.
        """
        return self._scanned(Scan(self._context, table, of=of, **options))

    def _pages(self, pages: Pages) -> Iterator[Page[Any]]:
        while not pages.ended:
            yield self._run(pages.next())

    def _scanned(self, scan: Scan) -> Iterator[Any]:
        while not scan.ended:
            yield from self._run(scan.next())
