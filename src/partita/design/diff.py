"""The steps from one version of a design to the next, in order, while the application goes on.

Indexes first, then writes that serve old and new readers, then the items that are there already, then a
check, then readers, and at last what nobody uses any more. What cannot be changed in place comes before all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from partita.design.export import Exported, required_export
from partita.model.keys.formats import SEPARATOR, escape
from partita.model.keys.templates import MARKER_PREFIX

StepKind = Literal["blocked", "create", "dual-write", "backfill", "verify", "switch", "drop"]
ORDER: tuple[StepKind, ...] = ("blocked", "create", "dual-write", "backfill", "verify", "switch", "drop")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, or (blocked) one that cannot be done in place and how else."""

    kind: StepKind
    subject: str
    """The table, index, entity or pattern."""
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.subject}: {self.text}"


def diff(old: Exported, new: Exported) -> list[Step]:
    """The steps between two exported designs, in order; empty where nothing has to be done.

    Raises TypeError for what is no export.
    """
    required_export(old)
    required_export(new)
    steps: list[Step] = []
    for name in dict.fromkeys((*old["tables"], *new["tables"])):
        before, after = old["tables"].get(name), new["tables"].get(name)
        if before is None:
            steps.append(Step("create", f"table {name}", "create it, with all its indexes (ensure_table)"))
        elif after is None:
            text = "delete it, once nothing reads or writes it; keep a backup"
            steps.append(Step("drop", f"table {name}", text))
        else:
            steps += _table(name, before, after, _command(new, name))
    if any(step.kind == "backfill" for step in steps):
        tables = [name for name, after in new["tables"].items() if name in old["tables"]]
        steps += [
            Step(
                "verify",
                f"table {name}",
                f"run `partita design verify {new['name']} --table {name}` until it finds nothing, before "
                "anything reads the new keys",
            )
            for name in tables
            if _is_filled(steps, name, new)
        ]
    # After those that `verify` looks for: an item without a default is sound.
    for name, after in new["tables"].items():
        if name in old["tables"]:
            steps += _defaults(old["tables"][name], after, _command(new, name))
    steps += _patterns(old["patterns"], new["patterns"])
    return sorted(dict.fromkeys(steps), key=lambda step: ORDER.index(step.kind))


def _command(design: Exported, table: str) -> str:
    """It backfills the table."""
    return f"partita design backfill {design['name']} --table {table}"


def _is_filled(steps: list[Step], table: str, new: Exported) -> bool:
    entities = {f"entity {one['name']}" for one in new["tables"][table]["entities"].values()}
    return any(step.kind == "backfill" and step.subject in entities for step in steps)


def _table(name: str, old: Exported, new: Exported, command: str) -> Iterator[Step]:
    """`command` backfills the table."""
    subject = f"table {name}"
    if old["definition"]["KeySchema"] != new["definition"]["KeySchema"]:
        yield Step(
            "blocked",
            subject,
            "the key attributes of a table cannot change: create a table under another name, write to both, "
            "copy the items, verify, switch, delete the old one",
        )
    yield from _kinds(subject, old["definition"], new["definition"])
    if old["discriminator"] != new["discriminator"]:
        yield Step(
            "blocked",
            subject,
            f"the type of items moves from {old['discriminator']} to {new['discriminator']}, and items that "
            "are there would be unreadable: let discriminator= be a function that reads both",
        )
    if old["ttl"] != new["ttl"] and old["ttl"] is not None:
        text = f"switch TTL on {old['ttl']} off first"
        if new["ttl"] is not None:
            text += f"; it can be switched on for {new['ttl']} an hour later"
        yield Step("switch", subject, text)
    elif old["ttl"] != new["ttl"]:
        yield Step("switch", subject, f"switch TTL on for {new['ttl']}")
    yield from _indexes(old["definition"], new["definition"])
    for type_name in dict.fromkeys((*old["entities"], *new["entities"])):
        before, after = old["entities"].get(type_name), new["entities"].get(type_name)
        if before is not None and after is not None:
            own = f"{command} --entity {after['name']}"
            yield from _entity(type_name, before, after, own, old["definition"])
        elif before is not None:
            yield Step(
                "drop",
                f"entity {before['name']}",
                "delete its items, once nothing reads them: until then there are items of an unknown type",
            )


def _kinds(subject: str, old: Exported, new: Exported) -> Iterator[Step]:
    before = {one["AttributeName"]: one["AttributeType"] for one in old["AttributeDefinitions"]}
    for one in new["AttributeDefinitions"]:
        name, kind = one["AttributeName"], one["AttributeType"]
        if before.get(name, kind) != kind:
            yield Step(
                "blocked",
                subject,
                f"the key attribute {name} cannot change from {before[name]} to {kind}: give the new key "
                "another attribute",
            )


