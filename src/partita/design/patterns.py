"""What all kinds of patterns have, and what those have in common that read by keys, or ranges of keys.

The check, the report and the comparison with what was sent ask a pattern for these, and know no kinds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from pydantic import BaseModel

from partita.design.binding import bound_key, filter_parameters, require_values
from partita.model.declaring.entity import Entity
from partita.model.expressions.conditions import Condition
from partita.model.keys.key_conditions import KeyCondition
from partita.model.schema import IndexSchema


class PatternKind(ABC):
    """A read or a write with a name, and the words that a report has for it."""

    name: str
    of: tuple[type[Entity], ...]
    """Every entity that it reads, writes or asks about, each once."""

    @property
    @abstractmethod
    def request(self) -> str:
        """The requests of a run: `Query × 4`, `TransactWriteItems (up to 3 actions)`."""

    @property
    @abstractmethod
    def index_name(self) -> str:
        """The name in DynamoDB of the index that is read, "table", or "" for what asks neither by key."""

    @property
    @abstractmethod
    def consistency(self) -> str:
        """How the items of a run fit together: `eventual`, `one moment`, `all or none`."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What it asks, or writes: `PK = ORDER#{id}, at most 20`."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class Keyed(PatternKind):
    """A read by one key condition."""

    key: KeyCondition[Any]
    filter: Condition | None = None
    consistent: bool
    view: type[BaseModel] | None = None

    @property
    def index(self) -> IndexSchema | None:
        """The index that is read, None for the table itself."""
        return self.key.key.index

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names that a run gives values for."""
        return tuple(dict.fromkeys((*self.key.parameters, *filter_parameters(self.filter))))

    def bind(self, **values: Any) -> KeyCondition[Any]:
        """The key condition with these values. Raises KeyValueError."""
        require_values(self.name, self.parameters, values)
        return bound_key(self.key, values)

    @property
    def index_name(self) -> str:
        return "table" if self.index is None else self.index.name

    @property
    def consistency(self) -> str:
        return "strong" if self.consistent else "eventual"


class ReadKind(PatternKind):
    """A read: its requests, as the API has them."""

    operation: ClassVar[str]
    """The API's name of its requests."""
    kind: ClassVar[str]
    """What it is called in a sentence."""
    max_requests: int = 1
    """How often each request goes on, at most."""

    @property
    def requests(self) -> int:
        """How many requests a run is, side by side."""
        return 1


class ByKey(ReadKind):
    """A read of items by their full primary keys, in one request."""

    kind = "a read"

    @property
    @abstractmethod
    def counted(self) -> tuple[tuple[KeyCondition[Any], int], ...]:
        """The keys that it asks for, each with the number of items that it stands for at most."""

    @property
    def items(self) -> int:
        """How many items it reads at most."""
        return sum(number for _, number in self.counted)


class Ranged(Keyed, ReadKind):
    """A read of what is in a partition, or in a range of it: a Query, or one for each shard of an index."""

    operation = "Query"
    kind = "a query"
    bound: ClassVar[str]
    """The name of the argument that bounds it."""
    unbounded: ClassVar[str]
    """What is to be said where nothing bounds it."""
    newest_first: bool = False
    fetch: bool = False
    """Whether what an index does not project is read from the table."""

    @property
    @abstractmethod
    def most(self) -> int | None:
        """How many items a run gives at most; None: nothing bounds them."""

    @property
    def requests(self) -> int:
        return len(self.key.shards)

    @property
    def request(self) -> str:
        return self.operation if self.requests == 1 else f"{self.operation} × {self.requests}"


def partition_words(condition: KeyCondition[Any]) -> list[str]:
    """`PK = CUST#{customer}`, of each attribute of the partition key."""
    return [f"{template.attribute} = {template.text}" for template in condition.key.partition]


def sort_words(condition: KeyCondition[Any]) -> list[str]:
    """`SK = META`, `SK between on placed`, `SK begins with LINE#`; empty where the sort key is not asked."""
    if not condition.key.sort:
        return []
    names = [template.attribute for template in condition.key.sort]
    missing = condition.open_names
    if condition.range is not None:
        return [f"{' + '.join(names)} {condition.range.replace('_', ' ')} on {missing[0]}"]
    text = " + ".join(template.text for template in condition.key.sort)
    if not missing:
        return [f"{' + '.join(names)} = {text}"]
    beginning = text.split("{" + missing[0])[0]
    return [f"{names[0]} begins with {beginning}"] if beginning else []
