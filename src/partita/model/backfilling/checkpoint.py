"""Where a backfill stands, as JSON that it can go on from in another process."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from partita.model.backfilling.outcome import Backfill
from partita.model.errors import ModelError
from partita.model.flows.consumption import Consumed
from partita.model.schema import EntitySchema, Item, KeySchema
from partita.model.values.attribute_values import from_plain, plain_item

FORMAT = 1
_COUNTS = ("items", "right", "written", "gone", "others")

Starts = dict[int, Item | None]
"""Where each segment that has not ended goes on; None: at its beginning."""


class CheckpointRefused(ModelError, ValueError):
    """A backfill cannot go on from this: it is damaged, or another backfill's."""


def identity_of(
    table: str, entities: Sequence[EntitySchema], remove: Sequence[str], segments: int, dry_run: bool
) -> str:
    """A digest of what is backfilled: with other declarations, what was passed over may be wrong."""
    declared = [_declared(schema) for schema in sorted(entities, key=lambda schema: schema.type_name)]
    text = json.dumps([table, declared, sorted(remove), segments, dry_run])
    return hashlib.sha256(text.encode()).hexdigest()


def write(identity: str, starts: Starts, done: Backfill) -> str:
    """The checkpoint as JSON."""
    content = {
        "format": FORMAT,
        "of": identity,
        "starts": {str(n): None if key is None else plain_item(key) for n, key in starts.items()},
        "counts": {name: getattr(done, name) for name in _COUNTS},
        "attributes": dict(done.attributes),
        "unmended": dict(done.unmended),
        "consumed": [done.consumed.requests, done.consumed.read_units, done.consumed.write_units],
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def read(text: str, identity: str, segments: int, done: Backfill) -> Starts:
    """The starts in a checkpoint; its counts go into `done`. Raises CheckpointRefused."""
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise CheckpointRefused(f"this is no checkpoint of a backfill in format {FORMAT}")
        if content["of"] != identity:
            raise CheckpointRefused(
                "the checkpoint is of another backfill: of another table, other entities or attributes, "
                "another number of segments, a dry run, or other declarations than now; begin a new one"
            )
        starts: Starts = {int(n): _key(key) for n, key in content["starts"].items()}
        for name in _COUNTS:
            setattr(done, name, int(content["counts"][name]))
        done.attributes = Counter(_numbers(content["attributes"]))
        done.unmended = Counter(_numbers(content["unmended"]))
        requests, read_units, write_units = content["consumed"]
        done.consumed = Consumed(int(requests), float(read_units), float(write_units))
        if not starts or not all(0 <= number < segments for number in starts):
            raise ValueError("no such segment")
    except CheckpointRefused:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise CheckpointRefused(f"this is no checkpoint of a backfill: {error!r}") from None
    return starts


def _key(plain: Any) -> Item | None:
    return None if plain is None else {name: from_plain(value) for name, value in plain.items()}


def _numbers(plain: Mapping[str, Any]) -> dict[str, int]:
    return {str(name): int(number) for name, number in plain.items()}


def _declared(schema: EntitySchema) -> list[Any]:
    return [
        schema.type_name,
        schema.schema_version,
        [[field.name, field.attribute, field.codec.kind] for field in schema.fields.values()],
        _written(schema.key),
        [[name, *_written(key)] for name, key in schema.index_keys.items()],
    ]


def _written(key: KeySchema) -> list[Any]:
    return [[template.text for template in key.templates], key.shards, key.when is not None]
