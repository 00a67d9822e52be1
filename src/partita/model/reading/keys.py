"""Reading items by their primary keys, 100 at a time, until none is left unprocessed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from partita.model.flows.consumption import Consumed, consumed_by
from partita.model.flows.flow import Call, Flow
from partita.model.flows.retries import Answer, Retries, ask_together
from partita.model.reading.ranges import Position, key_item_of, table_key_of
from partita.model.schema import Item, KeyAttribute

MOST_KEYS = 100
"""What one BatchGetItem takes."""
_TOGETHER = 4
"""Batches under way at once: more of them would meet the table's throttling rather than end sooner."""


@dataclass(frozen=True, slots=True)
class Ref:
    """An item by its table and primary key."""

    table: str
    """The table's real name."""
    key: Position


class KeyReading:
    """The state of a batched read: which keys are still to be read, what was found.

    `tables` gives the key attributes of each table.
    """

    def __init__(
        self,
        refs: Iterable[Ref],
        tables: Mapping[str, Sequence[KeyAttribute]],
        *,
        consistent: bool,
    ) -> None:
        self.waiting = list(dict.fromkeys(refs))
        self.found: dict[Ref, Item] = {}
        self.consumed = Consumed()
        self._tables = tables
        self._consistent = consistent

    def calls(self, most: int = _TOGETHER) -> list[Call]:
        """The next requests, taken from those that wait."""
        chosen, self.waiting = self.waiting[: most * MOST_KEYS], self.waiting[most * MOST_KEYS :]
        return [self._call(chosen[start : start + MOST_KEYS]) for start in range(0, len(chosen), MOST_KEYS)]

    def answered(self, answers: Iterable[Answer]) -> None:
        """Takes answers. Unprocessed keys wait again, before the others."""
        again: list[Ref] = []
        for answer in answers:
            self.consumed += consumed_by("BatchGetItem", answer)
            for table, items in answer.get("Responses", {}).items():
                for item in items:
                    self.found[Ref(table, table_key_of(self._tables[table], item))] = item
            for table, unprocessed in answer.get("UnprocessedKeys", {}).items():
                again.extend(
                    Ref(table, table_key_of(self._tables[table], key)) for key in unprocessed["Keys"]
                )
        self.waiting[:0] = again

    def _call(self, refs: Sequence[Ref]) -> Call:
        requests: dict[str, dict[str, object]] = {}
        for ref in refs:
            request = requests.setdefault(ref.table, {"Keys": []})
            keys = request["Keys"]
            assert isinstance(keys, list)
            keys.append(key_item_of(self._tables[ref.table], ref.key))
            if self._consistent:
                request["ConsistentRead"] = True
        return Call("BatchGetItem", {"RequestItems": requests, "ReturnConsumedCapacity": "TOTAL"})


def read_keys(
    reading: KeyReading,
    retries: Retries,
    progress: Callable[[int, int], object] | None = None,
) -> Flow[None]:
    """Asks until nothing waits, or until `retries.attempts` rounds in a row brought nothing.

    After a round with unprocessed keys it pauses, at random below a bound that doubles with each round
    without progress and is small again after one with. `progress` is told (keys done with, keys in all).
    """
    total = len(reading.waiting)
    attempt = 1
    while reading.waiting:
        before = len(reading.waiting)
        calls = reading.calls()
        asked = before - len(reading.waiting)
        answers = yield from ask_together(retries, calls)
        reading.answered(answers)
        came_back = len(reading.waiting) - (before - asked)
        if progress is not None:
            progress(total - len(reading.waiting), total)
        if came_back == 0:
            attempt = 1
            continue
        attempt = 1 if came_back < asked else attempt + 1
        if attempt > retries.attempts:
            return
        yield retries.pause(attempt)
