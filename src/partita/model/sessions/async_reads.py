"""The reads of `AsyncSession`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar, Unpack, overload

from pydantic import BaseModel

from partita.model.declaring.entity import Entity
from partita.model.declaring.table import Table
from partita.model.expressions.conditions import Condition
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.flows.progress import Progress, progress_of
from partita.model.keys.key_conditions import KeyCondition
from partita.model.reading.batch import Duplicates, batch_get
from partita.model.reading.getting import get
from partita.model.reading.pages import Collection, Page
from partita.model.reading.queries import Included
from partita.model.reading.requests import PageOptions, Queried, collection_of, pages_of, ref_of
from partita.model.reading.scanning import Scan

E = TypeVar("E", bound=Entity)
V = TypeVar("V", bound=BaseModel)


class AsyncReads:
    """What an asynchronous session can read, as `Reads` of `Session`."""

    _context: Context
    _run: Callable[[Flow[Any]], Awaitable[Any]]

    @overload
    async def get(
        self, of: type[E] | KeyCondition[E], /, *, consistent: bool = False, view: None = None, **key: Any
    ) -> E | None: ...
    @overload
    async def get(
        self, of: type[Entity] | KeyCondition[Any], /, *, consistent: bool = False, view: type[V], **key: Any
    ) -> V | None: ...
    async def get(
        self,
        of: type[Entity] | KeyCondition[Any],
        /,
        *,
        consistent: bool = False,
        view: type[BaseModel] | None = None,
        **key: Any,
    ) -> Any:
        """The entity with this primary key, None if there is none.

            await session.get(Order, tenant="42", id="991")
            await session.get(Order.key(tenant="42", id="991"), consistent=True, view=OrderLabel)

        As in the service, a read may be behind the last writes unless it is `consistent`, which costs twice.
        Raises UnreadableItem if the item is of another type or misses what the entity needs.
        """
        return await self._run(get(self._context, ref_of(of, key), consistent=consistent, view=view))

    @overload
    async def query(
        self,
        of: type[E] | Sequence[type[E]] | KeyCondition[E],
        condition: KeyCondition[Any] | None = None,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        view: None = None,
        **options: Unpack[PageOptions],
    ) -> Page[E]: ...
    @overload
    async def query(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        view: type[V],
        **options: Unpack[PageOptions],
    ) -> Page[V]: ...
    async def query(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        view: type[BaseModel] | None = None,
        **options: Unpack[PageOptions],
    ) -> Page[Any]:
        """A page of the entities that a key condition selects, in the order of the sort key.

            await session.query(
                Order, Order.gsi1(tenant="42", customer="7").between(a, b), newest_first=True, limit=20
            )

        With `limit` a page has that many items unless it is the last one, or `max_requests` ended it; without
        it, what one request brings (up to 1 MB were looked at). `cursor` is an earlier page's. Of a sharded
        index all shards are asked at once and merged in order. The other options: see PageOptions.
        Raises ReadRefused with the reason why a query cannot work, before anything is sent.
        """
        page: Page[Any] = await self._run(
            pages_of(self._context, of, condition, view, limit, cursor, options).next()
        )
        return page

    @overload
    def pages(
        self,
        of: type[E] | Sequence[type[E]] | KeyCondition[E],
        condition: KeyCondition[Any] | None = None,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        view: None = None,
        **options: Unpack[PageOptions],
    ) -> AsyncIterator[Page[E]]: ...
    @overload
    def pages(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        view: type[V],
        **options: Unpack[PageOptions],
    ) -> AsyncIterator[Page[V]]: ...
    def pages(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        view: type[BaseModel] | None = None,
        **options: Unpack[PageOptions],
    ) -> AsyncIterator[Page[Any]]:
        """All pages of a query, each read when it is asked for; `limit` is that of one page."""
        pages = pages_of(self._context, of, condition, view, limit, cursor, options)
        return self._pages(pages)

    async def _pages(self, pages: Any) -> AsyncIterator[Page[Any]]:
        while not pages.ended:
            yield await self._run(pages.next())

    @overload
    def iterate(
        self,
        of: type[E] | Sequence[type[E]] | KeyCondition[E],
        condition: KeyCondition[Any] | None = None,
        *,
        view: None = None,
        **options: Unpack[PageOptions],
    ) -> AsyncIterator[E]: ...
    @overload
    def iterate(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[V],
        **options: Unpack[PageOptions],
    ) -> AsyncIterator[V]: ...
    def iterate(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[BaseModel] | None = None,
        **options: Unpack[PageOptions],
    ) -> AsyncIterator[Any]:
        """Every item that a query selects, one after the other; pages are read as they are needed."""
        pages = pages_of(self._context, of, condition, view, None, None, options)
        return (item async for page in self._pages(pages) for item in page.items)

    async def collection(
        self,
        condition: KeyCondition[Any],
        *,
        of: Sequence[type[Entity]] | None = None,
        consistent: bool = False,
        max_items: int = 1000,
        including: bool | Iterable[Included] | None = None,
    ) -> Collection:
        """Everything in one partition: an order with its lines, in one request.

            found = await session.collection(Order.key(tenant="42", id="991"), of=[Order, OrderLine])
            order, lines = found.one(Order), found.of(OrderLine)

        Items of other types than `of` are passed over; without `of` all types of the table are read, and an
        item of none of them raises UnreadableItem. Raises MoreItems beyond `max_items`.
        """
        found: Collection = await self._run(
            collection_of(
                self._context, condition, of, consistent=consistent, max_items=max_items, including=including
            )
        )
        return found

    @overload
    async def batch_get(
        self,
        wanted: Iterable[KeyCondition[E]],
        *,
        consistent: bool = False,
        duplicates: Duplicates = "remove",
        progress: Progress | bool = False,
    ) -> list[E | None]: ...
    @overload
    async def batch_get(
        self,
        wanted: Iterable[KeyCondition[Any] | Entity],
        *,
        consistent: bool = False,
        duplicates: Duplicates = "remove",
        progress: Progress | bool = False,
    ) -> list[Any]: ...
    async def batch_get(
        self,
        wanted: Iterable[KeyCondition[Any] | Entity],
        *,
        consistent: bool = False,
        duplicates: Duplicates = "remove",
        progress: Progress | bool = False,
    ) -> list[Any]:
        """The entities of many keys, also of several types and tables; None where there is no item.

            await session.batch_get([Order.key(tenant="42", id="991"), Customer.key(tenant="42", id="7")])

        100 keys go in one request, several requests at once; what comes back unprocessed is asked for again.
        `progress` is called with (keys done with, keys in all); True draws a bar in a terminal. Raises
        Unprocessed with the keys that were left out to the end, ReadRefused for duplicates to be refused.
        """
        found: list[Any] = await self._run(
            batch_get(
                self._context,
                wanted,
                consistent=consistent,
                duplicates=duplicates,
                progress=progress_of(progress),
            )
        )
        return found

    @overload
    def scan_everything(
        self,
        table: type[Table],
        *,
        of: Sequence[type[E]],
        filter: Condition | None = None,
        consistent: bool = False,
        segments: int = 1,
        limit: int | None = None,
    ) -> AsyncIterator[E]: ...
    @overload
    def scan_everything(
        self,
        table: type[Table],
        *,
        of: None = None,
        filter: Condition | None = None,
        consistent: bool = False,
        segments: int = 1,
        limit: int | None = None,
    ) -> AsyncIterator[Entity]: ...
    def scan_everything(
        self,
        table: type[Table],
        *,
        of: Sequence[type[Entity]] | None = None,
        filter: Condition | None = None,
        consistent: bool = False,
        segments: int = 1,
        limit: int | None = None,
    ) -> AsyncIterator[Any]:
        """Reads the whole table and gives its entities, of all types or those of `of`, in no order.

        It costs the size of the table whatever is found: for migrations and repairs, not for requests of
        users. `segments` are read side by side; `limit` ends it after that many entities. Items that are no
        entity are passed over.
        """
        scan = Scan(
            self._context,
            table,
            of=of,
            filter_=filter,
            consistent=consistent,
            segments=segments,
            limit=limit,
        )
        return self._scanned(scan)

    async def _scanned(self, scan: Scan) -> AsyncIterator[Any]:
        while not scan.ended:
            for entity in await self._run(scan.next()):
                yield entity
