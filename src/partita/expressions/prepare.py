"""What a request asks for in expressions or legacy parameters, checked, and compiled to be run on items."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from partita.attributes import MAX_LEVELS, AttributeValue, normalise, normalise_item
from partita.attributes.depth import FAR_TOO_DEEP_LEVELS
from partita.attributes.values import MAX_NAME_BYTES
from partita.errors import SerializationException, ValidationException
from partita.errors import expressions as errors
from partita.errors.values import name_too_large
from partita.expressions.cache import PlanCache
from partita.expressions.legacy import prepare_legacy
from partita.expressions.operands import Placeholders
from partita.expressions.plan import Plan, build_plan
from partita.expressions.prepared import NOTHING, Prepared
from partita.expressions.takes import KEY_CONDITION, KEY_CONDITIONS, PROJECTION, QUERY, Takes

_NAMES = "ExpressionAttributeNames"
_VALUES = "ExpressionAttributeValues"

_is_name_placeholder = re.compile(r"#[A-Za-z0-9_]+").fullmatch
_is_value_placeholder = re.compile(r":[A-Za-z0-9_]+").fullmatch

_MOST_KEY_BYTES = 255
_MOST_BYTES = 2 * 1024 * 1024
"""Of all names, or of all values, of a request (fact 23.3)."""

_plans = PlanCache()


def prepare(parameters: Mapping[str, Any], takes: Takes) -> Prepared:
    """Checks and compiles the expressions and legacy parameters of a request.

    `parameters` are those of the operation, or of one action of a transaction, or of one table of a
    BatchGetItem; their shapes have been checked, their attribute values have not. `takes` says which of
    them exist. Raises ValidationException by 2.27–2.41 and sections 6, 7, 8, 11 and 22 of
    docs/behaviours.md, and whatever `normalise` raises.
    """
    get = parameters.get
    names = get(_NAMES)
    given: Any = get(_VALUES) if takes.with_values else None
    key = (
        takes,
        *map(get, takes.expressions),
        None if names is None else tuple(names.items()),
        None if given is None else tuple(given),
    )
    plan = _plans.get(key)
    if plan is None or not takes.legacy_names.isdisjoint(parameters):
        return _prepare_anew(parameters, takes, key)
    if plan.without_values is not None:
        return plan.without_values
    values = _normal_values(given, takes)
    return plan.bind(values) if plan.accepts(values) else _prepare_anew(parameters, takes, key)


def check_earlier(parameters: Mapping[str, Any], takes: Takes, *given: Mapping[str, Any]) -> int:
    """Raises what the service finds before it reads expressions and legacy parameters (fact 2.46).

    For when `prepare` has found a fault. `given` are the keys, or the item, of the request; returns the bytes
    of them all.
    """
    _check_parameters(parameters, takes)
    return sum(normalise_item(values)[1] for values in given)


def check_before_start(parameters: Mapping[str, Any], takes: Takes) -> None:
    """Raises what Query and Scan find before they look at ExclusiveStartKey (fact 2.47).

    Like `check_earlier`, for when a fault has been found.
    """
    _check_parameters(parameters, takes)
    prepare_legacy({name: parameters.get(name) for name in takes.legacy if name != KEY_CONDITIONS})


def _normal_values(given: Mapping[str, Any], takes: Takes) -> dict[str, AttributeValue]:
    most_levels = FAR_TOO_DEEP_LEVELS - 1 if takes.is_action else MAX_LEVELS
    try:
        # All at once, which takes a third of the time; who is wrong is found out only if one is.
        normal, total = normalise_item(given, most_levels)
    except (ValidationException, SerializationException):
        return _normal_each(given, most_levels)
    return normal if total <= _MOST_BYTES else _normal_each(given, most_levels)


def _normal_each(given: Mapping[str, Any], most_levels: int) -> dict[str, AttributeValue]:
    values = {}
    total = 0
    for placeholder, value in given.items():
        try:
            values[placeholder], size = normalise(value, most_levels)
        except ValidationException as fault:
            raise fault.for_placeholder(placeholder) from None
        total += size
    if total > _MOST_BYTES:
        raise errors.placeholders_too_large(_VALUES)
    return values


def _prepare_anew(parameters: Mapping[str, Any], takes: Takes, key: tuple[Any, ...]) -> Prepared:
    _check_parameters(parameters, takes)
    legacy = {name: parameters.get(name) for name in takes.legacy if parameters.get(name) is not None}
    if takes is QUERY and parameters.get(KEY_CONDITION) is None and KEY_CONDITIONS not in legacy:
        prepare_legacy(legacy)
        raise errors.no_key_conditions()
    texts = {name: parameters[name] for name in takes.expressions if parameters.get(name) is not None}
    if not texts and legacy:
        return prepare_legacy(legacy)
    if not texts and takes.is_action:
        return NOTHING
    placeholders = _placeholders(parameters, takes)
    plan = build_plan(texts, placeholders)
    _check_all_used(plan, placeholders)
    prepared = plan.bind(placeholders.values)
    if legacy:
        # Only KeyConditions may stand beside expressions; what is wrong with those comes first (fact 2.47).
        prepared.key_conditions = prepare_legacy(legacy).key_conditions
        prepared.is_legacy = True
    else:
        _plans.put(key, plan)
    return prepared


def _check_parameters(parameters: Mapping[str, Any], takes: Takes) -> None:
    """Which parameters may stand together (facts 2.27–2.33)."""
    given = [name for name in takes.listed if parameters.get(name) is not None]
    legacy = [name for name in takes.legacy if parameters.get(name) is not None]
    if given and KEY_CONDITION not in given:
        legacy = [name for name in legacy if name != KEY_CONDITIONS]
    if given and legacy:
        raise errors.mixed_styles(legacy, given)
    if takes.is_action:
        return
    if parameters.get(_NAMES) is not None and not given:
        raise errors.names_without_expression()
    if takes.with_values and parameters.get(_VALUES) is not None and given in ([], [PROJECTION]):
        raise errors.values_without_expression(takes.with_values)


def _placeholders(parameters: Mapping[str, Any], takes: Takes) -> Placeholders:
    """The names and values that the request defines (facts 2.34, 2.35, 3.29, 3.30, 3.34, 23.3)."""
    names: Mapping[str, str] | None = parameters.get(_NAMES)
    if names is not None:
        _check_keys(_NAMES, names, _is_name_placeholder)
        _check_names(names)
    values = parameters.get(_VALUES) if takes.with_values else None
    if values is not None:
        _check_keys(_VALUES, values, _is_value_placeholder)
    return Placeholders(names or {}, _normal_values(values or {}, takes))


def _check_keys(parameter: str, given: Collection[str], is_well_formed: Callable[[str], object]) -> None:
    if not given:
        raise errors.empty_placeholders(parameter)
    for key in given:
        size = _size(key)
        if size > _MOST_KEY_BYTES:
            raise errors.placeholder_too_long(parameter, size)
        if not is_well_formed(key):
            raise errors.bad_placeholder(parameter, key)


def _check_names(names: Mapping[str, str]) -> None:
    total = 0
    for key, name in names.items():
        if not name:
            raise errors.empty_name(key)
        size = _size(name)
        if size > MAX_NAME_BYTES:
            raise name_too_large()
        total += size
    if total > _MOST_BYTES:
        raise errors.placeholders_too_large(_NAMES)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _check_all_used(plan: Plan, placeholders: Placeholders) -> None:
    """Facts 2.36–2.39."""
    unused = [placeholder for placeholder in placeholders.names if placeholder not in plan.used_names]
    if unused:
        raise errors.unused_names(unused)
    unused = [placeholder for placeholder in placeholders.values if placeholder not in plan.used_values]
    if unused:
        raise errors.unused_values(unused)
