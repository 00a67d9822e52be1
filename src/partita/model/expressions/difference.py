"""The difference between two items as updates: only what changed is sent, and only its paths are touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from partita.model.errors import ExpressionError
from partita.model.expressions.conditions import MOST_LEVELS, DocumentPath, Value
from partita.model.expressions.rendering import MOST_BYTES, Placeholders, update_text
from partita.model.expressions.updates import Append, Remove, SetTo, Update
from partita.model.schema import AttributeValue, EntitySchema, Item
from partita.model.values.attribute_values import require_item, same_value, shortened

_SPARE_BYTES = 512
"""What placeholders may grow by where other expressions of the request number theirs first."""


def difference(schema: EntitySchema, old: Item, new: Item) -> list[Update]:
    """The updates that make `new` of the stored `old`, ordered by attribute name; none where they are equal.

    A map that both have is changed entry by entry, a list of the same length element by element; a list that
    only grew is appended to; everything else that differs is set as a whole, and what `new` lacks is removed.
    Numbers and sets are compared by value. Where the expression would be too long, the attributes with the
    most changes inside are set as a whole. Raises ExpressionError if the primary key differs, or if so many
    attributes differ that only a put can store them.
    """
    try:
        return _difference(schema, old, new)
    except (AttributeError, LookupError, TypeError, ValueError):
        # Looked at only now, so that items cost nothing more: theirs are right.
        if not isinstance(schema, EntitySchema):
            given = shortened(schema)
            raise TypeError(f"the difference is that of a schema, Order.__schema__, not {given}") from None
        require_item(old, "an item")
        require_item(new, "an item")
        raise


def _difference(schema: EntitySchema, old: Item, new: Item) -> list[Update]:
    table = schema.table
    for key in filter(None, (table.partition, table.sort)):
        if old.get(key.name) != new.get(key.name):
            raise ExpressionError(
                f"{schema.cls.__name__}: {key.name} differs, and a primary key cannot change; delete "
                "the entity and create another"
            )
    updates = list(_of_map((), old, new))
    while _is_too_long(updates):
        inside = Counter(str(update.path[0]) for update in updates if len(update.path) > 1)
        if not inside:
            raise ExpressionError(
                f"{schema.cls.__name__}: {len(updates)} attributes differ, more than an update can hold"
            )
        largest = max(sorted(inside), key=inside.__getitem__)
        position = next(n for n, update in enumerate(updates) if update.path[0] == largest)
        updates = [update for update in updates if update.path[0] != largest]
        updates.insert(position, SetTo((largest,), Value(new[largest])))
    return updates


def _of_map(
    at: DocumentPath, old: Mapping[str, AttributeValue], new: Mapping[str, AttributeValue]
) -> Iterator[Update]:
    for name in sorted(old.keys() | new.keys()):
        path = (*at, name)
        if name not in new:
            yield Remove(path)
        elif name not in old:
            yield SetTo(path, Value(new[name]))
        else:
            yield from _of_value(path, old[name], new[name])


def _of_value(path: DocumentPath, old: AttributeValue, new: AttributeValue) -> Iterator[Update]:
    if same_value(old, new):
        return
    can_step = len(path) < MOST_LEVELS
    if "M" in old and "M" in new and can_step:
        yield from _of_map(path, old["M"], new["M"])
    elif "L" in old and "L" in new and can_step and len(old["L"]) == len(new["L"]):
        for index, (before, after) in enumerate(zip(old["L"], new["L"], strict=True)):
            yield from _of_value((*path, index), before, after)
    elif "L" in old and "L" in new and _begins_with(new["L"], old["L"]):
        yield Append(path, {"L": new["L"][len(old["L"]) :]}, creates=False)
    else:
        yield SetTo(path, Value(new))


def _begins_with(elements: Sequence[AttributeValue], start: Sequence[AttributeValue]) -> bool:
    return len(start) < len(elements) and all(map(same_value, start, elements))


def _is_too_long(updates: list[Update]) -> bool:
    return len(update_text(updates, Placeholders()).encode()) > MOST_BYTES - _SPARE_BYTES
