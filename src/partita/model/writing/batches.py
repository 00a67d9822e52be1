"""BatchWriteItem: many puts and deletes, 25 at a time, each by itself; unprocessed ones go again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from partita.model.errors import Unprocessed, WriteRefused
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow, NoAnswer, NotSent, Pause, Refused
from partita.model.flows.progress import Progress
from partita.model.flows.retries import Attempts, is_transient
from partita.model.flows.written import Note
from partita.model.schema import Item
from partita.model.values.attribute_values import key_text, plain_key
from partita.words import counted

MOST_IN_A_BATCH = 25
Duplicates = Literal["refuse", "last"]


@dataclass(frozen=True, slots=True)
class BatchWrite:
    """One put or delete of a batch."""

    table: str
    """Its name in DynamoDB."""
    key: Item
    item: Item | None
    """What is put; None: it is deleted."""
    of: Any
    """The caller's entity or key condition."""
    settle: Callable[[], None]
    """Takes note of the success in the entity."""

    @property
    def identity(self) -> tuple[str, str]:
        return self.table, plain_key(self.key)

    @property
    def request(self) -> dict[str, Any]:
        if self.item is None:
            return {"DeleteRequest": {"Key": self.key}}
        return {"PutRequest": {"Item": self.item}}


def distinct(writes: Iterable[BatchWrite], duplicates: Duplicates) -> list[BatchWrite]:
    """The writes with one for each key: the last one, or WriteRefused where there are several."""
    kept: dict[tuple[str, str], BatchWrite] = {}
    for write in writes:
        if write.identity in kept and duplicates != "last":
            raise WriteRefused(
                f"two writes of a batch are about one item, {key_text(write.key)}: their order is "
                'not kept. Give duplicates="last" to write the last one only'
            )
        kept.pop(write.identity, None)
        kept[write.identity] = write
    return list(kept.values())


def write_batches(context: Context, writes: Sequence[BatchWrite], progress: Progress) -> Flow[None]:
    """Writes them all; the writes are about distinct items.

    Raises Unprocessed with the caller's entities and keys that were not written (or not known to be) once
    as many attempts as `retries` allows have passed without one item processed, or at an error that another
    attempt would meet again.
    """
    waiting = deque(writes)
    attempts = Attempts(context.retries)
    progress(0, len(writes))
    while waiting:
        batch = [waiting.popleft() for _ in range(min(MOST_IN_A_BATCH, len(waiting)))]
        pause: Pause | None = None
        try:
            answer = yield Call("BatchWriteItem", {"RequestItems": _request_items(batch)})
        except (Refused, NoAnswer, NotSent) as failure:
            waiting.extendleft(reversed(batch))
            if isinstance(failure, NoAnswer):
                for write in batch:
                    context.written.note(write.table, Note(write.key, None, known=False))
            if attempts.used_up or not is_transient(failure):
                raise _left(waiting, str(failure)) from failure.__cause__
            pause = attempts.pause()
        else:
            left = _identities(batch, answer.get("UnprocessedItems") or {})
            unprocessed = [write for write in batch if write.identity in left]
            for write in batch:
                if write.identity not in left:
                    write.settle()
                    context.written.note(write.table, Note(write.key, write.item))
            waiting.extendleft(reversed(unprocessed))
            if len(unprocessed) < len(batch):
                attempts.start_again()
            if unprocessed:
                if attempts.used_up:
                    raise _left(waiting, f"{context.retries.attempts} attempts processed nothing")
                pause = attempts.pause()
            progress(len(writes) - len(waiting), len(writes))
        if pause is not None:
            yield pause


def _request_items(batch: Iterable[BatchWrite]) -> dict[str, list[dict[str, Any]]]:
    tables: dict[str, list[dict[str, Any]]] = {}
    for write in batch:
        tables.setdefault(write.table, []).append(write.request)
    return tables


def _identities(
    batch: Sequence[BatchWrite], unprocessed: Mapping[str, Sequence[Mapping[str, Any]]]
) -> set[tuple[str, str]]:
    """Which of the batch's items the answer lists as unprocessed."""
    names = {write.table: tuple(write.key) for write in batch}
    found = set()
    for table, requests in unprocessed.items():
        for request in requests:
            put = request.get("PutRequest")
            item = put["Item"] if put else request["DeleteRequest"]["Key"]
            found.add((table, plain_key({name: item[name] for name in names[table]})))
    return found


def _left(waiting: Iterable[BatchWrite], why: str) -> Unprocessed:
    left = [write.of for write in waiting]
    return Unprocessed(f"{counted(len(left), 'item')} of the batch could not be written: {why}", left)
