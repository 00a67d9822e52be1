"""Reads as the sessions are asked for them, turned into flows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from partita.model.declaring.entity import Entity
from partita.model.errors import ReadRefused
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.keys.key_conditions import BoundKey, KeyCondition
from partita.model.reading.given import (
    Included,
    given_entities,
    given_including,
    require_condition,
    require_entity,
    require_filter,
    require_view,
)
from partita.model.reading.options import PageOptions, QueryOptions
from partita.model.reading.pages import Collection
from partita.model.reading.paging import MAX_REQUESTS, Pages, collection
from partita.model.reading.queries import plan

Queried = type[Entity] | Sequence[type[Entity]] | KeyCondition[Any]
"""The entity or entities that a query is of; a key condition by itself says its own."""


def _require_options(options: Mapping[str, Any], known: type[Any], view: object) -> None:
    for name in options:
        if name not in known.__annotations__:
            raise ReadRefused(
                f"there is no option {name!r} here; there are {', '.join(known.__annotations__)}"
                + ("; query and pages have limit" if known is PageOptions else "")
            )
    require_filter(options.get("filter"))
    require_view(view)


def ref_of(of: type[Entity] | KeyCondition[Any], key: dict[str, Any]) -> KeyCondition[Any]:
    """The key of one item, from an entity and the values of its key."""
    if not isinstance(of, KeyCondition):
        require_entity(of)
        return BoundKey(of, of.__schema__, of.__schema__.key)(**key)
    if key:
        raise ReadRefused(f"the key condition says it all: {', '.join(key)} cannot stand beside it")
    return of


def pages_of(
    context: Context,
    of: Queried,
    condition: KeyCondition[Any] | None,
    view: type[BaseModel] | None,
    options: PageOptions,
    known: type[Any] = QueryOptions,
) -> Pages:
    """The pages of a query, with options that are `known`.

    Raises ReadRefused with the reason why it cannot work, CursorRefused.
    """
    _require_options(options, known, view)
    given: dict[str, Any] = dict(options)
    limit, cursor = given.pop("limit", None), given.pop("cursor", None)
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
        require_condition(condition)
        given_of: Any = of
        alone = isinstance(given_of, type | str) or not isinstance(given_of, Iterable)
        entities = (given_of,) if alone else tuple(given_of)
        for entity in entities:
            require_entity(entity)
    asked = condition
    given["including"] = given_including(given.get("including"))
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
    consistent: bool = False,
    max_items: int = 1000,
    including: bool | Iterable[Included] | None = None,
) -> Flow[Collection]:
    """A whole item collection; of all types that it can hold, unless some are named."""
    require_condition(condition)
    table, index = condition.entity.__schema__.table, condition.key.index
    entities = given_entities(of)
    if entities is None:
        entities = tuple(
            entity
            for entity in table.entities
            if index is None or index.attribute in entity.__schema__.index_keys
        )
    made = plan(
        context,
        entities,
        condition,
        consistent=consistent,
        including=given_including(including),
        strict=of is None,
    )
    return collection(context, made, max_items)
