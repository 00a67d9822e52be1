"""Error classes: what a client sees of each is its `__type`, status, message and extra members."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, ClassVar

_SERVICE = "com.amazonaws.dynamodb.v20120810#"
_CORAL_SERVICE = "com.amazon.coral.service#"
_CORAL_VALIDATE = "com.amazon.coral.validate#"

INVALID = "One or more parameter values were invalid: "
"""How many texts of all areas begin."""


class Family(Enum):
    """Groups of validation checks that an operation words alike (docs/behaviours.md, section 0)."""

    BARE = auto()
    """Never prefixed: checks against the schema or the stored item, key conditions, and so on."""
    NUMBER = auto()
    DUPLICATE_IN_SET = auto()
    EMPTY_SET = auto()
    NULL_FALSE = auto()
    NESTING = auto()
    ATTRIBUTE_VALUE_SHAPE = auto()
    NAME_SIZE = auto()
    EMPTY_EXPRESSION = auto()
    SYNTAX = auto()
    EXPRESSION_SIZE = auto()
    OPERATOR_COUNT = auto()
    PARENTHESES = auto()
    OPERANDS_NOT_DISTINCT = auto()
    LIST_INDEX = auto()
    RESERVED_WORD = auto()
    UNDEFINED_PLACEHOLDER = auto()
    FUNCTION = auto()
    UPDATE_PATHS = auto()
    PROJECTION_PATHS = auto()
    UNUSED_NAMES = auto()
    UNUSED_VALUES = auto()
    VALUES_WITHOUT_EXPRESSION = auto()
    NAMES_WITHOUT_EXPRESSION = auto()
    EMPTY_PLACEHOLDERS = auto()
    BAD_PLACEHOLDER = auto()
    MIXED_STYLES = auto()
    RETURN_VALUES = auto()
    SELECT = auto()


_ON_SINGLE_WRITES = frozenset(Family) - {Family.BARE, Family.ATTRIBUTE_VALUE_SHAPE, Family.SELECT}
PREFIXED: dict[str, frozenset[Family]] = {
    "PutItem": _ON_SINGLE_WRITES,
    "UpdateItem": _ON_SINGLE_WRITES,
    "DeleteItem": _ON_SINGLE_WRITES,
    "Query": frozenset({Family.SELECT}),
}
"""The families whose texts an operation begins with `1 validation error detected: `."""

OLDER_LAYER = frozenset({"Scan", "BatchWriteItem", "TransactWriteItems", "TransactGetItems"})
"""The operations that still use the older words of a check, where the two differ."""


class DynamoDBError(Exception):
    """An answer of the API that is an error. `members` are sent beside the message."""

    namespace: ClassVar[str] = _SERVICE
    status: ClassVar[int] = 400
    message_key: ClassVar[str] = "message"

    def __init__(self, message: str | None = None, **members: Any) -> None:
        super().__init__(message)
        self.message = message
        self.members = members

    @property
    def name(self) -> str:
        return type(self).__name__

    def words(self, operation: str) -> str | None:
        """The message as `operation` words it."""
        return self.message

    def body(self, operation: str = "") -> dict[str, Any]:
        """The JSON body; `operation` is the API name, e.g. `PutItem`."""
        body: dict[str, Any] = {"__type": self.namespace + self.name}
        message = self.words(operation)
        if message is not None:
            body[self.message_key] = message
        body.update(self.members)
        return body


class ValidationException(DynamoDBError):
    """A request that is wrong in itself, or against the table's schema or the stored item.

    `older` is the text for operations of the older layer, where it differs. `placeholder`, set by
    `for_placeholder`, names the expression value in which a value check failed.
    """

    namespace = _CORAL_VALIDATE

    def __init__(self, message: str, family: Family = Family.BARE, older: str | None = None) -> None:
        super().__init__(message)
        self.family = family
        self.older = older
        self.placeholder: str | None = None

    def for_placeholder(self, placeholder: str) -> ValidationException:
        """Marks a failed value check as one of the expression value `placeholder` (fact 3.34)."""
        self.placeholder = placeholder
        return self

    def words(self, operation: str) -> str:
        text: str = self.message or ""
        if operation in OLDER_LAYER:
            if self.older is not None:
                text = self.older
            if self.placeholder is not None:
                text = f"ExpressionAttributeValues contains invalid value: {text} for key {self.placeholder}"
        elif self.family in PREFIXED.get(operation, ()):
            text = "1 validation error detected: " + text
        return text


class SerializationException(DynamoDBError):
    namespace = _CORAL_SERVICE


class UnknownOperationException(DynamoDBError):
    namespace = _CORAL_SERVICE


class MissingAuthenticationTokenException(DynamoDBError):
    namespace = _CORAL_SERVICE


class IncompleteSignatureException(DynamoDBError):
    namespace = _CORAL_SERVICE


class InvalidSignatureException(DynamoDBError):
    namespace = _CORAL_SERVICE


class UnrecognizedClientException(DynamoDBError):
    namespace = _CORAL_SERVICE


class AccessDeniedException(DynamoDBError):
    namespace = _CORAL_SERVICE
    message_key = "Message"


class InternalServerError(DynamoDBError):
    status = 500


class ConditionalCheckFailedException(DynamoDBError):
    """`Item` among the members is the item that failed the condition, in wire form."""


class ResourceNotFoundException(DynamoDBError):
    pass


class ResourceInUseException(DynamoDBError):
    pass


class LimitExceededException(DynamoDBError):
    pass


class ItemCollectionSizeLimitExceededException(DynamoDBError):
    pass


class ProvisionedThroughputExceededException(DynamoDBError):
    pass


class ThrottlingException(DynamoDBError):
    namespace = "com.amazon.coral.availability#"


class TransactionConflictException(DynamoDBError):
    pass


class TransactionCanceledException(DynamoDBError):
    """`CancellationReasons` among the members is aligned with the request's actions."""

    message_key = "Message"


class TransactionInProgressException(DynamoDBError):
    message_key = "Message"


class IdempotentParameterMismatchException(DynamoDBError):
    message_key = "Message"
