"""What can go wrong, each with what a caller needs to act on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from partita.model.declaring.entity import Entity


class ModelError(Exception):
    """The root of all errors of this package. They can be pickled and copied, with all that they carry."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Made anew without __init__, whose arguments are not what an exception keeps.
        return _made_anew, (type(self), self.args), self.__dict__


def _made_anew(cls: type[ModelError], args: tuple[Any, ...]) -> ModelError:
    return cls.__new__(cls, *args)


class DeclarationError(ModelError, TypeError):
    """A table, an entity or a key is declared in a way that cannot work; raised when the class is made."""


class ExpressionError(DeclarationError):
    """A condition, an update or a path that cannot mean anything; raised where it is written.

    An unknown name, a value of the wrong type, an operator that the attribute's kind lacks, overlapping
    paths, a text beyond DynamoDB's limits.
    """


class KeyValueError(ModelError, ValueError):
    """A value does not fit where it has to stand in a key: too long, negative, too wide, missing."""


class ConditionFailed(ModelError):
    """A condition did not hold; `current` is the stored entity, or None where there is none."""

    def __init__(self, message: str, current: Entity | None = None) -> None:
        super().__init__(message)
        self.current = current


class AlreadyExists(ConditionFailed):
    """`create` found an item with the same primary key."""


class NotStored(ConditionFailed):
    """An update or delete found no item to change."""


class OlderForm(ConditionFailed):
    """A change or a condition met an item that an earlier version of its class wrote; see `upcaster`.

    Writes of a session bring such an item to the present form by themselves, and go on. In a transaction
    this is raised: update `current`, and try again.
    """


class StaleVersion(ConditionFailed):
    """Somebody wrote since this entity was read; `current` came back with the failed write itself."""


@dataclass(frozen=True, slots=True)
class Clash:
    """One unique rule that a write would break."""

    rule: str
    """The rule's name: the attribute, or the attributes joined by '+'."""
    value: Any
    """The value that is taken, before normalisation."""
    owner: Mapping[str, Any] | None
    """The owner's primary key as key attributes, None where the marker names none."""


class UniqueViolation(ConditionFailed):
    """Values that must be unique are taken: every clash of the write is listed."""

    def __init__(self, message: str, clashes: Sequence[Clash]) -> None:
        super().__init__(message)
        self.clashes = tuple(clashes)


class ForeignMarker(ConditionFailed):
    """A unique value that a write gives up is marked as another item's, as after a repair of shared values.

    Writes of a session leave that marker alone by themselves, and go on; a transaction raises this.
    """

    def __init__(self, message: str, marker: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.marker = marker


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one action of a transaction failed."""

    position: int
    subject: str
    """What the action was about, such as "Order TENANT#42#ORDER#991 / META" or "unique email of Account"."""
    code: str
    """The service's reason code: ConditionalCheckFailed, TransactionConflict, …"""
    error: ModelError | None
    """What a single write would have raised."""


class TransactionFailed(ModelError):
    """A transaction was cancelled for more than one reason, or one that has no error of its own."""

    def __init__(self, message: str, reasons: Sequence[Reason]) -> None:
        super().__init__(message)
        self.reasons = tuple(reasons)


class WriteRefused(ModelError, ValueError):
    """A write that cannot be sent as it was asked for; nothing was sent.

    One item twice in a transaction or batch, more than 100 actions, an update of what was not read, a change
    that would leave an index key untrue.
    """


class OperationReused(ModelError):
    """An operation id stands for one write, and this one is another.

    Either two operations share the id, or one was built again with other contents: give `transaction` the
    time of the operation (`at=`) and draw ids from it, or keep the frozen transaction.
    """


class OutcomeUnknown(ModelError):
    """The answer to a write never came and nothing can tell whether it was applied.

    `token` is the ClientRequestToken (or None): the same request may be sent again within 10 minutes of the
    first try.
    """

    def __init__(self, message: str, token: str | None = None) -> None:
        super().__init__(message)
        self.token = token


class Unprocessed(ModelError):
    """A batch gave up: `left` holds the entities or keys that were not processed."""

    def __init__(self, message: str, left: Sequence[Any]) -> None:
        super().__init__(message)
        self.left = tuple(left)


class ServiceError(ModelError):
    """The service refused a request for a reason that is not the model's: throttling, no such table."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class TableDiffers(ModelError):
    """A live table is not as it is declared: `differences` has a sentence for each."""

    def __init__(self, message: str, differences: Sequence[str]) -> None:
        super().__init__(message)
        self.differences = tuple(differences)


class Unreachable(ModelError):
    """The service cannot be reached, or its answer to a read never came. Nothing was written."""


class ReadRefused(ModelError, ValueError):
    """A read is asked for in a way that cannot work; the message says why. Nothing was sent."""


class UnreadableItem(ModelError):
    """A stored item cannot be read as its entity: unknown type, missing attribute, wrong kind."""


class UnstorableValue(ModelError, ValueError):
    """A value has no lossless form in DynamoDB: a number beyond 38 digits, NaN, a naive datetime."""
