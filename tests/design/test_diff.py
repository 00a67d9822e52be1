"""From one version of a design to the next: each kind of change has its steps, in order."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from tests.design import orders
from tests.design.orders import Id

from partita.design import P, Query, design_of
from partita.design.diff import ORDER, Step, diff
from partita.design.export import exported, read_exported
from partita.design.prices import FileRefused
from partita.model import (
    Entity,
    Index,
    Key,
    KeyAttribute,
    LocalIndex,
    Table,
    Version,
    attribute,
    unique,
    upcaster,
    version,
)


def shop(
    *,
    keys: dict[str, Key] | None = None,
    fields: dict[str, Any] | None = None,
    values: dict[str, Any] | None = None,
    indexes: dict[str, Any] | None = None,
    pattern: bool = False,
    **table_options: Any,
) -> dict[str, Any]:
    """A shop with one entity, exported."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table: Any = type("Shop", (Table,), dict(indexes or {}), name="shop", **table_options)
    namespace = {
        "__annotations__": {"id": Id, "customer": Id, **(fields or {})},
        "__module__": __name__,
        "key": Key("ORDER#{id}", "META"),
        **(keys or {}),
        **(values or {}),
    }
    kind: Any = type(Entity)
    order = kind("Order", (Entity,), namespace, table=table)
    patterns = [Query("orders", order.gsi1(customer=P("customer")), limit=9)] if pattern else []
    return exported(design_of([order, *patterns], "shop"))


def by_customer(**options: Any) -> dict[str, Any]:
    return {"keys": {"gsi1": Key("CUST#{customer}", "{id}", **options)}, "indexes": {"gsi1": Index()}}


def kinds(steps: list[Step]) -> list[str]:
    return [step.kind for step in steps]


def test_a_new_index_is_made_written_filled_verified_and_then_read() -> None:
    steps = diff(shop(), shop(**by_customer(), pattern=True))
    assert kinds(steps) == ["create", "dual-write", "backfill", "verify"]
    assert [step.subject for step in steps] == ["index GSI1", "entity Order", "entity Order", "table shop"]
    assert "on condition that" in steps[2].text
    assert (
        "`partita design backfill shop --table shop --entity Order --resume backfill.json`" in steps[2].text
    )


def test_a_pattern_that_moves_is_switched_after_the_check() -> None:
    old = shop(**by_customer(), pattern=True)
    new = shop(keys={"gsi2": Key("CUST#{customer}", "{id}")}, indexes={"gsi2": Index()})
    new["patterns"] = {"orders": {"request": "Query", "index": "GSI2", "key": "GSI2PK = CUST#{customer}"}}
    steps = diff(old, new)
    assert kinds(steps) == ["create", "dual-write", "backfill", "verify", "switch", "drop", "drop"]
    assert steps[4].subject == '"orders"'
    assert {step.subject for step in steps[5:]} == {"index GSI1", "entity Order"}
    command = "`partita design backfill shop --table shop --entity Order --remove GSI1PK --remove GSI1SK`"
    assert command in " ".join(step.text for step in steps)


def test_nothing_to_do_between_equal_designs() -> None:
    assert diff(exported(design_of(orders)), exported(design_of(orders))) == []


