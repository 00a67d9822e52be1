"""Several sessions create, change and delete accounts; the test chooses whose next request goes on.

Requests and answers are lost, transactions conflict, sessions crash between two requests. At the end no value
has two owners, no marker is an orphan and none is missing: the audit is clean.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.counts import UNIQUE_HISTORIES
from tests.model.uniqueness.people import Account, Club
from tests.model.writing.by_hand import cancelled, context

import partita
from partita.errors import DynamoDBError
from partita.model.auditing.audit import Audit, audit
from partita.model.declaring.items import entity_of
from partita.model.definition.table_requests import create_table_request
from partita.model.errors import ModelError, OutcomeUnknown
from partita.model.flows.actions import Action
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow, NoAnswer, Pause, Refused
from partita.model.flows.retries import Retries, ask
from partita.model.uniqueness import marking
from partita.model.uniqueness.rules import is_marker
from partita.model.writing import writes

IDS = ("1", "2", "3")
EMAILS = ("ada@x.io", "Ada@x.io", "bob@x.io", None)
USERNAMES = ("ada", "bob", "cy")
OPERATIONS_OF_A_SESSION = 4


class Send:
    """Answers calls from a database in this process; errors are answers, as the core is told of them."""

    def __init__(self, database: partita.Database) -> None:
        self._database = database

    def __call__(self, call: Call) -> Any:
        try:
            return self._database.call(call.operation, dict(call.parameters))
        except DynamoDBError as error:
            return Refused(
                error.name,
                str(error),
                reasons=error.members.get("CancellationReasons", ()),
                item=error.members.get("Item"),
            )


def read(context: Context, key: Any) -> Flow[Account | None]:
    parameters = {"TableName": "club", "Key": key.item_key(), "ConsistentRead": True}
    answer = yield from ask(context.retries, Call("GetItem", parameters))
    return entity_of(answer["Item"], Account) if "Item" in answer else None


def session(context: Context, chance: Random) -> Flow[None]:
    """A few operations of one session, each on what it read itself."""
    for _ in range(OPERATIONS_OF_A_SESSION):
        key = Account.key(id=chance.choice(IDS))
        try:
            match chance.choice(("create", "create", "update", "put", "delete", "delete by key")):
                case "create":
                    account = Account(
                        id=chance.choice(IDS), email=chance.choice(EMAILS), username=chance.choice(USERNAMES)
                    )
                    yield from writes.create(context, account)
                case "delete by key":
                    yield from writes.delete(context, key, None)
                case operation:
                    read_account = yield from read(context, key)
                    if read_account is None:
                        continue
                    if operation == "delete":
                        yield from writes.delete(context, read_account, None)
                        continue
                    read_account.name = str(chance.random())
                    if chance.random() < 0.7:
                        read_account.email = chance.choice(EMAILS)
                    if chance.random() < 0.4:
                        read_account.username = chance.choice(USERNAMES)
                    write = writes.update if operation == "update" else writes.put
                    yield from write(context, read_account, None)
        except OutcomeUnknown:
            if chance.random() < 0.5:
                return
        except (ModelError, Refused, NoAnswer):
            pass


def outcome_of(call: Call, send: Send, chance: Random) -> Any:
    """What a session sees of its request: the answer, or one of the things that happen to requests."""
    if call.operation in ("GetItem", "Scan", "TransactGetItems"):
        return send(call)
    luck = chance.random()
    if luck < 0.08:
        return NoAnswer("the request was lost")
    if luck < 0.18:
        send(call)
        return NoAnswer("the answer was lost")
    if luck < 0.24 and call.operation == "TransactWriteItems":
        return cancelled(*["TransactionConflict"] * len(call.parameters["TransactItems"]))
    return send(call)


def play(seed: int, send: Send) -> None:
    """One history."""
    chance = Random(seed)
    running: list[tuple[Flow[None], Any]] = []
    for _ in range(3):
        flow = session(context(Retries(attempts=3)), Random(chance.random()))
        running.append((flow, next(flow, None)))
    while running:
        position = chance.randrange(len(running))
        flow, step = running[position]
        if step is None or chance.random() < 0.01:
            flow.close()
            del running[position]
            continue
        outcome = None if isinstance(step, Pause) else outcome_of(step, send, chance)
        try:
            step = flow.throw(outcome) if isinstance(outcome, Exception) else flow.send(outcome)
        except StopIteration:
            step = None
        running[position] = (flow, step)


def ended(flow: Flow[Any], send: Send) -> Any:
    """What a flow returns whose requests all go well."""
    answer: Any = None
    try:
        while True:
            step = flow.send(answer)
            answer = None if isinstance(step, Pause) else send(step)
            assert not isinstance(answer, Exception), answer
    except StopIteration as end:
        return end.value


def faults(send: Send) -> Audit:
    found: Audit = ended(audit(context(), Club), send)
    return found


def owners(send: Send) -> Iterator[tuple[str, str]]:
    """(rule, normal value) of each account, as an independent look at the table gives them."""
    for item in send(Call("Scan", {"TableName": "club", "ConsistentRead": True}))["Items"]:
        if is_marker(Club.__schema__, item):
            continue
        if "email" in item:
            yield "email", item["email"]["S"].casefold()
        yield "username", item["username"]["S"]


@pytest.fixture
def database() -> Iterator[partita.Database]:
    with partita.Database() as database:
        database.call("CreateTable", create_table_request(Club))
        yield database


def test_no_value_ever_has_two_owners_and_no_marker_is_wrong(database: partita.Database) -> None:
    send = Send(database)
    empty = database.snapshot()
    stored = 0
    for seed in range(UNIQUE_HISTORIES):
        database.restore(empty)
        play(seed, send)
        held = list(owners(send))
        stored += len(held)
        assert len(held) == len(set(held)), f"seed {seed}: {sorted(held)}"
        found = faults(send)
        assert found.is_clean, f"seed {seed}: {[str(fault) for fault in found.faults]}"
    assert stored > UNIQUE_HISTORIES, "the histories must leave something to judge"


def _unguarded_marker(monkeypatch: pytest.MonkeyPatch) -> None:
    careful = marking.take

    def careless(*arguments: Any) -> Action:
        action = careful(*arguments)
        kept = {name: action.parameters[name] for name in ("TableName", "Item")}
        return Action(action.kind, kept, action.key, action.subject, action.refused)

    monkeypatch.setattr(marking, "take", careless)


def _unguarded_entity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking, "guard", lambda *_: None)


@pytest.mark.parametrize("break_it", [_unguarded_marker, _unguarded_entity])
def test_a_write_without_one_of_its_conditions_is_found_out(
    database: partita.Database, monkeypatch: pytest.MonkeyPatch, break_it: Any
) -> None:
    break_it(monkeypatch)
    send = Send(database)
    empty = database.snapshot()
    for seed in range(UNIQUE_HISTORIES):
        database.restore(empty)
        play(seed, send)
        held = list(owners(send))
        if len(held) != len(set(held)) or not faults(send).is_clean:
            return
    pytest.fail(f"{UNIQUE_HISTORIES} histories did not show it")
