"""Several flows at once on one database: chance chooses whose next request goes on, and what befalls it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.model.writing.by_hand import cancelled

from partita import Database
from partita.errors import DynamoDBError
from partita.model.flows.flow import Call, Flow, NoAnswer, Refused


class Crashed:
    """What a flow that ended with its process gives."""


def play(
    database: Database,
    flows: Sequence[Flow[Any]],
    chance: Random,
    *,
    lost: float = 0.15,
    crashes: float = 0.01,
) -> list[Any]:
    """What each flow returned or raised; `lost` and `crashes` are probabilities for each request."""
    outcomes: list[Any] = [None] * len(flows)
    steps: dict[int, Any] = {}
    for number, flow in enumerate(flows):
        steps[number] = next(flow)
    while steps:
        number = chance.choice(sorted(steps))
        step = steps[number]
        try:
            answer = _answer(database, step, chance, lost, crashes) if isinstance(step, Call) else None
            if isinstance(answer, Crashed):
                flows[number].close()
                outcomes[number] = answer
                del steps[number]
            elif isinstance(answer, Exception):
                steps[number] = flows[number].throw(answer)
            else:
                steps[number] = flows[number].send(answer)
        except StopIteration as end:
            outcomes[number] = end.value
            del steps[number]
        except Exception as error:
            outcomes[number] = error
            del steps[number]
    return outcomes


def _answer(database: Database, call: Call, chance: Random, lost: float, crashes: float) -> Any:
    fate = chance.random()
    if fate < lost / 2:
        return NoAnswer("lost on the way there")
    if fate > 0.97:
        if call.operation == "TransactWriteItems":
            return cancelled(*["TransactionConflict"] * len(call.parameters["TransactItems"]))
        return Refused("ThrottlingException", "slow down")
    try:
        answer: Any = database.call(call.operation, call.parameters)
    except DynamoDBError as error:
        answer = Refused(
            error.name,
            str(error),
            reasons=error.members.get("CancellationReasons", ()),
            item=error.members.get("Item"),
        )
    if fate < lost:
        return NoAnswer("lost on the way back")
    return Crashed() if fate < lost + crashes else answer
