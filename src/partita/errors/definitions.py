"""Errors of what a table is defined as: keys, indexes, throughput, settings (docs/behaviours.md, 15)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from partita.errors.base import INVALID, LimitExceededException, ValidationException
from partita.errors.requests import at_most, constraints, failure


def _listed(names: Iterable[str]) -> str:
    return "[" + ", ".join(names) + "]"


# -- key schemas and attribute definitions
def key_schema_too_long(elements: Sequence[tuple[str, str]], path: str) -> ValidationException:
    """`elements` are (attribute name, key type)."""
    dump = ", ".join(f"KeySchemaElement(attributeName={name}, keyType={kind})" for name, kind in elements)
    return constraints([failure(f"[{dump}]", path, at_most(2))])


def first_not_hash() -> ValidationException:
    return ValidationException("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")


def second_not_range() -> ValidationException:
    return ValidationException("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")


def hash_after_range() -> ValidationException:
    return ValidationException(
        f"{INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema"
    )


def too_many_key_attributes(kind: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}The KeySchema exceeds the maximum allowed number of {kind} key attributes"
    )


def repeated_key_attribute() -> ValidationException:
    return ValidationException("The KeySchema contains multiple key attributes with the same name")


def hash_is_range() -> ValidationException:
    return ValidationException(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name"
    )


def repeated_definition(name: str) -> ValidationException:
    return ValidationException(f"Attribute Name is duplicated: {name}")


def key_without_definition() -> ValidationException:
    return ValidationException("Invalid KeySchema: Some index key attribute have no definition")


def keys_not_defined(keys: Iterable[str], defined: Iterable[str]) -> ValidationException:
    return ValidationException(
        f"{INVALID}Some index key attributes are not defined in AttributeDefinitions."
        f" Keys: {_listed(keys)}, AttributeDefinitions: {_listed(defined)}"
    )


def definitions_do_not_match() -> ValidationException:
    return ValidationException(
        f"{INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in"
        " AttributeDefinitions"
    )


def definitions_not_used(defined: Iterable[str], used: Iterable[str]) -> ValidationException:
    return ValidationException(
        f"{INVALID}Some AttributeDefinitions are not used."
        f" AttributeDefinitions: {_listed(defined)}, keys used: {_listed(used)}"
    )


# -- indexes
def empty_index_list(parameter: str) -> ValidationException:
    return ValidationException(f"{INVALID}List of {parameter} is empty")


def duplicate_index(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}Duplicate index name: {name}")


def local_index_needs_range_key() -> ValidationException:
    return ValidationException(
        f"{INVALID}Table KeySchema does not have a range key, which is required when specifying a"
        " LocalSecondaryIndex"
    )


def index_without_range_key(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}Index KeySchema does not have a range key for index: {name}")


def other_leading_hash(name: str, index_hash: str, table_hash: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index:"
        f" {name}. index hash key: {index_hash}, table hash key: {table_hash}"
    )


def too_many_global_indexes() -> ValidationException:
    return ValidationException(f"{INVALID}GlobalSecondaryIndex count exceeds the per-table limit of 20")


def too_many_local_indexes() -> ValidationException:
    return ValidationException(f"{INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of 5")


def unknown_projection() -> ValidationException:
    return ValidationException(f"{INVALID}Unknown ProjectionType: null")


def attributes_with_projection(kind: str) -> ValidationException:
    return ValidationException(f"{INVALID}ProjectionType is {kind}, but NonKeyAttributes is specified")


def include_without_attributes() -> ValidationException:
    return ValidationException(f"{INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified")


def repeated_attribute(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}Duplicate element in NonKeyAttributes: {name}")


def too_many_projected(limit: int) -> ValidationException:
    return ValidationException(
        f"{INVALID}The total number of NonKeyAttributes projected into all of the table's secondary indexes"
        f" exceeds the limit of {limit}"
    )


# -- throughput and billing
def throughput_missing() -> ValidationException:
    return ValidationException(
        f"{INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is"
        " PROVISIONED"
    )


def throughput_not_allowed() -> ValidationException:
    return ValidationException(
        f"{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is"
        " PAY_PER_REQUEST"
    )


def throughput_out_of_bounds(units: int, member: str, index: str | None = None) -> ValidationException:
    """`index` is the name of the index whose throughput it is."""
    of_index = "" if index is None else f" for index {index}"
    return ValidationException(f"Given value {units} for {member} is out of bounds{of_index}")


def index_throughput_missing(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}ProvisionedThroughput is not specified for index: {name}")


def index_throughput_not_allowed(name: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}ProvisionedThroughput should not be specified for index: {name} when BillingMode is"
        " PAY_PER_REQUEST"
    )


def on_demand_needs_mode(member: str, index: str | None, *, is_creation: bool) -> ValidationException:
    """CreateTable and UpdateTable differ in a blank before the index's name, an article and a full stop."""
    of_index = "" if index is None else f" for index{'' if is_creation else ' '}: {index}"
    end = "table BillingMode is PROVISIONED." if is_creation else "the table BillingMode is PROVISIONED"
    return ValidationException(
        f"{INVALID}{member} for OnDemandThroughput{of_index} cannot be specified when {end}"
    )


