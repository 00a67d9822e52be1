"""TransactGetItems: up to 100 items as they were at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import entity_of
from partita.model.errors import WriteRefused
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow
from partita.model.flows.retries import ask
from partita.model.keys.key_conditions import KeyCondition
from partita.model.schema import Item
from partita.model.writing.commit import MOST_ACTIONS
from partita.model.writing.planning import required_key

E = TypeVar("E", bound=Entity)


def transact_get(context: Context, refs: Sequence[KeyCondition[E]]) -> Flow[list[E | None]]:
    """The entities of these keys, by position; None where nothing is stored.

    A key asked for twice is read once.
    """
    for ref in refs:
        required_key(ref, "transact_get")
    if not refs:
        return []
    asked: list[tuple[str, Item]] = []
    places: list[int] = []
    for ref in refs:
        key = (context.table_name(ref.entity.__schema__.table), ref.item_key())
        # The service refuses a transaction that names an item twice.
        if key not in asked:
            asked.append(key)
        places.append(asked.index(key))
    if len(asked) > MOST_ACTIONS:
        raise WriteRefused(f"a transaction reads at most {MOST_ACTIONS} items, not {len(asked)}")
    items = yield from at_one_moment(context, asked)
    return [
        entity_of(item, ref.entity) if (item := items[place]) else None
        for ref, place in zip(refs, places, strict=True)
    ]


def at_one_moment(context: Context, keys: Sequence[tuple[str, Item]]) -> Flow[list[Item | None]]:
    """The items of these tables' names and keys, by position; None where nothing is stored.

    Sent again where a write is under way on one of them.
    """
    gets = [{"Get": {"TableName": table, "Key": key}} for table, key in keys]
    answer = yield from ask(context.retries, Call("TransactGetItems", {"TransactItems": gets}))
    return [response.get("Item") for response in answer["Responses"]]
