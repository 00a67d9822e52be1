"""Counters that many write to at once, spread over several items.

All writes of one item go to one partition, which takes about 1,000 a second, and an item that many
transactions touch makes them conflict. So the counter is split into shards: a write raises one of them, a
read sums all up.

    class Likes(Entity, table=App):
        post: str
        slot: int
        count: int = 0
        key = Key("POST#{post}#LIKES#{slot:2}", "COUNT")

    likes = ShardedCounter(Likes, shards=8, shard="slot", count="count")
    session.run(likes.add(1, post="7"))
    session.run(likes.total(post="7"))

The sum costs one read for each shard, all in one request up to 100 shards. It is no snapshot: shards are
read one after the other. More shards may be added at any time; none may be taken away while it holds a
count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from partita.model.declaring.entity import Entity, required_class
from partita.model.errors import DeclarationError, KeyValueError
from partita.model.expressions.fields import F
from partita.model.flows.context import Context
from partita.model.flows.flow import Flow
from partita.model.keys.formats import encodable
from partita.model.keys.templates import Slot
from partita.model.reading.batch import batch_get
from partita.model.values.attribute_values import shortened
from partita.model.writing import writes

E = TypeVar("E", bound=Entity)

MOST_SHARDS = 10_000
"""A sum reads them all, 100 in a request."""


@dataclass(frozen=True, slots=True)
class ShardedCounter(Generic[E]):
    """A counter over items of `entity`: `shard` names the field in its key that numbers them from 0."""

    entity: type[E]
    shards: int
    shard: str = "shard"
    count: str = "count"

    def __post_init__(self) -> None:
        """Raises DeclarationError."""
        try:
            schema = required_class(self.entity).__schema__
        except TypeError as error:
            raise DeclarationError(f"a counter counts in items: {error}") from None
        if not isinstance(self.shards, int) or isinstance(self.shards, bool):
            raise DeclarationError(f"a counter has a number of shards, not {shortened(self.shards)}")
        if not 1 <= self.shards <= MOST_SHARDS:
            raise DeclarationError(f"a counter has 1 to {MOST_SHARDS:,} shards, not {self.shards}")
        F(self.entity)[self.count].add(1)
        templates = [template for template in schema.key.templates if self.shard in template.names]
        if not templates:
            raise DeclarationError(
                f"{self.shard!r} numbers the shards, and does not stand in the key of {schema.cls.__name__}"
            )
        try:
            for segment in (segment for template in templates for segment in template.segments):
                if isinstance(segment, Slot) and segment.field == self.shard:
                    segment.format.render(self.shards - 1)
        except KeyValueError as error:
            raise DeclarationError(f"{self.shards} shards of {schema.cls.__name__}: {error}") from None

    def add(self, amount: int = 1, *, by: str | None = None, **key: Any) -> Callable[[Context], Flow[E]]:
        """Adds to one shard and gives it: a random one, or always the same for the same `by`.

        An answer that is lost raises OutcomeUnknown: whether it counted is not known. To count exactly
        once, put `session.transaction(…).change(counter.ref(…), …)` into the transaction of what is
        counted.
        """

        def recipe(context: Context) -> Flow[E]:
            # A token is random anyway: no second source of chance is needed.
            number = int(context.token(), 16) % self.shards if by is None else self.shard_of(by)
            ref = self.ref(number, **key)
            return writes.change(context, ref, (F(self.entity)[self.count].add(amount),), None, True)

        return recipe

    def total(self, *, consistent: bool = False, **key: Any) -> Callable[[Context], Flow[int]]:
        """The sum of all shards; shards that nothing was added to count nothing."""

        def recipe(context: Context) -> Flow[int]:
            refs = [self.ref(number, **key) for number in range(self.shards)]
            found = yield from batch_get(context, refs, consistent=consistent)
            return sum(getattr(shard, self.count) for shard in found if shard is not None)

        return recipe

    def ref(self, number: int, **key: Any) -> Any:
        """The key of one shard, for `change` in a transaction. Raises KeyValueError.

        A shard beyond the last one is refused: no sum would read it.
        """
        if self.shard in key:
            raise KeyValueError(f"{self.shard!r} is the number of the shard, which the counter gives itself")
        if isinstance(number, int) and number >= self.shards:
            raise KeyValueError(
                f"the shards of the counter are numbered 0 to {self.shards - 1}, not {number}"
            )
        return self.entity.key(**key, **{self.shard: number})  # type: ignore[attr-defined]

    def shard_of(self, by: str) -> int:
        """The shard that `by` always writes to."""
        if not isinstance(by, str):
            raise TypeError(f"by is text, not {shortened(by)}")
        digest = hashlib.blake2b(encodable(by).encode(), digest_size=8).digest()
        return int.from_bytes(digest) % self.shards
