"""Expressions in the words of the API: one pool of placeholders for all expressions of a request.

Every attribute name goes through a #placeholder (573 words are reserved), every value through a :placeholder.
They come in order of first use, so that the same conditions and updates give the same request to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import (
    And,
    AttributeAt,
    Between,
    Comparison,
    Condition,
    DocumentPath,
    FieldPath,
    Function,
    In,
    Not,
    Operand,
    Or,
    SizeOf,
    Unbound,
    Value,
    operands,
    operator_count,
)
from partita.model.expressions.paths import Path, elements_of
from partita.model.expressions.raw import Raw, sections
from partita.model.expressions.updates import (
    AddToSet,
    Append,
    DeleteFromSet,
    Increase,
    Remove,
    SetDefault,
    SetTo,
    Update,
    check_overlaps,
    spelled,
)
from partita.model.keys.terms import AttributeCondition
from partita.model.schema import AttributeValue
from partita.model.values.attribute_values import shortened

MOST_BYTES = 4096
"""The longest expression that DynamoDB takes."""
MOST_OPERATORS = 300
"""Comparisons, BETWEEN, IN, AND, OR and NOT of one condition."""

_READABLE = re.compile(r"(?!n\d+$)[A-Za-z0-9_]{1,40}")
_SECTIONS = ("SET", "REMOVE", "ADD", "DELETE")


class Placeholders:
    """The names and values of one request. All its expressions share one."""

    __slots__ = ("_names", "_values")

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: list[AttributeValue] = []

    def name(self, attribute: str) -> str:
        """The placeholder of a name: `#status` for status, `#n3` for what cannot stand there itself."""
        if attribute not in self._names:
            readable = _READABLE.fullmatch(attribute) is not None
            self._names[attribute] = f"#{attribute}" if readable else f"#n{len(self._names)}"
        return self._names[attribute]

    def value(self, value: AttributeValue) -> str:
        """A new placeholder of a value: `:v0`, `:v1`, …"""
        self._values.append(value)
        return f":v{len(self._values) - 1}"

    def path(self, elements: DocumentPath) -> str:
        """`#address.#lines[0]`."""
        text = self.name(str(elements[0]))
        for element in elements[1:]:
            text += f"[{element}]" if isinstance(element, int) else f".{self.name(element)}"
        return text

    def parameters(self) -> dict[str, Any]:
        """ExpressionAttributeNames and ExpressionAttributeValues, as far as there are any."""
        parameters: dict[str, Any] = {}
        if self._names:
            parameters["ExpressionAttributeNames"] = {text: name for name, text in self._names.items()}
        if self._values:
            parameters["ExpressionAttributeValues"] = {
                f":v{n}": value for n, value in enumerate(self._values)
            }
        return parameters


def render(
    *,
    key_condition: Sequence[AttributeCondition] | None = None,
    condition: Condition | None = None,
    update: Sequence[Update | Raw] | None = None,
    filter: Condition | None = None,
    projection: Sequence[Path | str | DocumentPath] | None = None,
) -> dict[str, Any]:
    """The parameters of one request: its expressions with ExpressionAttributeNames and …Values.

    `key_condition` takes the terms of KeyCondition.conditions(), `projection` paths of F and stored attribute
    names. What is absent or empty is left out. Raises ExpressionError for overlapping updates and for an
    expression beyond 4 KB or 300 operators.
    """
    for name, given in (("key_condition", key_condition), ("update", update), ("projection", projection)):
        if given is not None and (isinstance(given, str | bytes) or not isinstance(given, Sequence)):
            raise ExpressionError(f"render takes a list for {name}, not {shortened(given)}")
    placeholders = Placeholders()
    texts: dict[str, str] = {}
    if key_condition:
        terms = [_key_term(term, placeholders) for term in key_condition]
        texts["KeyConditionExpression"] = " AND ".join(terms)
    if update:
        texts["UpdateExpression"] = update_text(update, placeholders)
    if condition is not None:
        texts["ConditionExpression"] = condition_text(condition, placeholders)
    if filter is not None:
        texts["FilterExpression"] = condition_text(filter, placeholders)
    if projection:
        texts["ProjectionExpression"] = projection_text(projection, placeholders)
    for parameter, one in (("ConditionExpression", condition), ("FilterExpression", filter)):
        if one is not None and (number := operator_count(one)) > MOST_OPERATORS:
            raise ExpressionError(
                f"{parameter} has {number} operators, of which DynamoDB takes {MOST_OPERATORS}"
            )
    for parameter, text in texts.items():
        if (size := len(text.encode())) > MOST_BYTES:
            raise ExpressionError(f"{parameter} is {size} bytes long, of which DynamoDB takes {MOST_BYTES}")
    return {**texts, **placeholders.parameters()}


def _key_term(term: AttributeCondition, placeholders: Placeholders) -> str:
    if not isinstance(term, AttributeCondition):
        raise ExpressionError(f"terms of keys come from KeyCondition.conditions(), not {shortened(term)}")
    name = placeholders.name(term.attribute)
    values = [placeholders.value(operand) for operand in term.operands]
    if term.operator == "BETWEEN":
        return f"{name} BETWEEN {values[0]} AND {values[1]}"
    if term.operator == "begins_with":
        return f"begins_with({name}, {values[0]})"
    return f"{name} {term.operator} {values[0]}"


def condition_text(condition: Condition, placeholders: Placeholders) -> str:
    """A condition as an expression, with the parentheses that it needs."""
    if not isinstance(condition, Condition):
        raise _no_condition(condition)
    match condition:
        case Comparison(left, operator, right):
            return f"{_operand(left, placeholders)} {operator} {_operand(right, placeholders)}"
        case Between(operand, low, high):
            ends = f"{_operand(low, placeholders)} AND {_operand(high, placeholders)}"
            return f"{_operand(operand, placeholders)} BETWEEN {ends}"
        case In(operand, options):
            subject = _operand(operand, placeholders)
            return f"{subject} IN ({', '.join(_operand(option, placeholders) for option in options)})"
        case Function(name, path, argument):
            arguments = [placeholders.path(path)]
            if argument is not None:
                arguments.append(_operand(argument, placeholders))
            return f"{name}({', '.join(arguments)})"
        case And(parts):
            return " AND ".join(_inside(part, (Or,), placeholders) for part in parts)
        case Or(parts):
            return " OR ".join(_inside(part, (), placeholders) for part in parts)
        case Not(part):
            return f"NOT {_inside(part, (And, Or), placeholders)}"
        case Raw():
            return condition.with_placeholders(placeholders.path, placeholders.value)
    raise ExpressionError(f"{type(condition).__name__} is no condition that can be rendered")


def update_text(updates: Sequence[Update | Raw], placeholders: Placeholders) -> str:
    """Updates as one expression. Raises ExpressionError where two of them touch the same value."""
    for update in updates:
        if not isinstance(update, Update | Raw):
            raise _no_update(update)
    check_overlaps(update.path for update in updates if not isinstance(update, Raw))
    texts: dict[str, list[str]] = {section: [] for section in _SECTIONS}
    for update in updates:
        if isinstance(update, Raw):
            for section, text in sections(update.with_placeholders(placeholders.path, placeholders.value)):
                texts[section].append(text)
        else:
            section, text = _section(update, placeholders)
            texts[section].append(text)
    return " ".join(f"{section} {', '.join(actions)}" for section, actions in texts.items() if actions)


def projection_text(projection: Sequence[Path | str | DocumentPath], placeholders: Placeholders) -> str:
    """Paths as a projection. What lies within another one is left out: DynamoDB refuses such pairs."""
    paths = [_elements(part) for part in projection]
    wanted = set(paths)
    kept = [path for path in dict.fromkeys(paths) if not any(path[:n] in wanted for n in range(1, len(path)))]
    return ", ".join(placeholders.path(path) for path in kept)


def _elements(part: Path | str | DocumentPath) -> DocumentPath:
    if isinstance(part, Path):
        return elements_of(part)
    if isinstance(part, str):
        return (part,)
    if not isinstance(part, tuple) or not part or not all(isinstance(one, str | int) for one in part):
        raise ExpressionError(f"a projection has paths of F and stored names, not {shortened(part)}")
    return part


def attributes_of(expression: Condition | Sequence[Update | Raw | Path | str]) -> frozenset[str]:
    """The stored top-level attributes that a condition, updates or a projection speak of."""
    if isinstance(expression, Condition):
        return frozenset(name for operand in operands(expression) for name in _attributes(operand))
    return frozenset(name for part in expression for name in _attributes(part))


def _attributes(part: Any) -> list[str]:
    if isinstance(part, Raw):
        return list(part.attributes())
    return [str(path[0]) for path in _paths(part)]


def _paths(part: Any) -> list[DocumentPath]:
    match part:
        case str():
            return [(part,)]
        case Path():
            return [elements_of(part)]
        case Raw():
            return [(to,) if isinstance(to, str) else to for to in part.names.values()]
        case Value() | Unbound():
            return []
        case SetTo(path, operand):
            return [path, *_paths(operand)]
    return [part.path]


def require_fields_of(
    entities: Iterable[type[Any]],
    condition: Condition | None = None,
    updates: Sequence[Update | Raw] = (),
) -> None:
    """Raises ExpressionError unless all fields that are spoken of are those of one of these entities.

    A base's fields are its subclasses' too, and the other way round: an item may be either.
    """
    if condition is not None and not isinstance(condition, Condition):
        raise _no_condition(condition)
    for update in updates:
        if not isinstance(update, Update | Raw):
            raise _no_update(update)
    allowed = tuple(entities)
    for part in (*(() if condition is None else operands(condition)), *updates):
        for path in _paths(part):
            if isinstance(path, FieldPath) and not any(
                issubclass(entity, path.entity) or issubclass(path.entity, entity) for entity in allowed
            ):
                names = ", ".join(entity.__name__ for entity in allowed)
                raise ExpressionError(
                    f"{spelled(path)} is a field of {path.entity.__name__}, and this is about {names}: "
                    f"write F({names})"
                )


def _no_condition(given: object) -> ExpressionError:
    return ExpressionError(
        f"a condition is built from fields, as in F(Order).qty >= 2; this is {shortened(given)}"
    )


def _no_update(given: object) -> ExpressionError:
    return ExpressionError(
        f"an update is built from fields, as in F(Order).qty.add(1); not {shortened(given)}"
    )


def _inside(part: Condition, weaker: tuple[type[Condition], ...], placeholders: Placeholders) -> str:
    text = condition_text(part, placeholders)
    if isinstance(part, weaker) or (isinstance(part, Raw) and not is_enclosed(text)):
        return f"({text})"
    return text


def is_enclosed(text: str) -> bool:
    """Whether a pair of parentheses holds it all: DynamoDB refuses a second pair around that."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[0] == "(" and position == len(text) - 1
    return False


def _operand(operand: Operand, placeholders: Placeholders) -> str:
    match operand:
        case AttributeAt(path):
            return placeholders.path(path)
        case SizeOf(path):
            return f"size({placeholders.path(path)})"
        case Value(value):
            return placeholders.value(value)
        case Unbound(parameter):
            raise ExpressionError(f"the parameter {parameter} has no value yet: bind it, or run the pattern")


def _section(update: Update, placeholders: Placeholders) -> tuple[str, str]:
    """The keyword of its section, and its text there."""
    path = placeholders.path(update.path)
    match update:
        case SetTo(_, operand):
            return "SET", f"{path} = {_operand(operand, placeholders)}"
        case SetDefault(_, value):
            return "SET", f"{path} = if_not_exists({path}, {placeholders.value(value)})"
        case Increase(_, amount, start):
            current = path if start is None else f"if_not_exists({path}, {placeholders.value(start)})"
            return "SET", f"{path} = {current} + {placeholders.value(amount)}"
        case Append(_, elements, in_front, creates):
            current = f"if_not_exists({path}, {placeholders.value({'L': []})})" if creates else path
            added = placeholders.value(elements)
            first, second = (added, current) if in_front else (current, added)
            return "SET", f"{path} = list_append({first}, {second})"
        case Remove():
            return "REMOVE", path
        case AddToSet(_, members):
            return "ADD", f"{path} {placeholders.value(members)}"
        case DeleteFromSet(_, members):
            return "DELETE", f"{path} {placeholders.value(members)}"
