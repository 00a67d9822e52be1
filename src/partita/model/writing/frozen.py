"""Transactions as values: what is sent, to the byte, and what its failures mean; they survive JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, get_args

from partita.model.declaring.table import Table
from partita.model.errors import WriteRefused
from partita.model.flows.actions import Action, ActionKind, Refusal
from partita.model.uniqueness.marker_refusals import NotOurs, Taken
from partita.model.values.attribute_values import from_plain, plain_item, plain_key, shortened
from partita.model.writing.refusals import Changed, Done, Exists

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity

MOST_TOKEN = 36
FORMAT = 1

REFUSALS: dict[str, Any] = {refusal.__name__: refusal for refusal in (Exists, Changed, Done, Taken, NotOurs)}
"""Dataclasses that say what a failed condition means. Their fields are plain values, or `entity`: a class."""

_ITEMS = ("Item", "Key", "ExpressionAttributeValues")
"""Parameters that hold attribute values."""


@dataclass(frozen=True, slots=True)
class FrozenTransaction:
    """A transaction that is the same each time it is sent, from whichever process.

    Keep `to_json()` before it is committed, and commit what `from_json` makes of it after a crash: it is the
    same request with the same token, so within 10 minutes it is applied once (with `remember`, for
    as long as that says).
    """

    operation: str
    """The caller's id of the operation."""
    token: str
    """The ClientRequestToken."""
    actions: tuple[Action, ...]
    record: int | None = None
    """The position of the action that records the operation; None: it is not recorded."""
    settle: Callable[[], None] | None = field(default=None, repr=False, compare=False)
    """Brings the entities of which it was built up to date; None for one that comes from JSON."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Entities stay in their process.
        return FrozenTransaction, (self.operation, self.token, self.actions, self.record)

    def to_json(self) -> str:
        return json.dumps(
            {
                "format": FORMAT,
                "operation": self.operation,
                "token": self.token,
                "record": self.record,
                "actions": [_plain_action(action) for action in self.actions],
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str, *tables: type[Table]) -> FrozenTransaction:
        """What `to_json` wrote. Errors speak of the entities of these tables.

        Raises WriteRefused for anything else, and where it is about an entity of no table that is given.
        """
        for table in tables:
            if not (isinstance(table, type) and issubclass(table, Table)):
                raise WriteRefused(f"from_json takes tables, such as App, not {shortened(table)}")
        known = {
            (table.__schema__.cls.__name__, entity.__schema__.type_name): entity
            for table in tables
            for entity in table.__schema__.entities
        }
        try:
            content = json.loads(text)
            if content["format"] != FORMAT:
                raise WriteRefused(f"this is no frozen transaction of format {FORMAT}")
            actions = tuple(_read_action(action, known) for action in content["actions"])
            made = cls(_text(content["operation"]), _text(content["token"]), actions, content["record"])
            if made.record is not None:
                _ = actions[made.record].parameters["Item"]
        except WriteRefused:
            raise
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise WriteRefused(f"this is no frozen transaction, as to_json() writes it ({reason})") from None
        return made


def token_of(operation: str, tables: Iterable[str]) -> str:
    """The ClientRequestToken of an operation: a digest of its id and of the tables that it writes to.

    Tokens are told apart by account and region only, and others may have an operation of the same id there.
    """
    text = json.dumps([operation, sorted(set(tables))])
    return hashlib.sha256(text.encode()).hexdigest()[:MOST_TOKEN]


def identity_of(actions: Sequence[Action]) -> str:
    """A digest of what a transaction is about (kinds and keys, no contents): so operations are recognised."""
    about = [[action.kind, action.table, plain_key(action.key)] for action in actions]
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()


def sorted_sets(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters with the members of sets in order: Python's sets have another in each process."""
    return _of_parameters(parameters, _with_sorted_sets)


def _with_sorted_sets(value: Mapping[str, Any]) -> dict[str, Any]:
    ((kind, content),) = value.items()
    match kind:
        case "SS" | "NS" | "BS":
            return {kind: sorted(content)}
        case "L":
            return {kind: [_with_sorted_sets(element) for element in content]}
        case "M":
            return {kind: {name: _with_sorted_sets(element) for name, element in content.items()}}
    return dict(value)


def _of_parameters(parameters: Mapping[str, Any], of_value: Any) -> dict[str, Any]:
    return {
        name: {part: of_value(value) for part, value in content.items()} if name in _ITEMS else content
        for name, content in parameters.items()
    }


def _plain_action(action: Action) -> dict[str, Any]:
    parameters = {
        name: plain_item(content) if name in _ITEMS else content
        for name, content in action.parameters.items()
    }
    return {
        "kind": action.kind,
        "parameters": parameters,
        "key": plain_item(action.key),
        "subject": action.subject,
        "refused": _plain_refusal(action.refused),
    }


def _plain_refusal(refusal: Any) -> dict[str, Any]:
    name = type(refusal).__name__
    if REFUSALS.get(name) is not type(refusal):
        raise WriteRefused(f"{name} cannot be frozen: it is no refusal of the toolkit")
    plain = {"is": name}
    for one in fields(refusal):
        value = getattr(refusal, one.name)
        plain[one.name] = _name_of(value) if one.name == "entity" else value
    return plain


def _name_of(entity: type[Entity]) -> Any:
    schema = entity.__schema__
    return [schema.table.cls.__name__, schema.type_name]


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{value!r} is no text")
    return value


def _read_action(plain: Mapping[str, Any], known: Mapping[tuple[str, str], type[Entity]]) -> Action:
    if plain["kind"] not in get_args(ActionKind):
        raise ValueError(f"{plain['kind']!r} is no action")
    parameters = _of_parameters(plain["parameters"], from_plain)
    _text(parameters["TableName"])
    return Action(
        plain["kind"],
        parameters,
        {name: from_plain(value) for name, value in plain["key"].items()},
        plain["subject"],
        _read_refusal(dict(plain["refused"]), known),
    )


def _read_refusal(plain: dict[str, Any], known: Mapping[tuple[str, str], type[Entity]]) -> Refusal:
    made = REFUSALS[plain.pop("is")]
    if "entity" in plain:
        name = (plain["entity"][0], plain["entity"][1])
        if name not in known:
            raise WriteRefused(
                f"the frozen transaction is about {name[1]} of {name[0]}: give from_json its table"
            )
        plain["entity"] = known[name]
    refusal: Refusal = made(**plain)
    return refusal
