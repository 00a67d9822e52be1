"""Strong reads of single items on behalf of a query: what the session wrote, and what an index left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from partita.model.errors import Unprocessed
from partita.model.expressions.conditions import Condition
from partita.model.expressions.rendering import render
from partita.model.flows.consumption import Consumed, consumed_by
from partita.model.flows.flow import Call, Flow
from partita.model.flows.retries import Answer, Retries, ask_together
from partita.model.keys.terms import AttributeCondition
from partita.model.reading.keys import KeyReading, Ref, read_keys
from partita.model.reading.ranges import Position, Range, key_item_of
from partita.model.schema import Item
from partita.words import counted


class StrongReading:
    """Reads the items of some keys strongly: by BatchGetItem, or by a Query each where there is a filter.

    Only the service evaluates filters, so that a filter means here what it means in the query.
    """

    def __init__(self, range_: Range, filter_: Condition | None) -> None:
        self._range = range_
        self._filter = filter_
        self._tables = {range_.table: range_.table_key}
        self._keys = KeyReading((), self._tables, consistent=True)
        self._queries: list[Position] = []
        self._asked: list[Position] = []
        self._wanted: set[Position] = set()
        self.found: dict[Position, Item] = {}
        """What they hold, where the filter lets it through."""
        self.consumed = Consumed()

    def want(self, keys: Iterable[Position]) -> None:
        """Adds keys that are to be read; each is read once."""
        for key in keys:
            if key in self._wanted:
                continue
            self._wanted.add(key)
            if self._filter is None:
                self._keys.waiting.append(Ref(self._range.table, key))
            else:
                self._queries.append(key)

    @property
    def waiting(self) -> bool:
        return bool(self._queries or self._keys.waiting)

    def calls(self) -> list[Call]:
        """All requests that are needed now."""
        if self._filter is None:
            return self._keys.calls(len(self._keys.waiting))
        self._asked, self._queries = self._queries, []
        return [self._query(key) for key in self._asked]

    def answered(self, answers: Sequence[Answer]) -> bool:
        """Takes the answers to `calls`; whether any key came back unprocessed."""
        if self._filter is None:
            self._keys.answered(answers)
            self._found()
            return bool(self._keys.waiting)
        for key, answer in zip(self._asked, answers, strict=True):
            self.consumed += consumed_by("Query", answer)
            self.found.update((key, item) for item in answer["Items"])
        return False

    def finish(self, retries: Retries) -> Flow[None]:
        """Reads everything that waits. Raises Unprocessed where the service goes on leaving keys out."""
        if self._filter is not None:
            self.answered((yield from ask_together(retries, self.calls())))
            return
        yield from read_keys(self._keys, retries)
        self._found()
        if self._keys.waiting:
            left = [key_item_of(self._range.table_key, ref.key) for ref in self._keys.waiting]
            raise Unprocessed(
                f"{counted(len(left), 'key')} came back unprocessed {counted(retries.attempts, 'time')}", left
            )

    def _found(self) -> None:
        for ref, item in self._keys.found.items():
            self.found[ref.key] = item
        self._keys.found = {}
        self.consumed += self._keys.consumed
        self._keys.consumed = Consumed()

    def _query(self, key: Position) -> Call:
        attributes = self._range.table_key
        terms = [
            AttributeCondition(a.name, "=", ({a.kind: part},))
            for a, part in zip(attributes, key, strict=True)
        ]
        parameters = {
            "TableName": self._range.table,
            "ConsistentRead": True,
            "ReturnConsumedCapacity": "TOTAL",
            **render(key_condition=terms, filter=self._filter),
        }
        return Call("Query", parameters)
