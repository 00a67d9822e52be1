"""Checks of what a table is defined as, and the Table and Index objects made of checked definitions.

The order of checks is the service's as far as it is known: billing, keys of the table, local indexes,
global indexes, definitions that no key uses, then the other settings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from partita.engine.ids import uuid_of
from partita.engine.table import Index, KeyAttribute, KeyType, Scope, Table
from partita.errors import definitions as errors
from partita.errors import tables

MAX_GLOBAL_INDEXES: Final = 20
MAX_LOCAL_INDEXES: Final = 5
MAX_KEY_ATTRIBUTES: Final = 4
"""Of a global index, HASH and RANGE each (fact 17.1)."""
MAX_PROJECTED: Final = 100
"""NonKeyAttributes over all INCLUDE projections of a table (fact 15.36)."""
MAX_UNITS: Final = 1_000_000_000_000
MAX_TABLE_UNITS: Final = 40_000
"""Of reads, and of writes, for a table and for an index by itself: the default quota of an account."""
MAX_TAGS: Final = 50
ON_DEMAND_WARM: Final = {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 4_000}
"""What an on-demand table or index serves from the start."""
_PROVISIONED: Final = {
    "ReadUnitsPerSecond": "ReadCapacityUnits",
    "WriteUnitsPerSecond": "WriteCapacityUnits",
}

_TAG_CHARACTERS = re.compile(r"[\w\s.:/=+\-@]*")

Request = dict[str, Any]
Definitions = dict[str, KeyType]


# -- CreateTable
def check_table(request: Request) -> None:
    """Raises what is wrong with a CreateTable request, before any table is looked up."""
    is_on_demand = request.get("BillingMode") == "PAY_PER_REQUEST"
    _check_billing(request, is_on_demand)
    _check_not_repeated(_names(request["AttributeDefinitions"]))
    _check_table_keys(request["KeySchema"], _names(request["AttributeDefinitions"]))
    _check_definitions_used(request)
    _check_indexes(request, is_on_demand)
    check_stream_of_new_table(request.get("StreamSpecification"))
    check_encryption(request.get("SSESpecification"))
    check_table_class(request)
    check_on_demand(request, not is_on_demand, is_creation=True)
    check_new_warm(request)
    check_tags(request.get("Tags") or [])


def _check_billing(request: Request, is_on_demand: bool) -> None:
    throughput = request.get("ProvisionedThroughput")
    if is_on_demand and throughput:
        raise errors.throughput_not_allowed()
    if not is_on_demand and not throughput:
        raise errors.throughput_missing()
    check_units(throughput)


def check_units(throughput: Request | None, index: str | None = None) -> None:
    """Refuses more provisioned units than the service takes, of a table or of the index of that name."""
    for member in ("ReadCapacityUnits", "WriteCapacityUnits"):
        if throughput and throughput[member] > MAX_UNITS:
            raise errors.throughput_out_of_bounds(throughput[member], member, index)


def _check_not_repeated(defined: Sequence[str]) -> None:
    for position, name in enumerate(defined):
        if name in defined[:position]:
            raise errors.repeated_definition(name)


def _check_table_keys(key_schema: list[Request], defined: list[str]) -> None:
    names = _names(key_schema)
    _check_key_length(key_schema, "keySchema")
    if len(names) > len(defined):
        raise errors.key_without_definition()
    _check_defined(names, defined)
    _check_hash_and_range(key_schema)


def _check_key_length(key_schema: list[Request], path: str) -> None:
    """The model allows more elements, for global indexes; tables and local indexes have two at most."""
    if len(key_schema) > 2:
        raise errors.key_schema_too_long([(e["AttributeName"], e["KeyType"]) for e in key_schema], path)


def _check_defined(names: Sequence[str], defined: Sequence[str]) -> None:
    if not set(names) <= set(defined):
        raise errors.keys_not_defined(names, defined)


def _check_hash_and_range(key_schema: list[Request]) -> None:
    names = _names(key_schema)
    if len(set(names)) < len(names):
        raise errors.hash_is_range()
    if key_schema[0]["KeyType"] != "HASH":
        raise errors.first_not_hash()
    if len(key_schema) == 2 and key_schema[1]["KeyType"] != "RANGE":
        raise errors.second_not_range()


def _check_indexes(request: Request, is_on_demand: bool) -> None:
    local, global_ = request.get("LocalSecondaryIndexes"), request.get("GlobalSecondaryIndexes")
    defined = _names(request["AttributeDefinitions"])
    names: set[str] = set()
    if local is not None:
        _check_local_indexes(local, request["KeySchema"], names)
    if global_ is not None:
        if not global_:
            raise errors.empty_index_list("GlobalSecondaryIndexes")
        for index in global_:
            check_global_index(index, defined)
            _check_index_throughput(index, is_on_demand)
            _check_name(index["IndexName"], names)
        if len(global_) > MAX_GLOBAL_INDEXES:
            raise errors.too_many_global_indexes()
    check_projected([index.get("Projection") for index in (local or []) + (global_ or [])])


def _check_local_indexes(indexes: list[Request], table_keys: list[Request], names: set[str]) -> None:
    if not indexes:
        raise errors.empty_index_list("LocalSecondaryIndexes")
    if len(table_keys) < 2:
        raise errors.local_index_needs_range_key()
    for position, index in enumerate(indexes, 1):
        name, keys = index["IndexName"], index["KeySchema"]
        _check_key_length(keys, f"localSecondaryIndexes.{position}.member.keySchema")
        _check_hash_and_range(keys)
        if len(keys) < 2:
            raise errors.index_without_range_key(name)
        index_hash, table_hash = keys[0]["AttributeName"], table_keys[0]["AttributeName"]
        if index_hash != table_hash:
            raise errors.other_leading_hash(name, index_hash, table_hash)
        _check_projection(index["Projection"])
        _check_name(name, names)
    if len(indexes) > MAX_LOCAL_INDEXES:
        raise errors.too_many_local_indexes()


def check_global_index(index: Request, defined: Sequence[str]) -> None:
    """Checks the keys and the projection of a global index against the names that are defined."""
    key_schema = index["KeySchema"]
    names = _names(key_schema)
    _check_defined(names, defined)
    if len(set(names)) < len(names):
        raise errors.repeated_key_attribute()
    kinds = [element["KeyType"] for element in key_schema]
    if kinds[0] != "HASH":
        raise errors.first_not_hash()
    if "HASH" in kinds[kinds.count("HASH") :]:
        raise errors.hash_after_range()
    for kind in ("HASH", "RANGE"):
        if kinds.count(kind) > MAX_KEY_ATTRIBUTES:
            raise errors.too_many_key_attributes(kind)
    _check_projection(index["Projection"])


def _check_projection(projection: Request) -> None:
    kind = projection.get("ProjectionType")
    if kind is None:
        raise errors.unknown_projection()
    has_attributes = projection.get("NonKeyAttributes") is not None
    if kind != "INCLUDE" and has_attributes:
        raise errors.attributes_with_projection(kind)
    if kind == "INCLUDE" and not has_attributes:
        raise errors.include_without_attributes()
    attributes = projection.get("NonKeyAttributes") or []
    for position, name in enumerate(attributes):
        if name in attributes[:position]:
            raise errors.repeated_attribute(name)


def _check_index_throughput(index: Request, is_on_demand: bool) -> None:
    throughput = index.get("ProvisionedThroughput")
    if is_on_demand and throughput:
        raise errors.index_throughput_not_allowed(index["IndexName"])
    if not is_on_demand and not throughput:
        raise errors.index_throughput_missing(index["IndexName"])
    check_units(throughput, index["IndexName"])
    check_on_demand(index, not is_on_demand, is_creation=True, index=index["IndexName"])
    check_new_warm(index, index["IndexName"])


def _check_name(name: str, names: set[str]) -> None:
    if name in names:
        raise errors.duplicate_index(name)
    names.add(name)


def check_projected(projections: Sequence[Request | None]) -> None:
    """Checks the sum of NonKeyAttributes over a table's indexes."""
    if (
        sum(len((projection or {}).get("NonKeyAttributes") or ()) for projection in projections)
        > MAX_PROJECTED
    ):
        raise errors.too_many_projected(MAX_PROJECTED)


