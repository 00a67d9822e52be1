"""Errors of which table it is, of tags and of time to live (docs/behaviours.md, sections 2, 15, 19, 20)."""

from __future__ import annotations

from partita.errors.base import (
    INVALID,
    AccessDeniedException,
    DynamoDBError,
    LimitExceededException,
    ResourceInUseException,
    ResourceNotFoundException,
    ValidationException,
)
from partita.errors.requests import constraints, failure, like


class TableNotFoundException(DynamoDBError):
    """What the backup operations say of a missing table."""


class NotAuthorizedForTable(AccessDeniedException):
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


# -- which table
def not_found() -> ResourceNotFoundException:
    return ResourceNotFoundException("Requested resource not found")


def table_not_found(name: str) -> ResourceNotFoundException:
    return ResourceNotFoundException(f"Requested resource not found: Table: {name} not found")


def backup_table_not_found(name: str) -> TableNotFoundException:
    return TableNotFoundException(f"Table not found: {name}")


def resource_arn_not_found(arn: str) -> ResourceNotFoundException:
    return ResourceNotFoundException(f"Requested resource not found: ResourcArn: {arn} not found")


def no_policy(caller: str, arn: str) -> AccessDeniedException:
    """`arn` is a table of an account that has not let `caller` in."""
    return NotAuthorizedForTable(caller, arn)


def other_account() -> AccessDeniedException:
    """Fact 15.40, of operations on tables themselves."""
    return AccessDeniedException("Access is denied")


def wrong_part_of_arn(part: str, arn: str) -> ValidationException:
    """Fact 15.40. `part` is what of the ARN is not of here, e.g. `AWS region`."""
    return constraints([f"Invalid {part} in '{arn}'"])


def table_exists(name: str) -> ResourceInUseException:
    return ResourceInUseException(f"Table already exists: {name}")


_BEING = {"CREATING": "created", "UPDATING": "updated", "DELETING": "deleted"}


def table_in_use(name: str, status: str) -> ResourceInUseException:
    return _in_use(f"Table is being {_BEING[status]}: {name}")


def _in_use(text: str) -> ResourceInUseException:
    return ResourceInUseException(f"Attempt to change a resource which is still in use: {text}")


def index_in_use(table: str, index: str, status: str) -> ResourceInUseException:
    return _in_use(f"Index is being {_BEING[status]}.  Table: {table} Index: {index}")


def index_not_backfilling(table: str, index: str) -> ResourceInUseException:
    return _in_use(f"Index is being created but is not backfilling yet.  Table: {table} Index: {index}")


def index_in_allocation(table: str, index: str) -> ResourceInUseException:
    return _in_use(
        "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the"
        f" index is active. Table: {table} Index: {index}"
    )


def indexes_in_use() -> ResourceInUseException:
    return _in_use("Cannot delete table while indexes are being created, updated, or deleted.")


def table_being_updated(table: str) -> ResourceInUseException:
    """What DeleteTable says."""
    return _in_use(f"Table: {table} is in the process of being updated.")


def throughput_in_use(table: str) -> ResourceInUseException:
    return _in_use(f"Table IOPS are currently being updated. Table: {table}")


def blocked_by_throughput(table: str, change: str) -> ResourceInUseException:
    """`change` is what cannot be done meanwhile, e.g. `create or delete indexes`."""
    return _in_use(f"Can't {change} while table IOPS are being updated. Table: {table}")


def blocked_by_index(table: str, index: str, status: str, change: str) -> ResourceInUseException:
    """`change` as above, e.g. `change table IOPS`."""
    return _in_use(
        f"Can't {change} when an index is being {_BEING[status]}. Table: {table} Indexes: [{index}]"
    )


def limits_blocked_by_index(index: str, status: str) -> ResourceInUseException:
    action = "creation" if status == "CREATING" else "deletion"
    return _in_use(
        f"OnDemandThroughput cannot be updated while index {action} is in progress for indexes: [{index}]"
    )


def blocked_by_class(table: str, table_class: str, change: str) -> ResourceInUseException:
    """The table's class is becoming `table_class`; `change` as above, e.g. `update table class`."""
    return _in_use(
        f"Can't {change} when a table class update is in progress. Table: {table}"
        f" TableClassUpdateInProgress: {table_class}"
    )


def limits_blocked_by_class(table_class: str) -> ResourceInUseException:
    return _in_use(
        "OnDemandThroughput cannot be updated while TableClass update is in progress."
        f" TableClassUpdateInProgress: {table_class}"
    )


def limits_blocked_by_billing() -> ResourceInUseException:
    return _in_use("OnDemandThroughput cannot be updated while BillingMode update is in progress")


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


def bad_table_name(name: str) -> ValidationException:
    return constraints([failure(name, "tableName", like("[a-zA-Z0-9_.-]+"))])


# -- tags
def no_tags() -> ValidationException:
    return ValidationException("Atleast one Tag needs to be provided as Input.")


def no_tag_keys() -> ValidationException:
    return ValidationException("Atleast one Tag Key needs to be provided as Input.")


def too_many_tags() -> ValidationException:
    return ValidationException("Number of Tags exceed the current limit for the provided ResourceArn")


def reserved_tag_key(key: str) -> ValidationException:
    return ValidationException(f"Tag Key cannot be prefixed with aws:, Key: {key}")


def repeated_tag_key(key: str) -> ValidationException:
    return ValidationException(f"Duplicate Tag Keys provided as input: Duplicate Tag Key found {key}")


def invalid_tag_key(key: str) -> ValidationException:
    return ValidationException(f"The Tag Key provided is invalid, Key: {key}")


def invalid_tag_value(value: str) -> ValidationException:
    return ValidationException(f"The Tag Value provided is invalid, Value: {value}")


def not_an_arn(text: str) -> ValidationException:
    return ValidationException(f"{INVALID}ARNs must start with 'arn:': {text}")


def arn_of_other_service(arn: str) -> ValidationException:
    return ValidationException(f"{INVALID}Provided Arn is not a DynamoDB resource arn: {arn}")


def arn_of_other_region(arn: str) -> ValidationException:
    """Fact 20.12."""
    return ValidationException(f"Invalid TableArn: Invalid ResourceArn provided as input {arn}")


def arn_of_no_table(arn: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Invalid resource arn provided, only table or stream is accepted."
        f" Provided resource arn: {arn}"
    )


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
