"""Reads as the sessions are asked for them, turned into flows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from pydantic import BaseModel

from partita.model.conditions import Condition
from partita.model.context import Context
from partita.model.entity import Entity
from partita.model.errors import ReadRefused
from partita.model.flow import Flow
from partita.model.keys import BoundKey, KeyCondition
from partita.model.reading.pages import Collection
from partita.model.reading.paging import MAX_REQUESTS, Pages, collection
from partita.model.reading.queries import Included, plan

Queried = type[Entity] | Sequence[type[Entity]] | KeyCondition[Any]
"""The entity or entities that a query is of; a key condition by itself says its own."""


class PageOptions(TypedDict, total=False):
    """How a query is read.

    - newest_first: in descending order of the sort key
    - filter: a condition that items are left out by after they were read, and paid for
    - consistent: sees every write that ended before; not for global indexes
    - including: True, or entities and their keys: what this session wrote lately (or these) is read strongly
      and put in its place, whatever the index knows of it already
    - fetch: an index that projects only part of an item is completed from the table
    - max_requests: bounds the search for matches of a filter (25 unless given)
    """

    newest_first: bool
    filter: Condition | None
    consistent: bool
    including: bool | Iterable[Included] | None
    fetch: bool
    max_requests: int


def ref_of(of: type[Entity] | KeyCondition[Any], key: dict[str, Any]) -> KeyCondition[Any]:
    """The key of one item, from an entity and the values of its key."""
    if not isinstance(of, KeyCondition):
        return BoundKey(of, of.__schema__, of.__schema__.key)(**key)
    if key:
        raise ReadRefused(f"the key condition says it all: {', '.join(key)} cannot stand beside it")
    return of


def pages_of(
    context: Context,
    of: Queried,
    condition: KeyCondition[Any] | None,
    view: type[BaseModel] | None,
    limit: int | None,
    cursor: str | None,
    options: PageOptions,
) -> Pages:
    """The pages of a query. Raises ReadRefused with the reason why it cannot work, CursorRefused."""
    given: dict[str, Any] = dict(options)
    max_requests = given.pop("max_requests", MAX_REQUESTS)
    given["filter_"] = given.pop("filter", None)
    entities: tuple[type[Entity], ...]
    if isinstance(of, KeyCondition):
        if condition is not None:
            raise ReadRefused("a query has one key condition")
        entities, condition = (of.entity,), of
    elif condition is None:
        raise ReadRefused("a query needs a key condition, such as Order.gsi1(customer=…)")
    else:
        entities = (of,) if isinstance(of, type) else tuple(of)
    asked = condition
    including = given.get("including")
    if including is not None and not isinstance(including, bool):
        given["including"] = list(including)
    return Pages(
        context,
        lambda: plan(context, entities, asked, view=view, **given),
        limit=limit,
        max_requests=max_requests,
        cursor=cursor,
    )


def collection_of(
    context: Context,
    condition: KeyCondition[Any],
    of: Sequence[type[Entity]] | None,
    *,
    consistent: bool,
    max_items: int,
    including: bool | Iterable[Included] | None,
) -> Flow[Collection]:
    """A whole item collection; of all types that it can hold, unless some are named."""
    table, index = condition.entity.__schema__.table, condition.key.index
    entities = of
    if of is None:
        entities = [
            entity
            for entity in table.entities
            if index is None or index.attribute in entity.__schema__.index_keys
        ]
    made = plan(
        context,
        tuple(entities or ()),
        condition,
        consistent=consistent,
        including=including,
        strict=of is None,
    )
    return collection(context, made, max_items)