def _check_definitions_used(request: Request) -> None:
    """Fact 15.42: that a key is not defined, or a definition not used, comes before all else of an index."""
    defined = _names(request["AttributeDefinitions"])
    local, global_ = request.get("LocalSecondaryIndexes"), request.get("GlobalSecondaryIndexes")
    schemas = [_names(index["KeySchema"]) for index in (local or []) + (global_ or [])]
    for names in schemas:
        _check_defined(names, defined)
    used = list(dict.fromkeys(name for names in [_names(request["KeySchema"]), *schemas] for name in names))
    if not set(defined) <= set(used):
        raise errors.definitions_not_used(defined, used) if schemas else errors.definitions_do_not_match()


# -- settings, of CreateTable and UpdateTable
def check_stream_of_new_table(stream: Request | None) -> None:
    """Refuses a stream without a view, and a view without a stream."""
    if not stream:
        return
    view = stream.get("StreamViewType")
    if stream["StreamEnabled"] and view is None:
        raise errors.created_with_stream_without_view()
    if not stream["StreamEnabled"] and view is not None:
        raise errors.created_without_stream_with_view()


def check_encryption(encryption: Request | None) -> None:
    """Refuses encryption other than by KMS, a key without it, and either where it is to be off (16.31)."""
    if not encryption:
        return
    kind, key = encryption.get("SSEType"), encryption.get("KMSMasterKeyId")
    if encryption.get("Enabled") is False:
        for parameter in ("SSEType", "KMSMasterKeyId"):
            if encryption.get(parameter) is not None:
                raise errors.not_encrypted_with(parameter)
    if kind == "AES256":
        raise errors.encryption_type_not_supported(kind)
    if key is not None and kind is None:
        raise errors.encryption_key_without_type()


