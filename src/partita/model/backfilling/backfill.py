"""A pass over a table that brings each item to what its class would write of it.

Page after page is read strongly; each item is put right by one conditional update, so that others may change
it at any moment: then it is judged again by what is stored now. An item that is right costs no write. So a
backfill that was stopped anywhere can go on from its last checkpoint, or be run again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from partita.model.backfilling import checkpoint
from partita.model.backfilling.checkpoint import Starts
from partita.model.backfilling.options import BackfillOptions
from partita.model.backfilling.outcome import Backfill, Mended, ProblemKind, Unmended
from partita.model.backfilling.pace import Pace, measured
from partita.model.declaring.entity import Entity
from partita.model.declaring.items import primary_key, type_of
from partita.model.declaring.table import Table
from partita.model.errors import (
    ConditionFailed,
    ModelError,
    OutcomeUnknown,
    TransactionFailed,
    UniqueViolation,
    UnreadableItem,
    WriteRefused,
)
from partita.model.flows.consumption import consumed_by
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow, Refused, Together
from partita.model.flows.progress import Progress, progress_of
from partita.model.flows.retries import ask, ask_together, is_transient
from partita.model.schema import EntitySchema, Item, TableSchema
from partita.model.uniqueness.rules import is_marker
from partita.model.values.attribute_values import shortened
from partita.model.writing.commit import commit
from partita.model.writing.mending import Change, Mending, OtherKey, mending
from partita.model.writing.recording import is_record

Backfillable = type[Table] | type[Entity] | Sequence[type[Entity]]
"""A table with all its entities, or some entities of one table in DynamoDB."""

ITEMS_OF_A_PAGE = 100
MOST_OF_A_PAGE = 1_000_000
MOST_SEGMENTS = 1_000_000
_OF_THE_ITEM = frozenset({"ItemCollectionSizeLimitExceededException", "ValidationException"})
"""Refusals that say nothing about the next item."""


@dataclass(frozen=True, slots=True)
class _Writing:
    """An item on its way to being right."""

    what: Mending
    attempt: int = 1
    unanswered: bool = False
    """An earlier attempt may have been applied."""


class _Run:
    """The state of a backfill under way."""

    def __init__(
        self,
        context: Context,
        entities: Sequence[type[Entity]],
        *,
        change: Change | None = None,
        remove: Collection[str] = (),
        dry_run: bool = False,
        segments: int = 1,
        page: int = ITEMS_OF_A_PAGE,
        units_per_second: float | None = None,
        resume: str | None = None,
        keep: Callable[[str], object] | None = None,
        progress: Progress | bool = False,
    ) -> None:
        _require_number("segments", segments, MOST_SEGMENTS)
        _require_number("page", page, MOST_OF_A_PAGE)
        _require_function("change", change)
        _require_function("keep", keep)
        self.context = context
        self.tables: list[TableSchema] = list(
            {entity.__schema__.table.cls: entity.__schema__.table for entity in entities}.values()
        )
        names = sorted({context.table_name(table) for table in self.tables})
        if len(names) > 1:
            raise WriteRefused(f"a backfill is of one table, and these are in {', '.join(names)}")
        self.name = names[0]
        self.wanted = frozenset(entities)
        self.change = change
        self.remove = _removable(entities, remove)
        self.segments = segments
        self.page = page
        self.pace = Pace(context.now, units_per_second)
        self.keep = keep
        self.show = progress_of(progress)
        self.done = Backfill(self.name, dry_run)
        self.identity = checkpoint.identity_of(
            self.name, [entity.__schema__ for entity in entities], self.remove, segments, dry_run
        )
        self.starts: Starts = dict.fromkeys(range(segments))
        if resume is not None:
            self.starts = checkpoint.read(resume, self.identity, segments, self.done)

    def all_pages(self) -> Flow[Backfill]:
        """The whole table, with a checkpoint after each page."""
        described = yield from ask(self.context.retries, Call("DescribeTable", {"TableName": self.name}))
        about = int(described["Table"].get("ItemCount", 0))
        done = self.done
        while self.starts:
            yield from measured(self.next_page(), self.count)
            done.checkpoint = checkpoint.write(self.identity, self.starts, done) if self.starts else None
            if self.keep is not None and done.checkpoint is not None:
                self.keep(done.checkpoint)
            # The table's own count is hours old: more than it says may come.
            self.show(done.items, max(about, done.items + 1) if self.starts else done.items)
        return done

    def next_page(self) -> Flow[None]:
        """One page of each segment: read, and put right."""
        yield from self.pace.wait()
        calls = [self._scan(segment, start) for segment, start in self.starts.items()]
        answers = yield from ask_together(self.context.retries, calls)
        waiting: list[_Writing] = []
        ends: Starts = {}
        for segment, answer in zip(self.starts, answers, strict=True):
            for item in answer["Items"]:
                self.done.items += 1
                made = self._judged(item)
                if made is not None:
                    waiting.append(_Writing(made))
            if "LastEvaluatedKey" in answer:
                ends[segment] = answer["LastEvaluatedKey"]
        while waiting:
            batch, waiting = waiting[: self.segments], waiting[self.segments :]
            waiting += yield from self._write(batch)
        self.starts = ends

    def _scan(self, segment: int, start: Item | None) -> Call:
        parameters: dict[str, Any] = {
            "TableName": self.name,
            "ConsistentRead": True,
            "Limit": self.page,
            "ReturnConsumedCapacity": "TOTAL",
        }
        if self.segments > 1:
            parameters |= {"Segment": segment, "TotalSegments": self.segments}
        if start is not None:
            parameters["ExclusiveStartKey"] = start
        return Call("Scan", parameters)

    def _judged(self, item: Item, sent: Mending | None = None) -> Mending | None:
        """What an item needs. Counts it where that is nothing, or cannot be done.

        `sent` is what was sent to it without an answer: if it is right, then by that.
        """
        schema = self._schema_of(item)
        if schema is None:
            self.done.others += 1
            return None
        try:
            made = mending(self.context, schema, item, self.remove, self.change)
        except (ModelError, ValueError) as error:
            self._left(_kind_of(error), schema, primary_key(schema.table, item), error)
            return None
        if made is None and sent is not None:
            self.done.mended(_mended(sent))
        elif made is None:
            self.done.right += 1
        elif self.done.dry_run:
            self.done.mended(_mended(made))
            return None
        return made

    def _schema_of(self, item: Item) -> EntitySchema | None:
        for table in self.tables:
            if is_marker(table, item) or is_record(table, item):
                return None
        for table in self.tables:
            entity = type_of(item, table)
            if entity is not None and entity in self.wanted:
                return entity.__schema__
        return None

    def _write(self, batch: Sequence[_Writing]) -> Flow[list[_Writing]]:
        """Sends what these items need; gives those back that have to be tried again."""
        yield from self.pace.wait()
        alone = [one for one in batch if len(one.what.actions) == 1]
        again: list[_Writing] = []
        if alone:
            calls = [
                Call("UpdateItem", {**one.what.actions[0].parameters, "ReturnConsumedCapacity": "TOTAL"})
                for one in alone
            ]
            outcomes = yield Together(calls, each=True)
            for one, outcome in zip(alone, outcomes, strict=True):
                again += yield from self._ended(one, outcome)
        for one in batch:
            if len(one.what.actions) > 1:
                again += yield from self._ended(one, (yield from self._with_markers(one)))
        if again:
            yield self.context.retries.pause(max(one.attempt for one in again) - 1)
        return again

    def _with_markers(self, one: _Writing) -> Flow[Any]:
        """The answer to an item's transaction, or the failure that ended it."""
        try:
            yield from commit(self.context, one.what.actions, self.context.token())
        except (ModelError, Refused) as failure:
            return failure
        return {}

    def _ended(self, one: _Writing, outcome: Any) -> Flow[list[_Writing]]:
        """Takes the outcome of a write; gives it back, to be tried again, or nothing."""
        what = one.what
        if not isinstance(outcome, Exception):
            self.done.mended(_mended(what))
            return []
        if _is_outdated(outcome):
            unanswered = one.unanswered or isinstance(outcome, OutcomeUnknown)
            again = replace(one, unanswered=unanswered)
            return (yield from self._judged_again(again, getattr(outcome, "item", None)))
        if isinstance(outcome, Refused) and outcome.code in _OF_THE_ITEM:
            self._left("refused", what.schema, what.key, outcome)
            return []
        if isinstance(outcome, UniqueViolation | TransactionFailed):
            self._left("refused", what.schema, what.key, outcome)
            return []
        if one.attempt >= self.context.retries.attempts or not is_transient(outcome):
            raise outcome
        unanswered = one.unanswered or not isinstance(outcome, Refused)
        return [replace(one, attempt=one.attempt + 1, unanswered=unanswered)]

    def _judged_again(self, one: _Writing, current: Item | None) -> Flow[list[_Writing]]:
        """What an item needs as it is stored now, after a write of others or an own one without answer."""
        what = one.what
        if current is None:
            # Not every server gives the item of a failed condition.
            parameters = {"TableName": self.name, "Key": what.key, "ConsistentRead": True}
            answer = yield from ask(self.context.retries, Call("GetItem", parameters))
            current = answer.get("Item")
        if current is None:
            self.done.gone += 1
            return []
        made = self._judged(current, what if one.unanswered else None)
        if made is None:
            return []
        if one.attempt >= self.context.retries.attempts:
            self._left("contended", what.schema, what.key, "others wrote it at each attempt; run again")
            return []
        return [_Writing(made, one.attempt + 1, one.unanswered)]

    def count(self, call: Call, answer: Mapping[str, Any]) -> None:
        """Takes note of what a request consumed."""
        consumed = consumed_by(call.operation, answer)
        self.done.consumed += consumed
        self.pace.spent(consumed)

    def _left(self, kind: ProblemKind, schema: EntitySchema, key: Item, why: object) -> None:
        self.done.left(Unmended(kind, schema.cls.__name__, key, str(why)))