def on_demand_out_of_range(member: str, index: str | None) -> ValidationException:
    """`index` is the name of the index, None of the table."""
    return ValidationException(
        f"{INVALID}Requested {member} for OnDemandThroughput for {_limited(index)} is outside of valid range"
    )


def warm_throughput_decreased(member: str, index: str | None) -> ValidationException:
    return _low_warm_throughput(
        member, index, "current WarmThroughput, decreasing WarmThroughput is not supported"
    )


def warm_throughput_below_initial(member: str, index: str | None) -> ValidationException:
    page = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html"
    return _low_warm_throughput(
        member, index, f"initial throughput for OnDemand. See: {page}#on-demand-capacity-mode-initial"
    )


def warm_throughput_below_provisioned(member: str, index: str | None, units: str) -> ValidationException:
    """`units` is the member of ProvisionedThroughput."""
    return _low_warm_throughput(member, index, f"{units} of ProvisionedThroughput")


def _low_warm_throughput(member: str, index: str | None, least: str) -> ValidationException:
    what = "table" if index is None else f"index {index}"
    return ValidationException(
        f"{INVALID}Requested {member} for WarmThroughput for {what} is lower than {least}"
    )


def _limited(index: str | None) -> str:
    """As the service writes it of OnDemandThroughput."""
    return "table" if index is None else f"index : {index}"


# -- quotas of the account
_HIGHER = "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."


def throughput_above_maximum(
    member: str, units: int, index: str | None, region: str, most: int
) -> LimitExceededException:
    of_index, what = ("", "table") if index is None else (f" for index {index}", "index")
    return LimitExceededException(
        f"The requested {member}{of_index}, {units}, is above the per {what} maximum for the account in"
        f" {region}. Per table maximum: {most}. {_HIGHER}"
    )


def limit_above_maximum(
    member: str, parameter: str, index: str | None, quota: str, region: str
) -> LimitExceededException:
    """`parameter` is OnDemandThroughput or WarmThroughput, `quota` the account's limit that is exceeded."""
    what = _limited(index) if parameter == "OnDemandThroughput" or index is None else f"index {index}"
    return LimitExceededException(
        f"Subscriber limit exceeded: Requested {member} for {parameter} for {what} exceeds {quota} of the"
        f" account in region {region}"
    )


# -- other settings of a table
def unknown_table_class() -> ValidationException:
    return ValidationException(
        "Invalid table-class parameter provided. Please try again with a valid table-class value:"
        " [STANDARD, STANDARD_INFREQUENT_ACCESS]."
    )


def encryption_type_not_supported(kind: str) -> ValidationException:
    return ValidationException(f"{INVALID}SSEType {kind} is not supported")


def encryption_key_without_type() -> ValidationException:
    return ValidationException(f"{INVALID}SSEType KMS is required if KMSMasterKeyId is specified")


def not_encrypted_with(parameter: str) -> ValidationException:
    return ValidationException(f"{INVALID}{parameter} can not be specified if Enabled is false")


def created_with_stream_without_view() -> ValidationException:
    return ValidationException(
        f"{INVALID}Table is being created with a stream enabled, UpdateViewType is required"
    )


def created_without_stream_with_view() -> ValidationException:
    return ValidationException(
        f"{INVALID}Table is being created with a stream disabled, UpdateViewType should not be specified"
    )
