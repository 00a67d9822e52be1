"""Writing each item in one region only: global tables of the eventually consistent kind.

Their replicas copy each other's writes within about a second, and of two writes of one item the later one
wins, the other is lost without an error. A condition does not help: it is evaluated on the local replica.
What helps is that all writes of an item go to one region, its home, as each tenant's do:

    class Order(Entity, table=App):
        home: str
        …

    here = HomeRegion("eu-central-1")
    session.create(Order(home=here.name, …))
    session.update(order, when=here.condition(Order))

A write that arrives elsewhere fails there, as long as the item's replica is there, and `home_of` says where
to send it. To move an item's home, change it from the old one, and let no one write before the change has
been copied:

    session.change(ref, F(Order).home.set("us-east-1"), when=here.condition(Order))

It guards against code that writes in the wrong place. It does not make a unique value unique across regions.
"""

from __future__ import annotations

from dataclasses import dataclass

from partita.model.declaring.entity import Entity, kind_of
from partita.model.errors import ConditionFailed
from partita.model.expressions.conditions import Condition
from partita.model.expressions.fields import F
from partita.model.values.attribute_values import shortened


@dataclass(frozen=True, slots=True)
class HomeRegion:
    """The region that this process writes to; entities name theirs in `field`."""

    name: str
    field: str = "home"

    def __post_init__(self) -> None:
        for what, given in (("region", self.name), ("field", self.field)):
            if not isinstance(given, str) or not given:
                raise TypeError(f"a {what} has a name, not {shortened(given)}")

    def condition(self, entity: type[Entity]) -> Condition:
        """The item's home is here; for `when=`."""
        return F(entity)[self.field] == self.name

    def is_home_of(self, entity: Entity) -> bool:
        return self._home(entity) == self.name

    def home_of(self, failed: ConditionFailed) -> str | None:
        """Where a write has to go whose condition failed here; None: it failed for another reason."""
        if not isinstance(failed, ConditionFailed):
            raise TypeError(f"the home is that of a condition that failed, not of {kind_of(failed)}")
        if failed.current is None or self.is_home_of(failed.current):
            return None
        return self._home(failed.current)

    def _home(self, entity: Entity) -> str:
        if not isinstance(entity, Entity) or self.field not in type(entity).model_fields:
            raise TypeError(
                f"an entity has its home in a field {self.field}, which {kind_of(entity)} has not"
            )
        home: str = getattr(entity, self.field)
        return home