def _indexes(old: Exported, new: Exported) -> Iterator[Step]:
    before, after = _by_name(old), _by_name(new)
    for name in dict.fromkeys((*before, *after)):
        subject = f"index {name}"
        was, becomes = before.get(name), after.get(name)
        if was == becomes:
            continue
        if "local" in {scope for scope, _ in filter(None, (was, becomes))}:
            yield Step(
                "blocked",
                subject,
                "local indexes come and go with their table only: take a global index, or a new table",
            )
        elif was is None:
            yield Step(
                "create",
                subject,
                "add it (UpdateTable takes one at a time) and wait until it is ACTIVE; items that have its "
                "key attributes already are filled in by DynamoDB",
            )
        elif becomes is None:
            yield Step("drop", subject, "delete it, once nothing reads it")
        else:
            yield Step(
                "blocked",
                subject,
                "the key and projection of an index cannot change: declare the new one under another name, "
                "fill it, switch to it, and drop this one",
            )


def _by_name(definition: Exported) -> dict[str, tuple[str, Any]]:
    return {
        index["IndexName"]: (scope, (index["KeySchema"], index["Projection"]))
        for scope, part in (("global", "GlobalSecondaryIndexes"), ("local", "LocalSecondaryIndexes"))
        for index in definition.get(part, ())
    }


def _entity(
    type_name: str, old: Exported, new: Exported, command: str, definition: Exported
) -> Iterator[Step]:
    subject = f"entity {new['name']}"
    yield from _fields(subject, old, new, command)
    if _form(old["key"]) != _form(new["key"]):
        was, becomes = _text(old["key"]), _text(new["key"])
        yield Step(
            "blocked",
            subject,
            f"its primary key changes from {was} to {becomes}, and the key of an item cannot: each becomes "
            "another item, as follows",
        )
        yield Step(
            "dual-write",
            subject,
            "write both items in one transaction, with their markers of unique attributes owned by the new "
            "one; go on reading the old ones",
        )
        yield Step(
            "backfill",
            subject,
            f"copy each item from {was} to {becomes}: create it on condition that it is not there, in one "
            "transaction with a check that the old one is as it was read; keep the position of the scan, so "
            "that it can go on",
        )
        yield Step("drop", subject, f"stop writing {was} and delete those items")
    yield from _index_keys(subject, old["indexes"], new["indexes"], command)
    yield from _left_keys(subject, old, new, command, definition)
    yield from _uniques(subject, type_name, old["uniques"], new["uniques"])


def _fields(subject: str, old: Exported, new: Exported, command: str) -> Iterator[Step]:
    upcasts = new["schema_version"] > old["schema_version"]
    if upcasts:
        yield Step(
            "dual-write",
            subject,
            f"deploy the reader of version {new['schema_version']} everywhere before anything writes it: "
            "older code cannot read what newer code wrote",
        )
        text = _backfill(
            "write items of older versions as the new one does, so that upcasters can go", command
        )
        yield Step("backfill", subject, text)
        return
    for name, field in new["fields"].items():
        was = old["fields"].get(name)
        if was is None and field["required"]:
            why = f"{name} is new and required, so that items without it are unreadable: give it a default"
            yield Step("blocked", subject, f"{why}, or write an upcaster")
        elif was is not None and was["kind"] != field["kind"]:
            why = f"{name} is stored as {was['kind']} and becomes {field['kind']}"
            yield Step("blocked", subject, f"{why}: write an upcaster, or use a field of another name")
        elif was is not None and was["attribute"] != field["attribute"]:
            why = f"{name} moves from the attribute {was['attribute']} to {field['attribute']}"
            yield Step("blocked", subject, f"{why}: write an upcaster, or keep its name with attribute(…)")


def _defaults(old: Exported, new: Exported, command: str) -> Iterator[Step]:
    """Of fields that older items are read with, and do not hold."""
    for type_name, after in new["entities"].items():
        before = old["entities"].get(type_name)
        if before is None or after["schema_version"] > before["schema_version"]:
            continue
        names = [
            name
            for name, field in after["fields"].items()
            if field["default"] and not _is_stored(before["fields"].get(name))
        ]
        if not names:
            continue
        subject, listed = f"entity {after['name']}", ", ".join(names)
        yield Step("dual-write", subject, f"deploy writes that store {listed}")
        text = _backfill(
            f"store the default of {listed} in older items: they are read with it, but filters and "
            "conditions see only what is stored",
            f"{command} --entity {after['name']}",
        )
        yield Step("backfill", subject, text)


def _is_stored(field: Exported | None) -> bool:
    """Whether every item holds it."""
    return field is not None and bool(field["required"] or field["default"])


