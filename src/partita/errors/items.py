"""Errors of keys, items, reads and transactions against a table (docs/behaviours.md, sections 5 and 8–14)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from partita.errors.base import (
    INVALID,
    ConditionalCheckFailedException,
    Family,
    IdempotentParameterMismatchException,
    ItemCollectionSizeLimitExceededException,
    TransactionCanceledException,
    TransactionConflictException,
    TransactionInProgressException,
    ValidationException,
)

KEY_SCHEMA_MISMATCH = "The provided key element does not match the schema"
CONDITION_FAILED = "The conditional request failed"
TRANSACTION_ONGOING = "Transaction is ongoing for the item"
COLLECTION_TOO_LARGE = "Collection size exceeded."

_NOT_VALID = "One or more parameter values are not valid. "
_EMPTY = {"S": "string", "B": "binary"}


# -- keys
def key_schema_mismatch() -> ValidationException:
    return ValidationException(KEY_SCHEMA_MISMATCH)


def missing_key(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}Missing the key {name} in the item")


def key_type_mismatch(name: str, expected: str, actual: str) -> ValidationException:
    return ValidationException(f"{INVALID}Type mismatch for key {name} expected: {expected} actual: {actual}")


def empty_key(name: str, kind: str) -> ValidationException:
    return ValidationException(
        f"{_NOT_VALID}The AttributeValue for a key attribute cannot contain an empty {_EMPTY[kind]} value."
        f" Key: {name}"
    )


def hash_key_too_long() -> ValidationException:
    return ValidationException(f"{INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes")


def range_key_too_long() -> ValidationException:
    return ValidationException(
        f"{INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
    )


def index_key_type_mismatch(index: str, name: str, expected: str, actual: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Type mismatch for Index Key {name} Expected: {expected} Actual: {actual}"
        f" IndexName: {index}"
    )


class EmptyIndexKey(ValidationException):
    """Refuses a transaction as a whole, where other faults of an index key cancel it (fact 13.22)."""

    @property
    def name(self) -> str:
        return "ValidationException"


def empty_index_key(index: str, name: str, kind: str) -> ValidationException:
    return EmptyIndexKey(
        f"{_NOT_VALID}A value specified for a secondary index key is not supported. The AttributeValue for a"
        f" key attribute cannot contain an empty {_EMPTY[kind]} value. IndexName: {index}, IndexKey: {name}"
    )


def index_key_too_long(index: str, name: str, actual_bytes: int, most_bytes: int) -> ValidationException:
    return ValidationException(
        f"{INVALID}Size limit exceeded for Index Key {name} Actual Size: {actual_bytes} bytes"
        f" Max Size: {most_bytes} bytes IndexName: {index}"
    )


class IndexKeyFaults(NamedTuple):
    """How a write words what is wrong with the value of an index key."""

    type_mismatch: Callable[[str, str, str, str], ValidationException]
    """Of index, attribute, expected and actual type."""
    empty: Callable[[str, str, str], ValidationException]
    """Of index, attribute and type."""
    too_long: Callable[[str, str, int, int], ValidationException]
    """Of index, attribute, actual and most bytes."""


IN_ITEM = IndexKeyFaults(index_key_type_mismatch, empty_index_key, index_key_too_long)


def _updated_index_key_type(index: str, name: str, expected: str, actual: str) -> ValidationException:
    return ValidationException(
        "The update expression attempted to update the secondary index key to unsupported type"
    )


def _updated_index_key_empty(index: str, name: str, kind: str) -> ValidationException:
    return EmptyIndexKey(
        f"{_NOT_VALID}The update expression attempted to update a secondary index key to a value that is not"
        f" supported. The AttributeValue for a key attribute cannot contain an empty {_EMPTY[kind]} value."
    )


def _updated_index_key_long(index: str, name: str, actual_bytes: int, most_bytes: int) -> ValidationException:
    return ValidationException(
        "The update expression attempted to update the secondary index key beyond allowed size limits"
    )


IN_UPDATE_EXPRESSION = IndexKeyFaults(
    _updated_index_key_type, _updated_index_key_empty, _updated_index_key_long
)
"""Fact 5.24: an UpdateExpression names neither index nor attribute."""


def update_of_key(name: str) -> ValidationException:
    return ValidationException(f"{INVALID}Cannot update attribute {name}. This attribute is part of the key")


def _path_into_key(key: str) -> ValidationException:
    return ValidationException(
        f"Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: {key}"
    )


def path_into_key(name: str) -> ValidationException:
    return _path_into_key(f"Key: {name}")


def path_into_index_key(name: str) -> ValidationException:
    return _path_into_key(f"IndexKey: {name}")


# -- items
def item_too_large() -> ValidationException:
    return ValidationException("Item size has exceeded the maximum allowed size")


def updated_item_too_large() -> ValidationException:
    return ValidationException("Item size to update has exceeded the maximum allowed size")


def updated_item_too_deep() -> ValidationException:
    return ValidationException("Nesting Levels have exceeded supported limits")


def return_values_not_allowed() -> ValidationException:
    return ValidationException("ReturnValues can only be ALL_OLD or NONE", Family.RETURN_VALUES)


def condition_failed(item: Any | None) -> ConditionalCheckFailedException:
    """`item` is the stored item where the request asked for it."""
    if item is None:
        return ConditionalCheckFailedException(CONDITION_FAILED)
    return ConditionalCheckFailedException(CONDITION_FAILED, Item=item)


def collection_too_large() -> ItemCollectionSizeLimitExceededException:
    return ItemCollectionSizeLimitExceededException(COLLECTION_TOO_LARGE)


# -- reads
def missed_key_condition(name: str) -> ValidationException:
    return ValidationException(f"Query condition missed key schema element: {name}")


def key_condition_not_supported() -> ValidationException:
    return ValidationException("Query key condition not supported")


def condition_count() -> ValidationException:
    return ValidationException("Conditions can be of length 1 or 2 only")


def condition_type_mismatch() -> ValidationException:
    return ValidationException(f"{INVALID}Condition parameter type does not match schema type")


def hash_equality_required(name: str) -> ValidationException:
    return ValidationException(
        f"Query key condition not supported: every HASH key attribute requires an equality condition: {name}"
    )


def range_equality_required(name: str) -> ValidationException:
    return ValidationException(
        "Query key condition not supported: RANGE key attributes must be given in order, and every one"
        f" before the last requires an equality condition: {name}"
    )


def filter_on_key(name: str) -> ValidationException:
    return ValidationException(
        f"Filter Expression can only contain non-primary key attributes: Primary key attribute: {name}"
    )


def legacy_filter_on_key(name: str) -> ValidationException:
    return ValidationException(
        f"QueryFilter can only contain non-primary key attributes: Primary key attribute: {name}"
    )


def start_key_outside() -> ValidationException:
    return ValidationException(
        "The provided starting key is outside query boundaries based on provided conditions"
    )


def start_key_against_range() -> ValidationException:
    return ValidationException("The provided starting key does not match the range key predicate")


_INVALID_START = "The provided starting key is invalid"


def start_key_invalid() -> ValidationException:
    return ValidationException(_INVALID_START)


def start_key_invalid_because(fault: ValidationException) -> ValidationException:
    """`fault` is what is wrong with the key, or with a value in it."""
    older = None if fault.older is None else f"{_INVALID_START}: {fault.older}"
    return ValidationException(f"{_INVALID_START}: {fault.message}", older=older)


def start_key_of_other_segment(total: int, segment: int) -> ValidationException:
    return ValidationException(
        f"{_INVALID_START}: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment."
        f" TotalSegments: {total} Segment: {segment}"
    )


def unknown_index(name: str) -> ValidationException:
    return ValidationException(f"The table does not have the specified index: {name}")


def index_backfilling(name: str) -> ValidationException:
    return ValidationException(f"Cannot read from backfilling global secondary index: {name}")


def consistent_read_on_global_index() -> ValidationException:
    return ValidationException("Consistent reads are not supported on global secondary indexes")


def projected_without_index() -> ValidationException:
    return ValidationException(
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName", Family.SELECT
    )


def specific_without_projection() -> ValidationException:
    return ValidationException(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        Family.SELECT,
    )


def projection_with_select(parameter: str, select: str) -> ValidationException:
    chosen = "only the Count" if select == "COUNT" else select
    return ValidationException(f"Cannot specify the {parameter} when choosing to get {chosen}", Family.SELECT)


def all_attributes_on_index(name: str) -> ValidationException:
    return ValidationException(
        f"{INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index {name} because its"
        " projection type is not ALL"
    )


def attributes_not_projected(name: str, attributes: str) -> ValidationException:
    return ValidationException(f"{INVALID}Global secondary index {name} does not project {attributes}")


def total_segments_missing() -> ValidationException:
    return ValidationException(
        "The TotalSegments parameter is required but was not present in the request when Segment parameter"
        " is present"
    )


def segment_missing() -> ValidationException:
    return ValidationException(
        "The Segment parameter is required but was not present in the request when parameter TotalSegments"
        " is present"
    )


def segment_out_of_range(segment: int, total: int) -> ValidationException:
    return ValidationException(
        "The Segment parameter is zero-based and must be less than parameter TotalSegments:"
        f" Segment: {segment} is not less than TotalSegments: {total}"
    )


# -- batches and transactions
def duplicate_keys() -> ValidationException:
    return ValidationException("Provided list of item keys contains duplicates")


def write_request_shape() -> ValidationException:
    """Fact 12.12: the service answers a write request of no kind with the words of a value check."""
    return ValidationException(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported"
        " datatypes"
    )


def several_on_one_item() -> ValidationException:
    return ValidationException("Transaction request cannot include multiple operations on one item")


def empty_action() -> ValidationException:
    return ValidationException(
        "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
    )


def several_actions() -> ValidationException:
    return ValidationException("TransactItems can only contain one of Check, Put, Update or Delete")


def transaction_too_large() -> ValidationException:
    return ValidationException("Transaction request size has exceeded the maximum allowed size of 4 MB")


def transaction_items_too_large() -> ValidationException:
    return ValidationException("The aggregate size of the items in the transaction exceeded 4 MB")


def transaction_canceled(reasons: list[dict[str, Any]]) -> TransactionCanceledException:
    codes = ", ".join(str(reason["Code"]) for reason in reasons)
    return TransactionCanceledException(
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]",
        CancellationReasons=reasons,
    )


def transaction_conflict() -> TransactionConflictException:
    return TransactionConflictException(TRANSACTION_ONGOING)


def transaction_in_progress() -> TransactionInProgressException:
    return TransactionInProgressException("Transaction from previous request is still in progress")


def token_mismatch() -> IdempotentParameterMismatchException:
    return IdempotentParameterMismatchException(
        "The request uses the same client token as a previous, but non-identical request. Do not reuse a"
        " client token with different requests, unless the requests are identical"
    )
