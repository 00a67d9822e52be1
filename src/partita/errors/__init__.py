"""The one catalogue of the errors that the API answers: name, status, namespace and words.

The words live beside this module, one file for each area (`errors.values`, `errors.expressions`, …):
functions that take the caller's own names and return the error to raise. This module holds what all
errors share: their classes, and the two things an operation decides about a text, namely the prefix
`1 validation error detected: ` and, for a few checks, an older wording (docs/behaviours.md, section 0).
"""

from partita.errors.base import (
    AccessDeniedException,
    ConditionalCheckFailedException,
    DynamoDBError,
    Family,
    IdempotentParameterMismatchException,
    IncompleteSignatureException,
    InternalServerError,
    InvalidSignatureException,
    ItemCollectionSizeLimitExceededException,
    LimitExceededException,
    MissingAuthenticationTokenException,
    ProvisionedThroughputExceededException,
    ResourceInUseException,
    ResourceNotFoundException,
    SerializationException,
    ThrottlingException,
    TransactionCanceledException,
    TransactionConflictException,
    TransactionInProgressException,
    UnknownOperationException,
    UnrecognizedClientException,
    ValidationException,
)

__all__ = [
    "AccessDeniedException",
    "ConditionalCheckFailedException",
    "DynamoDBError",
    "Family",
    "IdempotentParameterMismatchException",
    "IncompleteSignatureException",
    "InternalServerError",
    "InvalidSignatureException",
    "ItemCollectionSizeLimitExceededException",
    "LimitExceededException",
    "MissingAuthenticationTokenException",
    "ProvisionedThroughputExceededException",
    "ResourceInUseException",
    "ResourceNotFoundException",
    "SerializationException",
    "ThrottlingException",
    "TransactionCanceledException",
    "TransactionConflictException",
    "TransactionInProgressException",
    "UnknownOperationException",
    "UnrecognizedClientException",
    "ValidationException",
]
