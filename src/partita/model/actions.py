"""Every write is a list of actions: one is sent as a single write, several as one TransactWriteItems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from partita.model.errors import ModelError
from partita.model.schema import Item


@dataclass(frozen=True, slots=True)
class Action:
    """One member of TransactWriteItems, and what its failure means."""

    kind: Literal["Put", "Update", "Delete", "ConditionCheck"]
    parameters: Mapping[str, Any]
    """TableName, Item or Key, expressions, ReturnValuesOnConditionCheckFailure, in boto3's form."""
    subject: str
    """Whom it is about, for reasons: the entity's type and key, or a unique rule."""
    refused: Callable[[Item | None], ModelError]
    """The error that its failed condition means, given the stored item (None: there is none)."""
