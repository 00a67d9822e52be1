"""TransactGetItems: up to 100 items as they were at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import entity_of
from partita.model.errors import ReadRefused
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow, Refused
from partita.model.flows.retries import ask
from partita.model.keys.key_conditions import KeyCondition
from partita.model.schema import Item
from partita.model.values.attribute_values import shortened
from partita.model.writing.cancellations import cancelled_read
from partita.model.writing.commit import MOST_ACTIONS
from partita.model.writing.targets import required_key, subject_of

E = TypeVar("E", bound=Entity)


def transact_get(context: Context, refs: Iterable[KeyCondition[E]]) -> Flow[list[E | None]]:
    """The entities of these keys, by position; None where nothing is stored.

    A key asked for twice is read once. Raises TransactionFailed with a reason for each item that stood in the
    way, after as many attempts as the session makes.
    """
    if isinstance(refs, str | Entity) or not isinstance(refs, Iterable):
        raise ReadRefused(f"transact_get reads a list of keys, not {shortened(refs)}")
    refs = list(refs)
    for ref in refs:
        required_key(ref, "transact_get")
    if not refs:
        return []
    asked: list[tuple[str, Item]] = []
    subjects: list[str] = []
    places: list[int] = []
    for ref in refs:
        key = (context.table_name(ref.entity.__schema__.table), ref.item_key())
        # The service refuses a transaction that names an item twice.
        if key not in asked:
            asked.append(key)
            subjects.append(subject_of(ref.entity.__schema__, key[1]))
        places.append(asked.index(key))
    if len(asked) > MOST_ACTIONS:
        raise ReadRefused(f"a transaction reads at most {MOST_ACTIONS} items, not {len(asked)}")
    try:
        items = yield from at_one_moment(context, asked)
    except Refused as refusal:
        if refusal.code != "TransactionCanceledException" or not refusal.reasons:
            raise
        raise cancelled_read(subjects, refusal) from None
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
