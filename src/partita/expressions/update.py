"""Updates: what an UpdateExpression or AttributeUpdates does to an item (sections 8, 9.5–9.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from partita.attributes import AttributeValue, Item, add_numbers, subtract_numbers
from partita.errors import ValidationException, legacy
from partita.errors import expressions as errors
from partita.expressions.operand_closures import Evaluate, Values, attribute_at, value_of
from partita.expressions.paths import Branches, branches, find, fragment
from partita.expressions.tree import (
    Action,
    Add,
    Arithmetic,
    Attribute,
    Call,
    Delete,
    Node,
    Path,
    Remove,
    Set,
    Value,
)

_Change = Callable[[Values, Item], Any]
"""What an action leaves at its path: a value, _NOTHING, or _UNCHANGED."""

_NOTHING: Final = object()
_UNCHANGED: Final = object()


class CompiledUpdate:
    """An update without its values; serves every request with the same text."""

    __slots__ = (
        "changes",
        "creates",
        "is_legacy",
        "paths",
        "remaining",
        "size_bytes",
        "top_level",
        "top_names",
        "tree",
    )

    def __init__(self, actions: Sequence[Action], nodes: Iterable[Node], *, is_legacy: bool = False) -> None:
        """`nodes` are all nodes of the actions, children before parents."""
        operands = _compile_operands(nodes)
        self.is_legacy = is_legacy
        """Whether it came as AttributeUpdates."""
        self.changes: tuple[tuple[tuple[Any, ...], _Change], ...] = tuple(
            (action.path, _compile_action(action, operands, is_legacy)) for action in actions
        )
        self.paths = tuple(action.path for action in actions)
        """The path of each action, in order of the text."""
        self.top_names = frozenset(str(path[0]) for path in self.paths)
        """Names of the top-level attributes that it touches."""
        self.top_level: list[tuple[Any, _Change]] | None = None
        if all(len(path) == 1 for path in self.paths):
            self.top_level = [(path[0], change) for path, change in self.changes]
        self.tree = branches(self.paths)
        self.remaining = branches(action.path for action in actions if not isinstance(action, Remove))
        clearing = sum(isinstance(action, Remove) for action in actions)
        self.size_bytes = 3 + 19 * (len(actions) - clearing) + 2 * clearing
        """What the update itself counts beside the item that it makes: SET, ADD, DELETE more than REMOVE."""
        self.creates = not actions or any(
            isinstance(action, Set | Add) or len(action.path) > 1 for action in actions
        )
        """Whether there is anything to apply where there is no item (fact 8.25).

        What only takes away does nothing there, unless its path is nested: then `apply` raises.
        """


class Update:
    """An update with the values of one request."""

    __slots__ = ("plan", "values")

    def __init__(self, plan: CompiledUpdate, values: Values) -> None:
        self.plan = plan
        self.values = values

    def apply(self, item: Item) -> Item:
        """The item after the update; shares what is unchanged with `item`, which stays as it is.

        Every right side sees `item` as it is given (fact 8.1). Raises ValidationException by 8.2–8.15
        and 8.23; does not look at the size and depth of what comes out.
        """
        compiled, values = self.plan, self.values
        if compiled.top_level is not None:
            updated = item.copy()
            for name, change in compiled.top_level:
                result = change(values, item)
                if result is _NOTHING:
                    updated.pop(name, None)
                elif result is not _UNCHANGED:
                    updated[name] = result
            return updated
        results = {path: change(values, item) for path, change in compiled.changes}
        return _of_map(item, compiled.tree, results, ())

    def touched(self, item: Item) -> Item:
        """The fragments of `item` at `paths`: UPDATED_OLD, given the item as it was (facts 9.5–9.8)."""
        return fragment(item, self.plan.tree)

    def touched_after(self, item: Item) -> Item:
        """UPDATED_NEW, given the updated item: as `touched`, without the paths of REMOVE (fact 9.6)."""
        return fragment(item, self.plan.remaining)


def _of_map(
    attributes: dict[str, AttributeValue], tree: Branches, results: dict[Path, Any], at: Path
) -> dict[str, AttributeValue]:
    updated = dict(attributes)
    for element, below in tree.items():
        name: Any = element
        path = (*at, element)
        if below is not None:
            updated[name] = _of_value(attributes.get(name), below, results, path)
            continue
        result = results[path]
        if result is _NOTHING:
            updated.pop(name, None)
        elif result is not _UNCHANGED:
            updated[name] = result
    return updated


def _of_list(
    elements: list[AttributeValue], tree: Branches, results: dict[Path, Any], at: Path
) -> list[AttributeValue]:
    """Indexes mean the list as it was; they ascend, so that what lies past the end is appended in order."""
    updated: list[Any] = list(elements)
    for element, below in tree.items():
        index: Any = element
        path = (*at, element)
        if below is not None:
            if index >= len(elements):
                raise errors.invalid_update_path()
            updated[index] = _of_value(elements[index], below, results, path)
            continue
        result = results[path]
        if result is _UNCHANGED:
            continue
        if index < len(elements):
            updated[index] = result
        elif result is not _NOTHING:
            updated.append(result)
    return [element for element in updated if element is not _NOTHING]


def _of_value(
    value: AttributeValue | None, tree: Branches, results: dict[Path, Any], at: Path
) -> AttributeValue:
    kind = "M" if isinstance(next(iter(tree)), str) else "L"
    if value is None or kind not in value:
        raise errors.invalid_update_path()
    if kind == "M":
        return {"M": _of_map(value["M"], tree, results, at)}
    return {"L": _of_list(value["L"], tree, results, at)}


def _compile_operands(nodes: Iterable[Node]) -> dict[int, Evaluate]:
    operands: dict[int, Evaluate] = {}
    for node in nodes:
        match node:
            case Attribute(path):
                operands[id(node)] = attribute_at(path)
            case Value(placeholder):
                operands[id(node)] = value_of(placeholder)
            case Arithmetic(operator, left, right):
                operands[id(node)] = _sum(operator, operands[id(left)], operands[id(right)])
            case Call("if_not_exists", (first, second)):
                operands[id(node)] = _if_not_exists(operands[id(first)], operands[id(second)])
            case Call("list_append", (first, second)):
                operands[id(node)] = _list_append(operands[id(first)], operands[id(second)])
    return operands


def _sum(operator: str, left: Evaluate, right: Evaluate) -> Evaluate:
    combine = add_numbers if operator == "+" else subtract_numbers

    def total(values: Values, item: Item) -> AttributeValue:
        a = left(values, item)
        if a is None:
            raise errors.missing_attribute()
        b = right(values, item)
        if b is None:
            raise errors.missing_attribute()
        if "N" not in a or "N" not in b:
            raise errors.wrong_operand_in_item()
        return {"N": combine(a["N"], b["N"])}

    return total


def _if_not_exists(attribute: Evaluate, otherwise: Evaluate) -> Evaluate:
    def existing_or(values: Values, item: Item) -> AttributeValue | None:
        found = attribute(values, item)
        return otherwise(values, item) if found is None else found

    return existing_or


def _list_append(first: Evaluate, second: Evaluate) -> Evaluate:
    def joined(values: Values, item: Item) -> AttributeValue:
        a, b = _required(first, values, item), _required(second, values, item)
        if "L" not in a or "L" not in b:
            raise errors.wrong_operand_in_item()
        return {"L": a["L"] + b["L"]}

    return joined


def _required(operand: Evaluate, values: Values, item: Item) -> AttributeValue:
    value = operand(values, item)
    if value is None:
        raise errors.missing_attribute()
    return value


def _compile_action(action: Action, operands: Mapping[int, Evaluate], is_legacy: bool) -> _Change:
    mismatch = legacy.type_mismatch if is_legacy else errors.wrong_operand_in_item
    match action:
        case Set(_, operand):
            evaluate = operands[id(operand)]
            return evaluate if isinstance(operand, Value | Arithmetic) else _set(evaluate)
        case Remove():
            return lambda values, item: _NOTHING
        case Add(path, value):
            return _add(path, value.placeholder, mismatch)
        case Delete(path, value):
            return _delete(path, value.placeholder, mismatch)


def _set(operand: Evaluate) -> _Change:
    return lambda values, item: _required(operand, values, item)


def _add(path: Path, placeholder: str, mismatch: Callable[[], ValidationException]) -> _Change:
    def add(values: Values, item: Item) -> Any:
        added = values[placeholder]
        current = find(item, path)
        if current is None:
            return added
        ((type_, more),) = added.items()
        if type_ not in current:
            raise mismatch()
        if type_ == "N":
            return {"N": add_numbers(current["N"], more)}
        if type_ == "L":
            return {"L": current["L"] + more}
        return {type_: list(dict.fromkeys(current[type_] + more))}

    return add


def _delete(path: Path, placeholder: str, mismatch: Callable[[], ValidationException]) -> _Change:
    def delete(values: Values, item: Item) -> Any:
        ((type_, members),) = values[placeholder].items()
        current = find(item, path)
        if current is None:
            return _UNCHANGED
        if type_ not in current:
            raise mismatch()
        removed = set(members)
        kept = [member for member in current[type_] if member not in removed]
        return {type_: kept} if kept else _NOTHING

    return delete
