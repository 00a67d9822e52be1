"""Reading a range page by page: partitions asked together, filters followed up, recent writes included."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from partita.model.expressions.conditions import Condition, DocumentPath
from partita.model.expressions.rendering import render
from partita.model.flows.consumption import Consumed, consumed_by
from partita.model.flows.flow import Call, Flow
from partita.model.flows.retries import Answer, Retries, ask_together
from partita.model.flows.written import Note
from partita.model.reading.cursors import Place, Places
from partita.model.reading.merging import Merge, Partition
from partita.model.reading.ranges import (
    Position,
    Range,
    holds,
    key_terms,
    position_of,
    start_key,
    table_key_of,
)
from partita.model.reading.strong import StrongReading
from partita.model.schema import Item

_MOST_ASKED = 1000
"""The largest Limit that the search for rare matches grows to by itself."""


@dataclass(frozen=True)
class Question:
    """One query, of one or several partitions."""

    range_: Range
    newest_first: bool = False
    consistent: bool = False
    filter_: Condition | None = None
    types: Condition | None = None
    """A filter on what kind the items are; `accept` says the same where items are read by themselves."""
    projection: Sequence[DocumentPath] | None = None
    """What is read of each item; holds all key attributes."""
    select: str | None = None
    """ALL_ATTRIBUTES: a local index reads from the table what it does not have."""
    accept: Callable[[Item], bool] | None = None
    """Which items are given out; the others are as if they were not there."""
    fetch: bool = False
    """The index has only part of each item: read them from the table, strongly."""
    recent: Sequence[Note] | None = None
    """What was written lately, to be included; None: nothing is."""

    @cached_property
    def parameters(self) -> tuple[Mapping[str, Any], ...]:
        """The parameters of the Query of each partition, without limit and start."""
        shared: dict[str, Any] = {"TableName": self.range_.table, "ReturnConsumedCapacity": "TOTAL"}
        if self.range_.index is not None:
            shared["IndexName"] = self.range_.index
        if self.consistent:
            shared["ConsistentRead"] = True
        if self.newest_first:
            shared["ScanIndexForward"] = False
        if self.select is not None:
            shared["Select"] = self.select
        return tuple(
            shared
            | render(
                key_condition=key_terms(self.range_, number),
                filter=_both(self.filter_, self.types),
                projection=self.projection,
            )
            for number in range(len(self.range_.partitions))
        )


@dataclass(frozen=True, slots=True)
class Stretch:
    """What one page holds, still as stored items."""

    items: list[Item]
    places: Places | None
    """Where to go on; None: that was all."""
    consumed: Consumed
    """Everything that was asked for this page."""
    extra: Consumed
    """The part of it that strong reads of single items cost."""
    evaluated: int
    """Items that the service looked at."""
    stopped: bool
    """Ended by `max_requests`, before the limit."""


class RangeReading:
    """A query under way. Between its pages it keeps what was fetched and not yet given out."""

    def __init__(self, question: Question, retries: Retries, places: Places | None = None) -> None:
        self._question = question
        self._range = question.range_
        self._retries = retries
        self._merge = Merge(
            question.range_, question.newest_first, places, including=question.recent is not None
        )
        self._strong = StrongReading(question.range_, question.filter_)
        table_key = self._range.table_key
        recent = {table_key_of(table_key, note.key): note for note in question.recent or ()}
        self._recent = recent.keys()
        self._merge.excluded |= self._recent
        self._strong.want(key for key, note in recent.items() if self._may_belong(note))
        self._consumed = Consumed()
        self._extra = Consumed()
        self._evaluated = 0

    @property
    def exhausted(self) -> bool:
        return self._merge.exhausted and not self._strong.waiting

    def page(self, limit: int | None, max_requests: int) -> Flow[Stretch]:
        """The next `limit` items; without a limit, what one request to each partition brings."""
        self._consumed = self._extra = self._strong.consumed = Consumed()
        self._evaluated = 0
        most = sys.maxsize if limit is None else limit
        items: list[Item] = []
        ask = most
        stopped = False
        while True:
            if not self._strong.waiting and all(p.ahead != "start" for p in self._merge.partitions):
                taken = self._merge.take(most - len(items))
                items += (yield from self._fetched(taken)) if self._question.fetch else taken
            asked = self._consumed.requests > 0
            if len(items) == most or self.exhausted or (limit is None and (items or asked)):
                break
            if asked and self._consumed.requests >= max_requests:
                stopped = True
                break
            evaluated, kept = yield from self._ask(None if limit is None else ask)
            ask = _next_limit(most - len(items), ask, evaluated, kept)
        return Stretch(
            items,
            self._merge.places(),
            self._consumed + self._extra + self._strong.consumed,
            self._extra + self._strong.consumed,
            self._evaluated,
            stopped,
        )

    def _ask(self, limit: int | None) -> Flow[tuple[int, int]]:
        """One round: every dry partition, together with the strong reads that are due."""
        dry = self._merge.dry()
        queries = [self._query(partition, limit) for partition in dry]
        answers = yield from ask_together(self._retries, [*queries, *self._strong.calls()])
        evaluated = kept = 0
        stale: list[Position] = []
        for partition, answer in zip(dry, answers, strict=False):
            self._consumed += consumed_by("Query", answer)
            evaluated += answer["ScannedCount"]
            kept += self._give(partition, answer, stale)
        self._evaluated += evaluated
        yield from self._read_strongly(answers[len(queries) :], stale)
        return evaluated, kept

    def _query(self, partition: Partition, limit: int | None) -> Call:
        parameters = {**self._question.parameters[partition.number]}
        if limit is not None:
            parameters["Limit"] = limit
        if isinstance(partition.ahead, tuple):
            parameters["ExclusiveStartKey"] = start_key(self._range, partition.number, partition.ahead)
        return Call("Query", parameters)

    def _give(self, partition: Partition, answer: Answer, stale: list[Position]) -> int:
        """Hands a partition its items; adds to `stale` the keys that have to be read strongly instead."""
        items: list[Item] = answer["Items"]
        # An index that leaves attributes out may leave out those by which an item is accepted.
        if (accept := self._question.accept) is not None and not self._question.fetch:
            items = [item for item in items if accept(item)]
        if self._merge.excluded:
            fresh = []
            for item in items:
                key = table_key_of(self._range.table_key, item)
                if key not in self._merge.excluded:
                    fresh.append(item)
                elif key in self._recent:
                    stale.append(key)
            items = fresh
        last = answer.get("LastEvaluatedKey")
        ahead: Place = "end" if last is None else position_of(self._range, last)
        partition.give(items, ahead)
        return len(items)

    def _read_strongly(self, answers: Sequence[Answer], stale: Sequence[Position]) -> Flow[None]:
        """Takes the strong reads that were asked for, reads what turned out to be stale, and includes it."""
        strong = self._strong
        known = set(strong.found)
        unprocessed = strong.answered(answers)
        strong.want(stale)
        if unprocessed:
            yield self._retries.pause(1)
        if strong.waiting:
            yield from strong.finish(self._retries)
        self._merge.include(
            item for key, item in strong.found.items() if key not in known and self._belongs(item)
        )

    def _fetched(self, items: Sequence[Item]) -> Flow[list[Item]]:
        """The whole items, without those that are gone or no longer belong to the range."""
        keys = [table_key_of(self._range.table_key, item) for item in items]
        fetching = StrongReading(self._range, None)
        fetching.want(key for key in keys if key not in self._strong.found)
        yield from fetching.finish(self._retries)
        self._extra += fetching.consumed
        whole = (self._strong.found.get(key) or fetching.found.get(key) for key in keys)
        return [item for item in whole if item is not None and self._belongs(item)]

    def _may_belong(self, note: Note) -> bool:
        return not note.known or (note.item is not None and holds(self._range, note.item))

    def _belongs(self, item: Item) -> bool:
        accept = self._question.accept
        return holds(self._range, item) and (accept is None or accept(item))


def _both(one: Condition | None, other: Condition | None) -> Condition | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _next_limit(missing: int, asked: int, evaluated: int, kept: int) -> int:
    """How many items to look at next, when `kept` of the last `evaluated` were wanted."""
    if kept == evaluated:
        return missing
    guess = 2 * asked if kept == 0 else -(-missing * evaluated // kept)
    return max(missing, min(guess, _MOST_ASKED))
