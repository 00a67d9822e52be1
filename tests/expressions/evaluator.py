"""Expressions as nested tuples, their texts, and a slow and obvious evaluator: a second opinion.

Nothing here uses the room that is tested. A value is turned into what it means (a number into a Decimal, a
set into a frozenset), so that equality is Python's.

Operands: ("path", (name or index, …)), ("value", wire value), ("size", operand), ("if_not_exists", path,
operand), ("list_append", operand, operand), ("+" or "-", operand, operand).
Conditions: (comparator, operand, operand), ("BETWEEN", operand, low, high), ("IN", operand, operands),
("exists", path), ("not_exists", path), ("type", path, name), ("begins_with", operand, operand),
("contains", operand, operand), ("NOT", condition), ("AND" or "OR", condition, condition).
Actions: ("SET", path, operand), ("REMOVE", path), ("ADD", path, value), ("DELETE", path, value).
"""

from __future__ import annotations

from base64 import b64decode
from copy import deepcopy
from decimal import Decimal, localcontext
from itertools import pairwise
from typing import Any

Tree = tuple[Any, ...]
MISSING = None


class Failed(Exception):
    """The update is refused; the argument says why in a word: missing, operand, path or number."""


# Texts


class Writer:
    """Writes trees as texts; every name and value becomes a placeholder."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}

    def path(self, path: Tree) -> str:
        text = ""
        for element in path:
            if isinstance(element, int):
                text += f"[{element}]"
            else:
                placeholder = f"#{len(self.names)}"
                self.names[placeholder] = element
                text += ("." if text else "") + placeholder
        return text

    def value(self, value: Any) -> str:
        placeholder = f":{len(self.values)}"
        self.values[placeholder] = value
        return placeholder

    def operand(self, operand: Tree) -> str:
        match operand:
            case ("path", path):
                return self.path(path)
            case ("value", value):
                return self.value(value)
            case ("+" | "-" as sign, left, right):
                return f"{self.operand(left)} {sign} {self.operand(right)}"
            case (function, *arguments):
                return f"{function}({', '.join(map(self.operand, arguments))})"
        raise AssertionError(operand)

    def condition(self, condition: Tree) -> str:
        match condition:
            case ("NOT", inner):
                return f"NOT {self.nested(inner)}"
            case ("AND" | "OR" as word, left, right):
                return f"{self.nested(left)} {word} {self.nested(right)}"
            case ("BETWEEN", operand, low, high):
                return f"{self.operand(operand)} BETWEEN {self.operand(low)} AND {self.operand(high)}"
            case ("IN", operand, options):
                return f"{self.operand(operand)} IN ({','.join(map(self.operand, options))})"
            case ("exists", path):
                return f"attribute_exists({self.operand(path)})"
            case ("not_exists", path):
                return f"attribute_not_exists ({self.operand(path)})"
            case ("type", path, name):
                return f"attribute_type({self.operand(path)}, {self.value({'S': name})})"
            case ("begins_with" | "contains" as function, left, right):
                return f"{function}({self.operand(left)}, {self.operand(right)})"
            case (comparator, left, right):
                return f"{self.operand(left)} {comparator} {self.operand(right)}"
        raise AssertionError(condition)

    def nested(self, condition: Tree) -> str:
        text = self.condition(condition)
        return f"({text})" if condition[0] in ("AND", "OR", "NOT") else text

    def update(self, actions: list[Tree]) -> str:
        sections: dict[str, list[str]] = {}
        for action in actions:
            match action:
                case ("SET", path, operand):
                    text = f"{self.path(path)} = {self.operand(operand)}"
                case ("REMOVE", path):
                    text = self.path(path)
                case (_, path, value):
                    text = f"{self.path(path)} {self.value(value)}"
            sections.setdefault(action[0], []).append(text)
        return " ".join(f"{section} {', '.join(texts)}" for section, texts in sections.items())


# Meanings


def meaning(value: Any) -> Any:
    """What a value means, as something that Python compares as DynamoDB does."""
    ((kind, content),) = value.items()
    match kind:
        case "N":
            return kind, Decimal(content)
        case "B":
            return kind, b64decode(content)
        case "SS" | "NS" | "BS":
            return kind, frozenset(meaning({kind[0]: member}) for member in content)
        case "L":
            return kind, tuple(meaning(element) for element in content)
        case "M":
            return kind, frozenset((name, meaning(element)) for name, element in content.items())
    return kind, content


def look_up(item: Any, path: Tree) -> Any:
    value: Any = {"M": item}
    for element in path:
        if isinstance(element, int):
            if "L" not in value or element >= len(value["L"]):
                return MISSING
            value = value["L"][element]
        else:
            if "M" not in value or element not in value["M"]:
                return MISSING
            value = value["M"][element]
    return value


def operand_value(operand: Tree, item: Any) -> Any:
    match operand:
        case ("path", path):
            return look_up(item, path)
        case ("value", value):
            return value
        case ("size", inner):
            value = operand_value(inner, item)
            if value is MISSING:
                return MISSING
            ((kind, content),) = value.items()
            match kind:
                case "S":
                    return {"N": str(sum(2 if ord(character) > 0xFFFF else 1 for character in content))}
                case "B":
                    return {"N": str(len(b64decode(content)))}
                case "SS" | "NS" | "BS" | "L" | "M":
                    return {"N": str(len(content))}
            return MISSING
        case ("if_not_exists", ("path", path), otherwise):
            found = look_up(item, path)
            return operand_value(otherwise, item) if found is MISSING else found
        case ("list_append", first, second):
            a, b = existing(first, item), existing(second, item)
            if "L" not in a or "L" not in b:
                raise Failed("operand")
            return {"L": [*a["L"], *b["L"]]}
        case ("+" | "-" as sign, left, right):
            a, b = existing(left, item), existing(right, item)
            if "N" not in a or "N" not in b:
                raise Failed("operand")
            return {"N": total(sign, a["N"], b["N"])}
    raise AssertionError(operand)


def existing(operand: Tree, item: Any) -> Any:
    value = operand_value(operand, item)
    if value is MISSING:
        raise Failed("missing")
    return value


def total(sign: str, a: str, b: str) -> str:
    with localcontext() as context:
        context.prec = 1000
        result = (Decimal(a) + Decimal(b) if sign == "+" else Decimal(a) - Decimal(b)).normalize()
        if len(result.as_tuple().digits) > 38:
            raise Failed("number")
        return f"{result:f}" if result else "0"


def is_true(condition: Tree, item: Any) -> bool:
    match condition:
        case ("NOT", inner):
            return not is_true(inner, item)
        case ("AND", left, right):
            return is_true(left, item) & is_true(right, item)
        case ("OR", left, right):
            return is_true(left, item) | is_true(right, item)
        case ("exists", path):
            return operand_value(path, item) is not MISSING
        case ("not_exists", path):
            return operand_value(path, item) is MISSING
        case ("type", path, name):
            value = operand_value(path, item)
            return value is not MISSING and list(value) == [name]
        case ("IN", operand, options):
            return any(is_true(("=", operand, option), item) for option in options)
        case ("BETWEEN", operand, low, high):
            return is_true((">=", operand, low), item) & is_true(("<=", operand, high), item)
        case ("<>", left, right):
            sizes = [operand for operand in (left, right) if operand[0] == "size"]
            has_sizes = all(operand_value(size, item) is not MISSING for size in sizes)
            return has_sizes and not is_true(("=", left, right), item)
        case (operator, left, right):
            a, b = operand_value(left, item), operand_value(right, item)
            if a is MISSING or b is MISSING:
                return False
            return relates(operator, meaning(a), meaning(b))
    raise AssertionError(condition)


def relates(operator: str, a: Any, b: Any) -> bool:
    if operator == "=":
        return bool(a == b)
    (kind, x), (other, y) = a, b
    if operator == "contains":
        match kind:
            case "S" | "B":
                return kind == other and y in x
            case "SS" | "NS" | "BS" | "L":
                return b in x
        return False
    if kind != other or kind not in ("S", "N", "B"):
        return False
    if operator == "begins_with":
        return kind != "N" and x.startswith(y)
    if kind == "S":
        x, y = x.encode(), y.encode()
    return bool({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[operator])


# Updates

_GONE: Any = {"GONE": True}


def apply(actions: list[Tree], item: Any) -> Any:
    """The item after the actions. Raises Failed with the first fault: of operands, then of paths."""
    results = [(action[1], result(action, item)) for action in actions]
    after: Any = {"M": deepcopy(item)}
    appended: dict[int, list[tuple[int, Any]]] = {}
    lists: dict[int, list[Any]] = {}
    for path, value in results:
        parent = after
        for element, following in pairwise(path):
            parent = child(parent, element)
            if parent is MISSING or ("L" if isinstance(following, int) else "M") not in parent:
                raise Failed("path")
        put(parent, path[-1], value, appended, lists)
    for identity, more in appended.items():
        lists[identity] += [value for _, value in sorted(more, key=lambda pair: pair[0])]
    return without_gone(after)["M"]


def child(parent: Any, element: Any) -> Any:
    if isinstance(element, int):
        return parent["L"][element] if element < len(parent["L"]) else MISSING
    return parent["M"].get(element)


def put(parent: Any, element: Any, value: Any, appended: Any, lists: Any) -> None:
    if value is MISSING:
        return
    if not isinstance(element, int):
        parent["M"][element] = value
    elif element < len(parent["L"]):
        parent["L"][element] = value
    elif value is not _GONE:
        lists[id(parent["L"])] = parent["L"]
        appended.setdefault(id(parent["L"]), []).append((element, value))


def result(action: Tree, item: Any) -> Any:
    """What an action leaves at its path; MISSING: nothing changes."""
    match action:
        case ("SET", _, operand):
            return deepcopy(existing(operand, item))
        case ("REMOVE", _):
            return _GONE
        case ("ADD", path, value):
            current = look_up(item, path)
            if current is MISSING:
                return value
            ((kind, content),) = value.items()
            if kind not in current:
                raise Failed("operand")
            if kind == "N":
                return {"N": total("+", current["N"], content)}
            return {kind: current[kind] + [member for member in content if member not in current[kind]]}
        case ("DELETE", path, value):
            current = look_up(item, path)
            if current is MISSING:
                return MISSING
            ((kind, content),) = value.items()
            if kind not in current:
                raise Failed("operand")
            kept = [member for member in current[kind] if member not in content]
            return {kind: kept} if kept else _GONE
    raise AssertionError(action)


def without_gone(value: Any) -> Any:
    if "M" in value:
        return {"M": {k: without_gone(v) for k, v in value["M"].items() if v is not _GONE}}
    if "L" in value:
        return {"L": [without_gone(v) for v in value["L"] if v is not _GONE]}
    return value


def picked(item: Any, paths: list[Tree]) -> Any:
    """The fragments of `item` at `paths`, one after the other."""
    kept: Any = {}
    for path in paths:
        if look_up(item, path) is not MISSING:
            kept = merged(kept, path, look_up(item, path))
    return {name: as_wire(value) for name, value in kept.items()}


def merged(kept: Any, path: Tree, value: Any) -> Any:
    """`kept` is a tree of dicts by element; a value at its end is a wire value in a tuple."""
    head, *rest = path
    return {**kept, head: merged(kept.get(head, {}), tuple(rest), value) if rest else (value,)}


def as_wire(kept: Any) -> Any:
    if isinstance(kept, tuple):
        return kept[0]
    if all(isinstance(element, int) for element in kept):
        return {"L": [as_wire(kept[element]) for element in sorted(kept)]}
    return {"M": {element: as_wire(value) for element, value in kept.items()}}