def backfill(context: Context, of: Backfillable, **options: Unpack[BackfillOptions]) -> Flow[Backfill]:
    """Brings the items of a table to what the declarations derive; see `Session.backfill`."""
    return _Run(context, _entities_of(of), **options).all_pages()


def _kind_of(error: Exception) -> ProblemKind:
    """What kind of problem an item has of which this was raised."""
    if isinstance(error, OtherKey):
        return "primary key"
    return "unreadable" if isinstance(error, UnreadableItem) else "refused"


def _mended(what: Mending) -> Mended:
    return Mended(what.schema.cls.__name__, what.key, what.attributes)


def _is_outdated(outcome: Exception) -> bool:
    """Whether the item was not as it had been read, or may not have been."""
    if isinstance(outcome, Refused):
        return outcome.code == "ConditionalCheckFailedException"
    if isinstance(outcome, UniqueViolation):
        return False
    if isinstance(outcome, TransactionFailed):
        first = outcome.reasons[0]
        return first.position == 0 and isinstance(first.error, ConditionFailed)
    return isinstance(outcome, ConditionFailed | OutcomeUnknown)


def _entities_of(of: Backfillable) -> Sequence[type[Entity]]:
    given: Any = of
    if isinstance(given, type) and issubclass(given, Table) and given is not Table:
        entities: Sequence[type[Entity]] = given.__schema__.entities
    else:
        entities = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    for entity in entities:
        if not (isinstance(entity, type) and issubclass(entity, Entity) and hasattr(entity, "__schema__")):
            raise WriteRefused(f"a backfill is of a table or of entities that have keys, not of {entity!r}")
    if not entities:
        raise WriteRefused("a backfill needs at least one entity")
    return entities


def _require_number(name: str, number: object, most: int) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
        raise WriteRefused(f"{name} is a number from 1 to {most:,}, not {number!r}")


def _require_function(name: str, function: object) -> None:
    if function is not None and not callable(function):
        raise WriteRefused(f"{name} is a function, not {shortened(function)}")


def _removable(entities: Sequence[type[Entity]], remove: Collection[str]) -> tuple[str, ...]:
    """Raises WriteRefused for an attribute that one of the entities writes itself."""
    is_list = isinstance(remove, Iterable) and not isinstance(remove, str)
    names = tuple(remove) if is_list else ()
    if not is_list or not all(isinstance(name, str) for name in names):
        raise WriteRefused(f"remove takes a list of attributes, not {shortened(remove)}")
    for entity in entities:
        for name in names:
            if name in entity.__schema__.attributes:
                raise WriteRefused(f"{entity.__name__} writes {name} itself: it cannot be removed")
    return names
