"""The reads of `AsyncSession`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
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
from partita.model.sessions.state import AsyncDriven

E = TypeVar("E", bound=Entity)
V = TypeVar("V", bound=BaseModel)


class AsyncReads(AsyncDriven):
    """What `AsyncSession` can read."""

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
        """As `Session.get`."""
        return await self._run(get(self._context, ref_of(of, key), consistent=consistent, view=view))

    @overload
    async def query(
        self,
        of: type[E] | Sequence[type[E]] | KeyCondition[E],
        condition: KeyCondition[Any] | None = None,
        *,
        view: None = None,
        **options: Unpack[QueryOptions],
    ) -> Page[E]: ...
    @overload
    async def query(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[V],
        **options: Unpack[QueryOptions],
    ) -> Page[V]: ...
    async def query(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[BaseModel] | None = None,
        **options: Unpack[QueryOptions],
    ) -> Page[Any]:
        """As `Session.query`."""
        return await self._run(pages_of(self._context, of, condition, view, options).next())

    @overload
    def pages(
        self,
        of: type[E] | Sequence[type[E]] | KeyCondition[E],
        condition: KeyCondition[Any] | None = None,
        *,
        view: None = None,
        **options: Unpack[QueryOptions],
    ) -> AsyncIterator[Page[E]]: ...
    @overload
    def pages(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[V],
        **options: Unpack[QueryOptions],
    ) -> AsyncIterator[Page[V]]: ...
    def pages(
        self,
        of: Queried,
        condition: KeyCondition[Any] | None = None,
        *,
        view: type[BaseModel] | None = None,
        **options: Unpack[QueryOptions],
    ) -> AsyncIterator[Page[Any]]:
        """As `Session.pages`."""
        return self._pages(pages_of(self._context, of, condition, view, options))

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
        """As `Session.iterate`."""
        pages = self._pages(pages_of(self._context, of, condition, view, options, known=PageOptions))
        return (item async for page in pages for item in page.items)

    async def collection(
        self,
        condition: KeyCondition[Any],
        *,
        of: Sequence[type[Entity]] | None = None,
        **options: Unpack[CollectionOptions],
    ) -> Collection:
        """As `Session.collection`."""
        return await self._run(collection_of(self._context, condition, of, **options))

    @overload
    async def batch_get(
        self, wanted: Iterable[KeyCondition[E]], **options: Unpack[BatchOptions]
    ) -> list[E | None]: ...
    @overload
    async def batch_get(
        self, wanted: Iterable[KeyCondition[Any] | Entity], **options: Unpack[BatchOptions]
    ) -> list[Any]: ...
    async def batch_get(
        self, wanted: Iterable[KeyCondition[Any] | Entity], **options: Unpack[BatchOptions]
    ) -> list[Any]:
        """As `Session.batch_get`."""
        return await self._run(batch_get(self._context, wanted, **options))

    @overload
    def scan_everything(
        self, table: type[Table], *, of: Sequence[type[E]], **options: Unpack[ScanOptions]
    ) -> AsyncIterator[E]: ...
    @overload
    def scan_everything(
        self, table: type[Table], *, of: None = None, **options: Unpack[ScanOptions]
    ) -> AsyncIterator[Entity]: ...
    def scan_everything(
        self,
        table: type[Table],
        *,
        of: Sequence[type[Entity]] | None = None,
        **options: Unpack[ScanOptions],
    ) -> AsyncIterator[Any]:
        """As `Session.scan_everything`."""
        return self._scanned(Scan(self._context, table, of=of, **options))

    async def _pages(self, pages: Pages) -> AsyncIterator[Page[Any]]:
        while not pages.ended:
            yield await self._run(pages.next())

    async def _scanned(self, scan: Scan) -> AsyncIterator[Any]:
        while not scan.ended:
            for entity in await self._run(scan.next()):
                yield entity
