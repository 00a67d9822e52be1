"""The builder of transactions: up to 100 actions about distinct items, all applied or none."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import key_of
from partita.model.errors import KeyValueError, WriteRefused
from partita.model.expressions.conditions import Condition
from partita.model.expressions.raw import Raw
from partita.model.expressions.updates import Update
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.keys.formats import encodable
from partita.model.keys.key_conditions import KeyCondition
from partita.model.schema import Item, TableSchema
from partita.model.uniqueness.rules import is_marker_key
from partita.model.values.attribute_values import plain_key, shortened
from partita.model.writing.changing import plan_change
from partita.model.writing.commit import MOST_ACTIONS, Committed
from partita.model.writing.frozen import FrozenTransaction, sorted_sets, token_of
from partita.model.writing.performing import perform_frozen
from partita.model.writing.planning import plan_check, plan_create, plan_delete, plan_put, plan_update
from partita.model.writing.plans import WritePlan
from partita.model.writing.recording import record_action
from partita.model.writing.targets import Target, schema_of


class Transaction:
    """Collects writes; nothing is sent before the end of its `with`, and nothing if an exception leaves that.

    Conditions are all judged by the state before the transaction, so each item can be in it once: another
    action about it raises WriteRefused at once, as does the 101st action. The times of all writes are `at`.
    """

    def __init__(
        self,
        context: Context,
        operation: str | None = None,
        *,
        at: datetime | None = None,
        remember: timedelta | None = None,
    ) -> None:
        if operation is None and remember is not None:
            raise WriteRefused("only an operation that has an id can be remembered")
        if operation is not None:
            _require_id(operation)
        if at is not None and not (isinstance(at, datetime) and at.tzinfo is not None):
            raise WriteRefused(f"at is a datetime with a time zone, not {shortened(at)}")
        if remember is not None and not (isinstance(remember, timedelta) and remember > timedelta()):
            raise WriteRefused(f"remember is a timedelta greater than zero, not {shortened(remember)}")
        self.operation = context.token() if operation is None else operation
        self.at = at or context.now()
        self.committed: Committed | None = None
        """What became of it, after the end of its `with`; None if there was nothing to send."""
        self._context = context
        self._remember = remember
        self._actions: list[Action] = []
        self._seen: set[tuple[str, str]] = set()
        self._tables: list[TableSchema] = []
        self._settle: list[Callable[[Item | None], None]] = []
        self._has_ended = False

    def create(self, entity: Entity) -> None:
        """As `session.create`."""
        self._add(entity, plan_create(self._context, entity, self.at))

    def put(self, entity: Entity, *, when: Condition | None = None) -> None:
        """As `session.put`."""
        self._add(entity, plan_put(self._context, entity, when, self.at))

    def update(self, entity: Entity, *, when: Condition | None = None) -> None:
        """As `session.update`; adds nothing where nothing changed."""
        plan = plan_update(self._context, entity, when, self.at)
        if plan is not None:
            self._add(entity, plan)

    def change(
        self,
        ref: KeyCondition[Any],
        *updates: Update | Raw,
        when: Condition | None = None,
        or_create: bool = False,
    ) -> None:
        """As `session.change`; a transaction gives no new item back."""
        self._add(ref, plan_change(self._context, ref, updates, when, or_create, self.at))

    def delete(self, target: Target, *, when: Condition | None = None) -> None:
        """As `session.delete`."""
        self._add(target, plan_delete(self._context, target, when))

    def check(self, target: Target, condition: Condition | None = None) -> None:
        """The item must meet the condition, or just exist; an entity with a version must be at it."""
        self._add(target, plan_check(self._context, target, condition))

    def id(self, name: str = "") -> str:
        """A UUID that is the same whenever this operation is built; `name` tells several apart."""
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.operation}\0{name}"))

    def writes(self, entity: Entity) -> bool:
        """Whether it has an action that puts, updates or deletes this entity's item."""
        key = plain_key(key_of(entity))
        table = self._context.table_name(entity.__schema__.table)
        return any(
            action.kind != "ConditionCheck" and (action.table, plain_key(action.key)) == (table, key)
            for action in self._actions
        )

    def freeze(self) -> FrozenTransaction:
        """The transaction as a value: of the same id, time and writes it is the same again, to the byte.

        `session.commit` brings the entities of which it was built up to date, as the end of the `with` does.
        Committed from JSON it knows none: read them again.
        """
        actions = list(self._actions)
        record = None
        if self._remember is not None and actions:
            record = len(actions)
            actions.append(
                record_action(
                    self._context, self._tables[0], self.operation, actions, self.at, self._remember
                )
            )
        _check_count(len(actions))
        token = token_of(self.operation, (action.table for action in actions))
        ordered = tuple(replace(action, parameters=sorted_sets(action.parameters)) for action in actions)
        return FrozenTransaction(self.operation, token, ordered, record, _settling(tuple(self._settle)))

    def as_flow(self) -> Flow[Committed | None]:
        """Sends it, and brings the entities up to date."""
        self._require_open()
        self.end()
        frozen = self.freeze()
        if not frozen.actions:
            return None
        self.committed = yield from perform_frozen(self._context, frozen)
        return self.committed

    def end(self) -> None:
        """After this nothing can be added to it, and it cannot be committed."""
        self._has_ended = True

    def _require_open(self) -> None:
        if self._has_ended:
            raise WriteRefused(
                "the transaction has ended: begin another one, or commit what freeze() gives once more"
            )

    def _add(self, target: Target, plan: WritePlan) -> None:
        self._require_open()
        identities = [(action.table, plain_key(action.key)) for action in plan.actions]
        for action, identity in zip(plan.actions, identities, strict=True):
            if identity in self._seen:
                if is_marker_key(action.key):
                    raise WriteRefused(
                        f"{action.subject}: the transaction gives up or takes this value already. All its "
                        "conditions are judged by the state before it, so a value cannot pass from one to "
                        "another in it: free it first, in a transaction of its own"
                    )
                raise WriteRefused(
                    f"{action.subject} is in the transaction already: an item takes one action, with all its "
                    "updates and conditions"
                )
        _check_count(len(self._actions) + len(plan.actions) + (self._remember is not None))
        schema = schema_of(target, "a transaction")
        self._actions += plan.actions
        self._seen.update(identities)
        self._tables.append(schema.table)
        self._settle.append(plan.settle)


def _require_id(operation: object) -> None:
    if not (isinstance(operation, str) and operation):
        raise WriteRefused(f"an operation id is a text that is not empty, not {shortened(operation)}")
    try:
        encodable(operation)
    except KeyValueError:
        raise WriteRefused(f"the operation id {shortened(operation)} holds half a surrogate pair") from None


def _settling(settles: Sequence[Callable[[Item | None], None]]) -> Callable[[], None]:
    """What takes note of the success in all the entities."""

    def settle() -> None:
        for one in settles:
            one(None)

    return settle


def _check_count(count: int) -> None:
    if count > MOST_ACTIONS:
        raise WriteRefused(
            f"a transaction has at most {MOST_ACTIONS} actions, markers and records among them"
        )