def _index_keys(subject: str, old: Mapping[str, Any], new: Mapping[str, Any], command: str) -> Iterator[Step]:
    for name in dict.fromkeys((*old, *new)):
        was, becomes = old.get(name), new.get(name)
        if was is None:
            key = _text(new[name])
            yield Step("dual-write", subject, f"deploy writes that fill {name} with {key}")
            yield Step("backfill", subject, _backfill(f"set its key of {name} ({key})", command))
        elif becomes is None:
            continue
        elif _form(was) != _form(becomes):
            only_shards = _form(was, shards=False) == _form(becomes, shards=False)
            both = (
                f"ask {max(was['shards'] or 1, becomes['shards'] or 1)} shards"
                if only_shards
                else "ask both forms and join them"
            )
            yield Step(
                "blocked",
                subject,
                f"in {name} its key changes from {_text(was)} to {_text(becomes)}, and one attribute cannot "
                f"hold both: take a new index for the new form, or let readers {both} until all is rewritten",
            )
            yield Step(
                "dual-write", subject, f"deploy readers of {name} that {both}, then writes of the new form"
            )
            yield Step(
                "backfill", subject, _backfill(f"rewrite its key of {name} to {_text(becomes)}", command)
            )
            yield Step("switch", subject, f"let readers of {name} ask the new form only")
        elif was["sparse"] != becomes["sparse"]:
            yield Step(
                "backfill", subject, _backfill(f"set or remove its key of {name}, as `when` says", command)
            )


def _left_keys(
    subject: str, old: Exported, new: Exported, command: str, definition: Exported
) -> Iterator[Step]:
    """The key attributes of indexes that an entity is no longer in."""
    indexes = {
        one["IndexName"]: one["KeySchema"]
        for part in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
        for one in definition.get(part, ())
    }
    kept = {one["AttributeName"] for one in definition["KeySchema"]}
    kept |= {one["AttributeName"] for name in new["indexes"] for one in indexes.get(name, ())}
    kept |= {field["attribute"] for field in (*old["fields"].values(), *new["fields"].values())}
    for name in old["indexes"]:
        if name in new["indexes"]:
            continue
        text = f"deploy writes without {name}"
        names = [one["AttributeName"] for one in indexes.get(name, ())]
        if own := [one for one in names if one not in kept]:
            text += "; then remove its key attributes from the items that have them: "
            text += f"`{command} {' '.join(f'--remove {one}' for one in own)}`"
        yield Step("drop", subject, text)


def _backfill(what: str, command: str) -> str:
    return (
        f"{what}: `{command} --resume backfill.json`, with --dry-run first. Each item that is not right gets "
        "one update, on condition that it is as it was read; stopped, it goes on from the file"
    )


def _uniques(subject: str, type_name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Step]:
    for name in dict.fromkeys((*old, *new)):
        was, becomes = old.get(name), new.get(name)
        if was == becomes:
            continue
        if was is None:
            yield Step("dual-write", subject, f"deploy writes that keep markers of {name}")
            yield Step(
                "backfill",
                subject,
                f"let audit() report the values of {name} that are shared already, and people decide them; "
                "then backfill_unique() makes the markers",
            )
        elif becomes is None:
            prefix = SEPARATOR.join((MARKER_PREFIX + escape(type_name), escape(name), ""))
            yield Step(
                "drop",
                subject,
                f"deploy writes without {name}; no audit knows its markers then: delete the items whose "
                f"partition key begins with {prefix}",
            )
        else:
            yield Step(
                "blocked",
                subject,
                f"{name} has other values than its markers say (its fields, scope or normaliser changed): "
                "add the rule under a new name, fill its markers, then drop this one",
            )


def _patterns(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Step]:
    for name, after in new.items():
        before = old.get(name)
        if before is not None and before != after:
            yield Step("switch", f'"{name}"', f"from {_spoken(before)} to {_spoken(after)}")
    for name, before in old.items():
        if name not in new:
            yield Step("switch", f'"{name}"', f"take it out of the application ({_spoken(before)})")


def _spoken(pattern: Exported) -> str:
    where = f" of {pattern['index']}" if pattern["index"] else ""
    return f"{pattern['request']}{where} ({pattern['key']})"


def _form(key: Exported, shards: bool = True) -> tuple[Any, ...]:
    partition, sort = key["partition"], key["sort"]
    if not shards and key["shards"]:
        partition = [text.replace(f"{{shard:{key['shards']}}}", "{shard}") for text in partition]
    return (partition, sort, key["raw"])


def _text(key: Exported) -> str:
    return " / ".join(" + ".join(part) for part in (key["partition"], key["sort"]) if part)
