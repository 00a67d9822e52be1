"""Errors of UpdateTable (docs/behaviours.md, section 16)."""

from __future__ import annotations

from collections.abc import Collection

from partita.errors.base import INVALID, LimitExceededException, ThrottlingException, ValidationException

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
    return ValidationException(f"{INVALID}AttributeDefinitions is not specified for index: {name}")


def new_index_throughput_missing(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}ProvisionedThroughput must be specified for index: {name}")


def mode_throughput_missing() -> ValidationException:
    return ValidationException(
        f"{INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
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
    return ValidationException(f"{INVALID}Table is already encrypted by default")


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
