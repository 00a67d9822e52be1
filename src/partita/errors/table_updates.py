"""Errors of UpdateTable (docs/behaviours.md, section 16)."""

from __future__ import annotations

from collections.abc import Collection

from partita.errors.base import (
    INVALID,
    LimitExceededException,
    ResourceNotFoundException,
    ThrottlingException,
    ValidationException,
)

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
    return ValidationException(f"{INVALID}{what} modification must be the only operation in the request")


def warm_throughput_must_be_alone() -> ValidationException:
    return ValidationException(f"{INVALID}WarmThroughput must be the only operation in the request")


def new_index_with_warm_throughput() -> ValidationException:
    return ValidationException(
        f"{INVALID}Create global secondary index cannot be specified when updating WarmThroughput"
    )


def no_index_updates() -> ValidationException:
    return ValidationException(f"{INVALID}List of GlobalSecondaryIndexUpdates is empty")


def index_with_stream_change() -> ValidationException:
    return ValidationException(f"{INVALID}You cannot create or delete index while changing stream status")


def stream_with_throughput_change() -> ValidationException:
    return ValidationException(f"{INVALID}You cannot modify stream status while updating table IOPS")


def index_with_throughput_change() -> ValidationException:
    return ValidationException(f"{INVALID}You cannot create or delete index while updating table IOPS")


def on_demand_with_other_change() -> ValidationException:
    return ValidationException(
        f"{INVALID}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"
    )


def no_index_action() -> ValidationException:
    return ValidationException(
        f"{INVALID}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create,"
        " GlobalSecondaryIndexUpdate.Delete must not be null"
    )


def several_index_actions() -> ValidationException:
    return ValidationException(
        f"{INVALID}Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"
    )


def several_updates_of_index(name: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Only one global secondary index update per index is allowed simultaneously. Index: {name}"
    )


def several_online_indexes() -> LimitExceededException:
    return LimitExceededException(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"
    )


def too_many_online_indexes() -> LimitExceededException:
    return LimitExceededException(
        "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20"
    )


def not_a_global_index(action: str, name: str) -> ValidationException:
    """`action` is `delete` or `update`."""
    return ValidationException(f"Cannot {action} an index that is not a GlobalSecondaryIndex: {name}")


def index_not_found(table: str, name: str) -> ResourceNotFoundException:
    return ResourceNotFoundException(f"Requested resource not found: Index {name} for table {table}")


def index_exists() -> ValidationException:
    return ValidationException("Attempting to create an index which already exists")


def index_definitions_missing(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}AttributeDefinitions is not specified for index: {name}")


def new_index_throughput_missing(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}ProvisionedThroughput must be specified for index: {name}")


def mode_throughput_missing() -> ValidationException:
    return ValidationException(
        f"{INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
    )


def mode_without_throughput() -> ValidationException:
    return ValidationException(
        f"{INVALID}ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST"
    )


def new_index_throughput_not_allowed(name: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {name} when"
        " BillingMode is PAY_PER_REQUEST"
    )


def index_update_not_allowed(name: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}The only Updates for index: {name} when TableThroughputMode is PAY_PER_REQUEST can be to"
        " OnDemandThroughput, WarmThroughput"
    )


def empty_warm_throughput(name: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond"
        f" specified for index: {name}"
    )


def throughput_unchanged(read: int, write: int, index: str | None = None) -> ValidationException:
    """`index` is the name of the index whose throughput it is."""
    what, its = ("the table", "the table") if index is None else (f"the index {index}", f"index {index}")
    return ValidationException(
        f"The provisioned throughput for {what} will not change. The requested value equals the current"
        f" value. Current ReadCapacityUnits provisioned for {its}: {read}. Requested ReadCapacityUnits:"
        f" {read}. Current WriteCapacityUnits provisioned for {its}: {write}. Requested"
        f" WriteCapacityUnits: {write}. Refer to the Amazon DynamoDB Developer Guide for current limits and"
        " how to request higher limits."
    )


def too_many_decreases(today: int, last: str, next_: str) -> LimitExceededException:
    """`last` and `next_` are times in words."""
    return LimitExceededException(
        "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day."
        " After the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most"
        f" once every 3600 seconds. Number of decreases today: {today}. Last decrease at {last}. Next"
        f" decrease can be made at {next_}"
    )


def too_many_class_changes(most: int, days: int) -> LimitExceededException:
    return LimitExceededException(
        f"Subscriber limit exceeded: Updates to TableClass are limited to {most} times in {days} day(s)."
    )


def protection_changed_too_soon(name: str, window_ms: int, until: str) -> ThrottlingException:
    return ThrottlingException(
        f"Deletion protection setting for table {name} modified within the previous {window_ms} milliseconds."
        f" Please try again after {until}"
    )


def encrypted_by_default() -> ValidationException:
    return ValidationException(f"{INVALID}Table is already encrypted by default")


def encrypted_with_key_already() -> ValidationException:
    return ValidationException(
        f"{INVALID}Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you"
        " want to change Master Key"
    )


def stream_enabled_already(name: str) -> ValidationException:
    return ValidationException(f"Table already has an enabled stream: TableName: {name}")


def no_stream_to_disable(name: str) -> ValidationException:
    return ValidationException(f"Table has no stream to disable: TableName: {name}")


def stream_without_view() -> ValidationException:
    return ValidationException(f"{INVALID}If stream is being enabled then UpdateViewType is required")


def disabled_stream_with_view() -> ValidationException:
    return ValidationException(
        f"{INVALID}If stream is being disabled, then UpdateViewType must not be specified"
    )
