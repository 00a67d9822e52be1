"""Errors of table operations, tags and time to live (docs/behaviours.md, sections 2, 15-17, 19 and 20)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from partita.errors.base import (
    AccessDeniedException,
    DynamoDBError,
    LimitExceededException,
    ResourceInUseException,
    ResourceNotFoundException,
    ThrottlingException,
    ValidationException,
)

_INVALID = "One or more parameter values were invalid: "
_CONSTRAINT = "1 validation error detected: Value {value} at '{path}' failed to satisfy constraint: {rule}"


class TableNotFoundException(DynamoDBError):
    """What the backup operations say of a missing table."""


class _NotAuthorized(AccessDeniedException):
    """Names the operation, which only the boundary knows."""

    @property
    def name(self) -> str:
        return "AccessDeniedException"

    def words(self, operation: str) -> str:
        action = f"dynamodb:{operation}"
        return (
            f"User: arn:aws:iam::{self.caller}:root is not authorized to perform: {action} on resource: "
            f"{self.arn} because no resource-based policy allows the {action} action"
        )

    def __init__(self, caller: str, arn: str) -> None:
        super().__init__("not authorized")
        self.caller = caller
        self.arn = arn


def _listed(names: Iterable[str]) -> str:
    return "[" + ", ".join(names) + "]"


# -- which table
def not_found() -> ResourceNotFoundException:
    return ResourceNotFoundException("Requested resource not found")


def table_not_found(name: str) -> ResourceNotFoundException:
    return ResourceNotFoundException(f"Requested resource not found: Table: {name} not found")


def backup_table_not_found(name: str) -> TableNotFoundException:
    return TableNotFoundException(f"Table not found: {name}")


def resource_arn_not_found(arn: str) -> ResourceNotFoundException:
    return ResourceNotFoundException(f"Requested resource not found: ResourcArn: {arn} not found")


def other_account(caller: str, arn: str) -> AccessDeniedException:
    """`arn` is a table of an account that has not let `caller` in."""
    return _NotAuthorized(caller, arn)


def table_exists(name: str) -> ResourceInUseException:
    return ResourceInUseException(f"Table already exists: {name}")


_BEING = {"CREATING": "created", "UPDATING": "updated", "DELETING": "deleted"}


def table_in_use(name: str, status: str) -> ResourceInUseException:
    return ResourceInUseException(
        f"Attempt to change a resource which is still in use: Table is being {_BEING[status]}: {name}"
    )


def index_in_use(table: str, index: str, status: str) -> ResourceInUseException:
    return ResourceInUseException(
        f"Attempt to change a resource which is still in use: Index is being {_BEING[status]}."
        f"  Table: {table} Index: {index}"
    )


def too_many_tables(limit: int) -> LimitExceededException:
    return LimitExceededException(
        f"Subscriber limit exceeded: There is a limit of {limit} tables per subscriber"
    )


def too_many_changing(limit: int) -> LimitExceededException:
    return LimitExceededException(
        f"Subscriber limit exceeded: Only {limit} tables can be created, updated, or deleted simultaneously"
    )


def protected() -> ValidationException:
    return ValidationException(
        "Resource cannot be deleted as it is currently protected against deletion."
        " Disable deletion protection first."
    )


# -- key schemas and attribute definitions
def bad_table_name(name: str) -> ValidationException:
    rule = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
    return ValidationException(_CONSTRAINT.format(value=f"'{name}'", path="tableName", rule=rule))


def key_schema_too_long(elements: Sequence[tuple[str, str]], path: str) -> ValidationException:
    """`elements` are (attribute name, key type)."""
    dump = ", ".join(f"KeySchemaElement(attributeName={name}, keyType={kind})" for name, kind in elements)
    rule = "Member must have length less than or equal to 2"
    return ValidationException(_CONSTRAINT.format(value=f"'[{dump}]'", path=path, rule=rule))


def first_not_hash() -> ValidationException:
    return ValidationException("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")


def second_not_range() -> ValidationException:
    return ValidationException("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")


def hash_after_range() -> ValidationException:
    return ValidationException("Invalid KeySchema: All HASH KeySchemaElements must precede the RANGE ones")


def too_many_key_attributes(kind: str) -> ValidationException:
    return ValidationException(
        f"{_INVALID}The KeySchema exceeds the maximum allowed number of {kind} key attributes"
    )


def repeated_key_attribute() -> ValidationException:
    return ValidationException("The KeySchema contains multiple key attributes with the same name")


def hash_is_range() -> ValidationException:
    return ValidationException(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name"
    )


def key_without_definition() -> ValidationException:
    return ValidationException("Invalid KeySchema: Some index key attribute have no definition")


def keys_not_defined(keys: Iterable[str], defined: Iterable[str]) -> ValidationException:
    return ValidationException(
        f"{_INVALID}Some index key attributes are not defined in AttributeDefinitions."
        f" Keys: {_listed(keys)}, AttributeDefinitions: {_listed(defined)}"
    )


def definitions_do_not_match() -> ValidationException:
    return ValidationException(
        f"{_INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in"
        " AttributeDefinitions"
    )


def definitions_not_used(defined: Iterable[str], used: Iterable[str]) -> ValidationException:
    return ValidationException(
        f"{_INVALID}Some AttributeDefinitions are not used."
        f" AttributeDefinitions: {_listed(defined)}, keys used: {_listed(used)}"
    )


# -- indexes
def empty_index_list(parameter: str) -> ValidationException:
    return ValidationException(f"{_INVALID}List of {parameter} is empty")


def duplicate_index(name: str) -> ValidationException:
    return ValidationException(f"{_INVALID}Duplicate index name: {name}")


def local_index_needs_range_key() -> ValidationException:
    return ValidationException(
        f"{_INVALID}Table KeySchema does not have a range key, which is required when specifying a"
        " LocalSecondaryIndex"
    )


def index_without_range_key(name: str) -> ValidationException:
    return ValidationException(f"{_INVALID}Index KeySchema does not have a range key for index: {name}")


def other_leading_hash(name: str, index_hash: str, table_hash: str) -> ValidationException:
    return ValidationException(
        f"{_INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index:"
        f" {name}. index hash key: {index_hash}, table hash key: {table_hash}"
    )


def too_many_global_indexes() -> ValidationException:
    return ValidationException(f"{_INVALID}GlobalSecondaryIndex count exceeds the per-table limit of 20")


def too_many_local_indexes() -> ValidationException:
    return ValidationException(f"{_INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of 5")


def unknown_projection() -> ValidationException:
    return ValidationException(f"{_INVALID}Unknown ProjectionType: null")


def attributes_with_projection(kind: str) -> ValidationException:
    return ValidationException(f"{_INVALID}ProjectionType is {kind}, but NonKeyAttributes is specified")


def include_without_attributes() -> ValidationException:
    return ValidationException(f"{_INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified")


def too_many_projected(limit: int) -> ValidationException:
    return ValidationException(
        f"{_INVALID}The total number of NonKeyAttributes projected into all of the table's secondary indexes"
        f" exceeds the limit of {limit}"
    )


# -- throughput and billing
def throughput_missing() -> ValidationException:
    return ValidationException(
        f"{_INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is"
        " PROVISIONED"
    )


def throughput_not_allowed() -> ValidationException:
    return ValidationException(
        f"{_INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is"
        " PAY_PER_REQUEST"
    )


def throughput_out_of_bounds(units: int, member: str) -> ValidationException:
    return ValidationException(f"Given value {units} for {member} is out of bounds")


def index_throughput_missing(name: str) -> ValidationException:
    return ValidationException(f"{_INVALID}ProvisionedThroughput is not specified for index: {name}")


def index_throughput_not_allowed(name: str) -> ValidationException:
    return ValidationException(
        f"{_INVALID}ProvisionedThroughput should not be specified for index: {name} when BillingMode is"
        " PAY_PER_REQUEST"
    )


def on_demand_needs_mode(member: str, *, is_creation: bool) -> ValidationException:
    """CreateTable and UpdateTable differ in an article and a full stop."""
    end = "table BillingMode is PROVISIONED." if is_creation else "the table BillingMode is PROVISIONED"
    return ValidationException(f"{_INVALID}{member} for OnDemandThroughput cannot be specified when {end}")


def on_demand_out_of_range(member: str, what: str) -> ValidationException:
    """`what` is `table` or `index`."""
    return ValidationException(
        f"{_INVALID}Requested {member} for OnDemandThroughput for {what} is outside of valid range"
    )


def warm_throughput_decreased(member: str, what: str) -> ValidationException:
    return ValidationException(
        f"{_INVALID}Requested {member} for WarmThroughput for {what} is lower than current WarmThroughput,"
        " decreasing WarmThroughput is not supported"
    )


# -- other settings of a table
def unknown_table_class() -> ValidationException:
    return ValidationException(
        "Invalid table-class parameter provided. Please try again with a valid table-class value:"
        " [STANDARD, STANDARD_INFREQUENT_ACCESS]."
    )


def encryption_type_not_supported(kind: str) -> ValidationException:
    return ValidationException(f"{_INVALID}SSEType {kind} is not supported")


def encryption_key_without_type() -> ValidationException:
    return ValidationException(f"{_INVALID}SSEType KMS is required if KMSMasterKeyId is specified")


def created_with_stream_without_view() -> ValidationException:
    return ValidationException(
        f"{_INVALID}Table is being created with a stream enabled, UpdateViewType is required"
    )


def created_without_stream_with_view() -> ValidationException:
    return ValidationException(
        f"{_INVALID}Table is being created with a stream disabled, UpdateViewType should not be specified"
    )


# -- UpdateTable
_UPDATABLE = (
    "ProvisionedThroughput",
    "BillingMode",
    "UpdateStreamEnabled",
    "GlobalSecondaryIndexUpdates",
    "SSESpecification",
    "ReplicaUpdates",
    "MultiAccountReplicaReady",
    "ReplicaTransitRoleArn",
    "MultiRegionConsistency",
    "DeletionProtectionEnabled",
    "OnDemandThroughput",
    "WarmThroughput",
    "TableClass",
)


def nothing_to_update(given: Collection[str]) -> ValidationException:
    """`given` are parameters that are there but do not count by themselves; the text leaves them out."""
    names = [name for name in _UPDATABLE if name not in given]
    return ValidationException(f"At least one of {', '.join(names[:-1])} or {names[-1]} is required")


def must_be_alone(what: str) -> ValidationException:
    """`what` is the setting in words, e.g. `DeletionProtection`."""
    return ValidationException(f"{_INVALID}{what} modification must be the only operation in the request")


def index_with_stream_change() -> ValidationException:
    return ValidationException(f"{_INVALID}You cannot create or delete index while changing stream status")


def stream_with_throughput_change() -> ValidationException:
    return ValidationException(f"{_INVALID}You cannot modify stream status while updating table IOPS")


def index_with_throughput_change() -> ValidationException:
    return ValidationException(f"{_INVALID}You cannot create or delete index while updating table IOPS")


def on_demand_with_other_change() -> ValidationException:
    return ValidationException(
        f"{_INVALID}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"
    )


def no_index_action() -> ValidationException:
    return ValidationException(
        f"{_INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create,"
        " GlobalSecondaryIndexUpdate.Delete must not be null"
    )


def several_index_actions() -> ValidationException:
    return ValidationException(
        f"{_INVALID}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"
    )


def several_updates_of_index(name: str) -> ValidationException:
    return ValidationException(
        f"{_INVALID}Only one global secondary index update per index is allowed simultaneously. Index: {name}"
    )


def several_online_indexes() -> LimitExceededException:
    return LimitExceededException(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
    )


def too_many_online_indexes() -> LimitExceededException:
    return LimitExceededException(
        "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20"
    )


def not_a_global_index(name: str) -> ValidationException:
    return ValidationException(f"Cannot delete an index that is not a GlobalSecondaryIndex: {name}")


def index_exists() -> ValidationException:
    return ValidationException("Attempting to create an index which already exists")


def index_update_blocked() -> ValidationException:
    return ValidationException(
        "This operation cannot be performed with given input values. Please contact DynamoDB service team"
        " for more info: Action Blocked: IndexUpdate"
    )


def index_definitions_missing(name: str) -> ValidationException:
    return ValidationException(f"{_INVALID}AttributeDefinitions is not specified for index: {name}")


def new_index_throughput_missing(name: str) -> ValidationException:
    return ValidationException(f"{_INVALID}ProvisionedThroughput must be specified for index: {name}")


def mode_throughput_missing() -> ValidationException:
    return ValidationException(
        f"{_INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
    )


def throughput_unchanged(what: str, read: int, write: int) -> ValidationException:
    """`what` is `table` or `index X`."""
    return ValidationException(
        f"The provisioned throughput for the {what} will not change. The requested value equals the current"
        f" value. Current ReadCapacityUnits provisioned for the {what}: {read}. Requested ReadCapacityUnits:"
        f" {read}. Current WriteCapacityUnits provisioned for the {what}: {write}. Requested"
        f" WriteCapacityUnits: {write}. Refer to the Amazon DynamoDB Developer Guide for current limits and"
        " how to request higher limits."
    )


def protection_changed_too_soon(name: str, window_ms: int, until: str) -> ThrottlingException:
    return ThrottlingException(
        f"Deletion protection setting for table {name} modified within the previous {window_ms} milliseconds."
        f" Please try again after {until}"
    )


def encrypted_by_default() -> ValidationException:
    return ValidationException(f"{_INVALID}Table is already encrypted by default")


def stream_enabled_already(name: str) -> ValidationException:
    return ValidationException(f"Table already has an enabled stream: TableName: {name}")


def no_stream_to_disable(name: str) -> ValidationException:
    return ValidationException(f"Table has no stream to disable: TableName: {name}")


def stream_without_view() -> ValidationException:
    return ValidationException(f"{_INVALID}If stream is being enabled then UpdateViewType is required")


def disabled_stream_with_view() -> ValidationException:
    return ValidationException(
        f"{_INVALID}If stream is being disabled, then UpdateViewType must not be specified"
    )


# -- tags
def no_tags() -> ValidationException:
    return ValidationException("Atleast one Tag needs to be provided as Input.")


def no_tag_keys() -> ValidationException:
    return ValidationException("Atleast one Tag Key needs to be provided as Input.")


def too_many_tags() -> ValidationException:
    return ValidationException("Number of Tags exceed the current limit for the provided ResourceArn")


def invalid_tag_key(key: str) -> ValidationException:
    return ValidationException(f"The Tag Key provided is invalid, Key: {key}")


def invalid_tag_value(value: str) -> ValidationException:
    return ValidationException(f"The Tag Value provided is invalid, Value: {value}")


def not_an_arn(text: str) -> ValidationException:
    return ValidationException(f"{_INVALID}ARNs must start with 'arn:': {text}")


def arn_of_other_service(arn: str) -> ValidationException:
    return ValidationException(f"{_INVALID}Provided Arn is not a DynamoDB resource arn: {arn}")


def arn_of_no_table(arn: str) -> ValidationException:
    return ValidationException(
        f"{_INVALID}Invalid resource arn provided, only table or stream is accepted."
        f" Provided resource arn: {arn}"
    )


def invalid_next_token() -> ValidationException:
    return ValidationException(f"{_INVALID}The provided NextToken is invalid")


# -- time to live
def expiry_already(enabled: bool) -> ValidationException:
    return ValidationException(f"TimeToLive is already {'enabled' if enabled else 'disabled'}")


def expiry_on_other_attribute(name: str) -> ValidationException:
    return ValidationException(
        f"TimeToLive is active on a different AttributeName: current AttributeName is {name}"
    )


def expiry_changed_too_soon() -> ValidationException:
    return ValidationException("Time to live has been modified multiple times within a fixed interval")


def expiry_not_described(status: str) -> ValidationException:
    return ValidationException(
        f"Cannot describe time to live while table is in {status} state: Current table state is {status}"
    )
