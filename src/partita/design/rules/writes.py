"""Rules of writes: what changes together goes together, and what was read still holds when it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from partita.design.findings import Finding, refused, warning
from partita.design.patterns import ByKey
from partita.design.reads import Read
from partita.design.sizes import MOST_TRANSACTION_BYTES, most_bytes
from partita.design.writes import MOST_IN_BATCH, Write
from partita.model.declaring.entity import Entity

MOST_ACTIONS = 100
"""Of one TransactWriteItems."""


def check_write(write: Write) -> Iterator[Finding]:
    """Everything that is wrong with one write."""
    if not write.of:
        yield refused("together", write, "it names no entity: say what it creates, changes or deletes")
        return
    match write.how:
        case "put":
            yield from _single(write)
        case "batch":
            yield from _batch(write)
        case "transaction":
            yield from _transaction(write)
    for read in write.decided_by:
        yield from _decided(write, read)


def _unique(write: Write) -> list[str]:
    written: Mapping[type[Entity], int] = {**write.creates, **write.changes, **write.deletes}
    return [entity.__name__ for entity in written if entity.__schema__.uniques]


def _single(write: Write) -> Iterator[Finding]:
    if unique := _unique(write):
        yield refused(
            "together",
            write,
            f"{', '.join(unique)} has unique attributes, whose markers must change with it: say "
            'how="transaction"',
        )
    elif write.items + sum(write.checks.values()) > 1:
        yield refused(
            "together",
            write,
            f"one put writes one item, and these are up to {write.items + sum(write.checks.values())}: say "
            'how="transaction", or how="batch" where some may fail and others not',
        )


def _batch(write: Write) -> Iterator[Finding]:
    unique = _unique(write)
    if write.together or unique:
        why = f"{', '.join(unique)} has unique attributes" if unique else "they must change together"
        yield refused(
            "batch-together",
            write,
            f"a batch writes each item for itself, so that some can fail and others not, but {why}: say "
            'how="transaction"',
        )
    elif write.changes or write.checks or write.guarded:
        yield refused(
            "batch-together",
            write,
            "a batch puts and deletes whole items without conditions: it cannot change or check any; say "
            'how="transaction"',
        )
    else:
        versioned = [e.__name__ for e in {**write.creates, **write.deletes} if e.__schema__.version]
        if versioned:
            yield refused(
                "batch-together",
                write,
                f'{", ".join(versioned)} has a version, which a batch cannot check: say how="put" or '
                'how="transaction"',
            )
    if write.items > MOST_IN_BATCH:
        yield warning(
            "one-request",
            write,
            f"up to {write.items} items are {write.requests} requests of {MOST_IN_BATCH}, "
            "each of which can come back with items unprocessed",
        )


def _transaction(write: Write) -> Iterator[Finding]:
    if (count := write.actions) > MOST_ACTIONS:
        yield refused(
            "actions",
            write,
            f"it has up to {count} actions with the markers of unique attributes, and a transaction takes "
            f"{MOST_ACTIONS}: lower the counts, or keep fewer items in step",
        )
    total = 0
    for part in (write.creates, write.changes):
        for entity, number in part.items():
            size = most_bytes(entity.__schema__)
            if size is None:
                return
            total += number * size
    if total > MOST_TRANSACTION_BYTES:
        yield warning(
            "page-size",
            write,
            f"its items can be {total:,} bytes by their declared lengths, and a transaction takes "
            f"{MOST_TRANSACTION_BYTES:,}: declare shorter ones, or write fewer",
        )


def _decided(write: Write, read: Read) -> Iterator[Finding]:
    loose = [entity for entity in read.of if not _holds(write, read, entity)]
    if not loose:
        return
    names = ", ".join(entity.__name__ for entity in loose)
    if any(entity in write.creates for entity in loose):
        yield refused(
            "check-then-put",
            write,
            f'"{read.name}" decides it, and nothing holds what {read.kind} saw until the write: two writers '
            f"can both find no {names}; declare what must be free as unique(), which the write then refuses",
        )
    else:
        yield refused(
            "check-then-put",
            write,
            f'"{read.name}" decides it, but {names} can change before the write: check it in the same '
            "transaction (checks=), give it a version, or write on condition of what was read (guarded=)",
        )


def _holds(write: Write, read: Read, entity: type[Entity]) -> bool:
    """Whether the write fails if what was read of the entity is no longer so."""
    if entity in write.guarded or (entity in write.checks and write.how == "transaction"):
        return True
    if entity in write.changes or entity in write.deletes:
        return entity.__schema__.version is not None
    # Creating is conditional on the primary key being free, which is what such a read asks.
    return entity in write.creates and _is_by_key(read, entity)


def _is_by_key(read: Read, entity: type[Entity]) -> bool:
    """Whether what is read of the entity is by its full primary key."""
    return isinstance(read, ByKey) and all(key.is_item for key, _ in read.counted if key.entity is entity)