CHANGES: list[tuple[str, Callable[[], Any], Callable[[], Any], list[str], str]] = [
    (
        "primary key",
        shop,
        lambda: shop(keys={"key": Key("SHOP#{customer}", "ORDER#{id}")}),
        ["blocked", "dual-write", "backfill", "verify", "drop"],
        "the key of an item cannot",
    ),
    (
        "key attributes",
        shop,
        lambda: shop(partition_key="pk"),
        ["blocked"],
        "create a table under another name",
    ),
    (
        "kind of a key attribute",
        lambda: shop(indexes={"gsi1": Index(sort=KeyAttribute("GSI1SK"))}),
        lambda: shop(indexes={"gsi1": Index(sort=KeyAttribute("GSI1SK", "N"))}),
        ["blocked"],
        "cannot change from S to N",
    ),
    (
        "projection",
        lambda: shop(**by_customer()),
        lambda: shop(keys={"gsi1": Key("CUST#{customer}", "{id}")}, indexes={"gsi1": Index(project="keys")}),
        ["blocked"],
        "declare the new one under another name",
    ),
    ("local index", shop, lambda: shop(indexes={"lsi1": LocalIndex()}), ["blocked"], "with their table only"),
    (
        "index key",
        lambda: shop(**by_customer()),
        lambda: shop(keys={"gsi1": Key("C#{customer}", "{id}")}, indexes={"gsi1": Index()}),
        ["blocked", "dual-write", "backfill", "verify", "switch"],
        "one attribute cannot hold both",
    ),
    (
        "shards",
        lambda: shop(keys={"gsi1": Key("ALL#{shard:4}", "{id}")}, indexes={"gsi1": Index()}),
        lambda: shop(keys={"gsi1": Key("ALL#{shard:8}", "{id}")}, indexes={"gsi1": Index()}),
        ["blocked", "dual-write", "backfill", "verify", "switch"],
        "ask 8 shards",
    ),
    (
        "sparse",
        lambda: shop(**by_customer()),
        lambda: shop(**by_customer(when=lambda o: o.customer != "")),
        ["backfill", "verify"],
        "set or remove",
    ),
    (
        "required field",
        shop,
        lambda: shop(fields={"note": str}),
        ["blocked"],
        "note is new and required",
    ),
    ("optional field", shop, lambda: shop(fields={"note": str | None}, values={"note": None}), [], ""),
    ("set of nothing", shop, lambda: shop(fields={"tags": set[str]}, values={"tags": set()}), [], ""),
    ("version", shop, lambda: shop(fields={"version": Version}, values={"version": version()}), [], ""),
    (
        "field with a default",
        shop,
        lambda: shop(fields={"note": str}, values={"note": "-"}),
        ["dual-write", "backfill"],
        "the default of note in older items: they are read with it, but filters and conditions see only what",
    ),
    (
        "field that gets a default",
        lambda: shop(fields={"note": str | None}, values={"note": None}),
        lambda: shop(fields={"note": str}, values={"note": "-"}),
        ["dual-write", "backfill"],
        "`partita design backfill shop --table shop --entity Order --resume backfill.json`",
    ),
    (
        "field that is no longer required",
        lambda: shop(fields={"note": str}),
        lambda: shop(fields={"note": str}, values={"note": "-"}),
        [],
        "",
    ),
    (
        "default and upcaster",
        shop,
        lambda: shop(fields={"note": str}, values={"note": "-", "up": upcaster(1)(lambda item: item)}),
        ["dual-write", "backfill", "verify"],
        "deploy the reader of version 2",
    ),
    (
        "kind of a field",
        lambda: shop(fields={"total": int}),
        lambda: shop(fields={"total": str}),
        ["blocked"],
        "stored as N and becomes S",
    ),
    (
        "attribute of a field",
        lambda: shop(fields={"total": int}),
        lambda: shop(fields={"total": int}, values={"total": attribute("amount")}),
        ["blocked"],
        "moves from the attribute total to amount",
    ),
    (
        "upcaster",
        lambda: shop(fields={"total": int}),
        lambda: shop(fields={"total": str}, values={"up": upcaster(1)(lambda item: item)}),
        ["dual-write", "backfill", "verify"],
        "deploy the reader of version 2",
    ),
    (
        "unique",
        shop,
        lambda: shop(fields={"email": str | None}, values={"email": unique(default=None)}),
        ["dual-write", "backfill", "verify"],
        "audit()",
    ),
    (
        "normaliser",
        lambda: shop(fields={"email": str | None}, values={"email": unique(default=None)}),
        lambda: shop(
            fields={"email": str | None}, values={"email": unique(default=None, normaliser_version=2)}
        ),
        ["blocked"],
        "under a new name",
    ),
    (
        "no longer unique",
        lambda: shop(fields={"email": str | None}, values={"email": unique(default=None)}),
        lambda: shop(fields={"email": str | None}, values={"email": None}),
        ["drop"],
        "delete the items whose partition key begins with UNIQ#Order#email#",
    ),
    ("discriminator", shop, lambda: shop(discriminator="kind"), ["blocked"], "unreadable"),
    ("TTL", lambda: shop(ttl=None), lambda: shop(ttl="expires"), ["switch"], "switch TTL on for expires"),
    ("other TTL", lambda: shop(ttl="ttl"), lambda: shop(ttl="expires"), ["switch"], "off first"),
]


@pytest.mark.parametrize(("what", "old", "new", "wanted", "says"), CHANGES, ids=[one[0] for one in CHANGES])
def test_changes(what: str, old: Any, new: Any, wanted: list[str], says: str) -> None:
    steps = diff(old(), new())
    assert kinds(steps) == wanted
    assert says in " ".join(step.text for step in steps)
    assert diff(new(), new()) == []


def test_tables_and_entities_come_and_go() -> None:
    empty = exported(design_of([]))
    (step,) = diff(empty, shop())
    assert (step.kind, step.subject) == ("create", "table shop")
    (step,) = diff(shop(), empty)
    assert (step.kind, step.subject) == ("drop", "table shop")
    less = shop()
    gone = json.loads(json.dumps(less))
    gone["tables"]["shop"]["entities"]["Ghost"] = {
        **less["tables"]["shop"]["entities"]["Order"],
        "name": "Ghost",
    }
    assert [(step.kind, step.subject) for step in diff(gone, less)] == [("drop", "entity Ghost")]


def test_steps_are_in_the_order_in_which_they_are_safe() -> None:
    steps = diff(shop(), exported(design_of(orders)))
    positions = [ORDER.index(step.kind) for step in steps]
    assert positions == sorted(positions)


def test_an_export_survives_json(tmp_path: Path) -> None:
    whole = exported(design_of(orders))
    path = tmp_path / "v1.json"
    path.write_text(json.dumps(whole))
    assert read_exported(str(path)) == whole
    path.write_text('{"format": 99}')
    with pytest.raises(FileRefused, match="format 1"):
        read_exported(str(path))


def test_a_file_with_anything_else_anywhere_is_refused_or_compared(tmp_path: Path) -> None:
    whole = exported(design_of(orders))
    path = tmp_path / "v1.json"
    refused = 0
    for place in _places(whole):
        for wrong in (None, 3, "x", [], {}, [{}], {"x": 3}):
            given = json.loads(json.dumps(whole))
            *outer, last = place
            reduce(getitem, outer, given)[last] = wrong
            path.write_text(json.dumps(given))
            try:
                read = read_exported(str(path))
            except FileRefused:
                refused += 1
                continue
            assert all(str(step) for step in (*diff(read, whole), *diff(whole, read)))
    assert refused > 100
    path.write_text(json.dumps({**whole, "tables": 3}))
    with pytest.raises(FileRefused, match=r"v1\.json is no export of a design: tables: "):
        read_exported(str(path))


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in values of JSON, as the keys that lead there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*at, key)
        yield from _places(below, (*at, key))
