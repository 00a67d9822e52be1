"""Everything that a table holds, read on purpose: costly, and never what an access pattern needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from partita.model.declaring.entity import Entity
from partita.model.declaring.items import entity_of, type_of
from partita.model.declaring.table import Table
from partita.model.errors import ReadRefused
from partita.model.expressions.conditions import And, AttributeAt, Condition, In, Value
from partita.model.expressions.rendering import render, require_fields_of
from partita.model.flows.context import Context
from partita.model.flows.flow import Call, Flow
from partita.model.flows.retries import ask_together
from partita.model.reading.given import given_entities
from partita.model.reading.pages import require_count
from partita.model.schema import Item, TableSchema

MOST_SEGMENTS = 1_000_000


class Scan:
    """A scan under way, in segments that are read side by side.

    Items that are no entity of the table (markers of unique values, for one) are passed over, with `of` all
    that are not of these types. `limit` ends it after that many entities.
    """

    def __init__(
        self,
        context: Context,
        of_table: type[Table],
        *,
        of: Sequence[type[Entity]] | None = None,
        filter: Condition | None = None,
        consistent: bool = False,
        segments: int = 1,
        limit: int | None = None,
    ) -> None:
        if not isinstance(of_table, type) or not issubclass(of_table, Table) or of_table is Table:
            raise ReadRefused(f"a scan is of a table's class, such as App, not of {of_table!r}")
        table = of_table.__schema__
        require_count("segments", segments)
        if segments > MOST_SEGMENTS:
            raise ReadRefused(f"a scan has 1 to {MOST_SEGMENTS:,} segments, not {segments}")
        if limit is not None:
            require_count("limit", limit)
        of = given_entities(of)
        for entity in of or ():
            if entity.__schema__.table is not table:
                raise ReadRefused(f"{entity.__name__} is not in {table.cls.__name__}")
        require_fields_of(of or table.entities, filter)
        self._retries = context.retries
        self._table = table
        self._wanted = frozenset(table.entities if of is None else of)
        self._left = limit
        self._parameters: dict[str, Any] = {"TableName": context.table_name(table)}
        if consistent:
            self._parameters["ConsistentRead"] = True
        filters = [one for one in (filter, _of_types(of, table)) if one is not None]
        if filters:
            self._parameters |= render(filter=filters[0] if len(filters) == 1 else And(tuple(filters)))
        elif limit is not None:
            # What is looked at is paid for; a filter does not say how much that has to be.
            self._parameters["Limit"] = limit
        self._segments = segments
        self._starts: dict[int, Item | None] = dict.fromkeys(range(segments))

    @property
    def ended(self) -> bool:
        return not self._starts or self._left == 0

    def next(self) -> Flow[list[Any]]:
        """The entities that one more request for each segment brings."""
        calls = [self._call(segment, start) for segment, start in self._starts.items()]
        answers = yield from ask_together(self._retries, calls)
        entities: list[Any] = []
        starts: dict[int, Item | None] = {}
        for segment, answer in zip(self._starts, answers, strict=True):
            for item in answer["Items"]:
                of = type_of(item, self._table)
                if of is not None and of in self._wanted:
                    entities.append(entity_of(item, of))
            if "LastEvaluatedKey" in answer:
                starts[segment] = answer["LastEvaluatedKey"]
        self._starts = starts
        if self._left is not None:
            entities = entities[: self._left]
            self._left -= len(entities)
        return entities

    def _call(self, segment: int, start: Item | None) -> Call:
        parameters = dict(self._parameters)
        if self._segments > 1:
            parameters |= {"Segment": segment, "TotalSegments": self._segments}
        if start is not None:
            parameters["ExclusiveStartKey"] = start
        return Call("Scan", parameters)


def _of_types(of: Sequence[type[Entity]] | None, table: TableSchema) -> Condition | None:
    if of is None or table.discriminator is None or len(of) > 100:
        return None
    names = sorted(entity.__schema__.type_name for entity in of)
    return In(AttributeAt((table.discriminator,)), tuple(Value({"S": name}) for name in names))