def asks_for_encryption(encryption: Request) -> bool:
    """Whether a key of KMS is to be used: an SSEType asks for it by itself (fact 16.31)."""
    is_enabled = encryption.get("Enabled")
    return encryption.get("SSEType") == "KMS" if is_enabled is None else bool(is_enabled)


def check_table_class(request: Request) -> None:
    """Refuses a TableClass that there is not: its text is not that of other enums (fact 15.32)."""
    if request.get("TableClass", "STANDARD") not in ("STANDARD", "STANDARD_INFREQUENT_ACCESS"):
        raise errors.unknown_table_class()


def check_on_demand(
    holder: Request, is_provisioned: bool, *, is_creation: bool, index: str | None = None
) -> None:
    """Checks `OnDemandThroughput` of a table or an index; -1 takes a limit away, in an update only."""
    for member, units in _given(holder, "OnDemandThroughput"):
        if is_provisioned:
            raise errors.on_demand_needs_mode(member, index, is_creation=is_creation)
        if units < 1 and (is_creation or units != -1):
            raise errors.on_demand_out_of_range(member, index)


def check_new_warm(holder: Request, index: str | None = None) -> None:
    """Checks that a new table or index is not to be warm for less than it serves by itself (fact 15.44)."""
    throughput = holder.get("ProvisionedThroughput")
    for member, units in _given(holder, "WarmThroughput"):
        if not throughput:
            if units < ON_DEMAND_WARM[member]:
                raise errors.warm_throughput_below_initial(member, index)
        elif units < throughput[_PROVISIONED[member]]:
            raise errors.warm_throughput_below_provisioned(member, index, _PROVISIONED[member])


def check_warm(holder: Request, current: dict[str, int], index: str | None = None) -> None:
    """Checks that `WarmThroughput` of a table or an index does not fall below what it is."""
    for member, units in _given(holder, "WarmThroughput"):
        if units < current[member]:
            raise errors.warm_throughput_decreased(member, index)


def check_quotas(holder: Request, region: str, index: str | None = None) -> None:
    """Refuses more throughput for a table or an index than an account has by default (fact 15.45)."""
    for member, units in _given(holder, "ProvisionedThroughput"):
        if units > MAX_TABLE_UNITS:
            raise errors.throughput_above_maximum(member, units, index, region, MAX_TABLE_UNITS)
    for parameter in ("OnDemandThroughput", "WarmThroughput"):
        for member, units in _given(holder, parameter):
            if units > MAX_TABLE_UNITS:
                kind = "Read" if "Read" in member else "Write"
                raise errors.limit_above_maximum(
                    member, parameter, index, f"TableMax{kind}CapacityUnits", region
                )


