"""Every write is a list of actions: one is sent as a single write, several as one TransactWriteItems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from partita.model.errors import ModelError
from partita.model.schema import Item

ActionKind = Literal["Put", "Update", "Delete", "ConditionCheck"]


class Refusal(Protocol):
    """What a failed condition means. The ones of this package are data, so that they can be frozen."""

    def __call__(self, subject: str, item: Item | None, asked: Mapping[str, Any]) -> ModelError:
        """The error, given whom it is about, the stored item (None: there is none) and what was asked.

        `asked` are the action's parameters: ConditionExpression with its names and values.
        """
        ...


@dataclass(frozen=True, slots=True)
class Action:
    """One member of TransactWriteItems, and what its failure means."""

    kind: ActionKind
    parameters: Mapping[str, Any]
    """TableName, Item or Key, expressions, ReturnValuesOnConditionCheckFailure, in boto3's form."""
    key: Item
    """The primary key of the item that it is about."""
    subject: str
    """Whom it is about, for reasons: the entity's type and key, or a unique rule."""
    refused: Refusal

    @property
    def table(self) -> str:
        """The table's name in DynamoDB."""
        name: str = self.parameters["TableName"]
        return name

    def error(self, item: Item | None) -> ModelError:
        """What a single write would raise where its condition failed on `item`."""
        return self.refused(self.subject, item, self.parameters)