def _given(holder: Request, parameter: str) -> list[tuple[str, int]]:
    return sorted(
        (member, units) for member, units in (holder.get(parameter) or {}).items() if units is not None
    )


def check_tags(tags: Sequence[Request]) -> None:
    """Refuses characters that tags may not have, repeated keys, and over 50; lengths are checked before."""
    seen: set[str] = set()
    for tag in tags:
        key, value = tag["Key"], tag["Value"]
        check_tag_key(key)
        if not _TAG_CHARACTERS.fullmatch(key):
            raise tables.invalid_tag_key(key)
        if not _TAG_CHARACTERS.fullmatch(value):
            raise tables.invalid_tag_value(value)
        if key in seen:
            raise tables.repeated_tag_key(key)
        seen.add(key)
    if len(seen) > MAX_TAGS:
        raise tables.too_many_tags()


def check_tag_key(key: str) -> None:
    """Refuses a key that only AWS may set, whatever its case (fact 20.13)."""
    if key.lower().startswith("aws:"):
        raise tables.reserved_tag_key(key)


# -- made of checked definitions
def new_table(request: Request, name: str, scope: Scope, now_us: int, space: int) -> Table:
    """The table that a checked CreateTable request defines, without its indexes."""
    definitions = attribute_types(request["AttributeDefinitions"])
    keys = [KeyAttribute(name, definitions[name]) for name in _names(request["KeySchema"])]
    throughput = request.get("ProvisionedThroughput") or {}
    is_on_demand = request.get("BillingMode") == "PAY_PER_REQUEST"
    return Table(
        scope=scope,
        name=name,
        id=uuid_of(*scope, name, str(space), str(now_us)),
        space=space,
        hash=keys[0],
        range=keys[1] if len(keys) == 2 else None,
        attribute_definitions=tuple(KeyAttribute(*pair) for pair in definitions.items()),
        indexes={},
        created_us=now_us,
        status="CREATING",
        billing_mode="PAY_PER_REQUEST" if is_on_demand else "PROVISIONED",
        billing_shown=is_on_demand,
        on_demand_since_us=now_us if is_on_demand else None,
        read_units=throughput.get("ReadCapacityUnits", 0),
        write_units=throughput.get("WriteCapacityUnits", 0),
        deletion_protection=bool(request.get("DeletionProtectionEnabled")),
        tags={tag["Key"]: tag["Value"] for tag in request.get("Tags") or ()},
    )


def new_index(definition: Request, definitions: Definitions, space: int, *, is_global: bool) -> Index:
    """The index that a checked definition of CreateTable or UpdateTable describes, in status CREATING."""
    schema, projection = definition["KeySchema"], definition["Projection"]
    throughput = definition.get("ProvisionedThroughput") or {}
    settings = {
        name: {member: units for member, units in definition[name].items() if units is not None}
        for name in ("OnDemandThroughput", "WarmThroughput")
        if definition.get(name)
    }
    return Index(
        name=definition["IndexName"],
        space=space,
        is_global=is_global,
        hash=_of_kind(schema, "HASH", definitions),
        range=_of_kind(schema, "RANGE", definitions),
        projection=projection["ProjectionType"],
        non_key_attributes=tuple(projection.get("NonKeyAttributes") or ()),
        status="CREATING",
        read_units=throughput.get("ReadCapacityUnits", 0),
        write_units=throughput.get("WriteCapacityUnits", 0),
        settings=settings,
    )


def attribute_types(definitions: Sequence[Request]) -> Definitions:
    """AttributeDefinitions as a mapping from name to type."""
    return {definition["AttributeName"]: definition["AttributeType"] for definition in definitions}


def _of_kind(schema: list[Request], kind: str, definitions: Definitions) -> tuple[KeyAttribute, ...]:
    names = [element["AttributeName"] for element in schema if element["KeyType"] == kind]
    return tuple(KeyAttribute(name, definitions[name]) for name in names)


def _names(elements: Sequence[Request]) -> list[str]:
    return [element["AttributeName"] for element in elements]
