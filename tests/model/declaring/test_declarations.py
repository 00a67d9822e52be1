"""What cannot work is refused when the class is made, in one line that names the place."""

from __future__ import annotations

import enum
from collections.abc import Callable
from copy import deepcopy
from datetime import datetime
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from partita.model import (
    Attribute,
    DeclarationError,
    Entity,
    Index,
    Key,
    KeyAttribute,
    LocalIndex,
    Table,
    UniqueTogether,
    UnreadableItem,
    attribute,
    entity_of,
    item_of,
    unique,
    upcaster,
    version,
)
from partita.model.schema import Item


class Colour(enum.Enum):
    RED = "r"


class Level(enum.IntEnum):
    LOW = 1


class Address(BaseModel):
    city: str
    zip: str | None = None


def declared(
    annotations: dict[str, Any] | None = None, bases: dict[str, Any] | None = None, **members: Any
) -> Any:
    """An entity of a table of its own with a gsi1 and a native index."""

    class Shop(Table, **(bases or {})):
        gsi1 = Index()
        by_n = Index(partition=["id"], sort=["n"])

    fields: dict[str, Any] = {"id": str} | (annotations or {})
    namespace = {"__annotations__": fields, "__module__": __name__, "key": Key("X#{id}", "META")} | members
    return type(Entity)("Thing", (Entity,), namespace, table=Shop)


CASES: list[tuple[dict[str, Any], str]] = [
    ({"key": Key("X#{idd}", "META")}, r"^Thing\.key: there is no field 'idd'; the fields are id"),
    ({"key": Key("X#{id}")}, r"^Thing\.key: a template for SK is missing"),
    ({"key": Key(sort="META")}, r"^Thing\.key: a template for PK is missing"),
    ({"key": Key("X#{id}", "META", when=lambda x: True)}, "`when` is for indexes"),
    ({"key": Key("X#{shard:4}", "META")}, "only in the partition key of a global index"),
    ({"annotations": {"n": "int | None"}, "key": Key("X#{n:4}", "META")}, "n may be None"),
    (
        {"annotations": {"at": datetime}, "key": Key("X#{at:day}", "META")},
        "a field of its own for it, such as at_day: date",
    ),
    ({"gsi2": Key("{id}", "META")}, r"^Thing\.gsi2: Shop has no index 'gsi2'; its indexes: gsi1, by_n"),
    ({"gsi1": Key("{id}")}, r"^Thing\.gsi1: a template for GSI1SK is missing"),
    ({"gsi1": Key("{id}", "{id}#{shard:4}")}, "only in the partition key"),
    ({"by_n": Key("{id}", "META"), "annotations": {"n": int}}, "write by_n = Key()"),
    ({"by_n": Key()}, "Thing has no attribute n"),
    ({"annotations": {"n": bool}}, r"^Thing\.by_n: n is stored as BOOL, which cannot be a key attribute"),
    ({"annotations": {"n": int | str}}, "do not order as the values do"),
    ({"annotations": {"other": Any}}, r"^Thing\.other: Any says nothing"),
    ({"annotations": {"other": list[dict[str, object]]}}, r"^Thing\.other"),
    ({"annotations": {"other": str}, "other": attribute("PK")}, "key attribute of Shop"),
    ({"annotations": {"other": str}, "other": attribute("GSI1PK")}, "key attribute of Shop"),
    ({"annotations": {"other": str}, "other": attribute("_type")}, "holds the entity's type"),
    ({"annotations": {"other": str}, "other": attribute("_v")}, "holds the schema version"),
    ({"annotations": {"other": str}, "other": attribute("id")}, "id is stored as 'id' too"),
    (
        {"annotations": {"v": int, "w": int}, "v": version(), "w": version()},
        "v is declared as the same already",
    ),
    ({"annotations": {"note": "str | None"}, "note": "x"}, "reads back as the default 'x'"),
    ({"once": UniqueTogether("id", "nope")}, "no field 'nope'"),
    ({"once": UniqueTogether()}, "name the fields"),
    ({"annotations": {"tags": set[str]}, "tags": unique()}, "not one text, number or bytes"),
    ({"annotations": {"m": str}, "m": unique(scope=("tenant",))}, "no field 'tenant'"),
    ({"annotations": {"m": str}, "m": unique(scope="id")}, "tuple of field names"),
    ({"annotations": {"m": str}, "m": unique(normaliser_version=0)}, "counts from 1"),
    ({"annotations": {"m": str}, "m": unique(when=lambda x: x.mm)}, "Thing has no attribute 'mm'"),
    ({"annotations": {"m": Annotated[str, Attribute("id")]}}, "stored as 'id' too"),
    ({"model_config": ConfigDict(extra="allow")}, "extra values"),
    ({"annotations": {"by_n": str, "n": int}}, "a field and an index"),
    ({"annotations": {"m": "NotThere"}}, "not known yet"),
]


@pytest.mark.parametrize(("members", "message"), CASES, ids=[message for _, message in CASES])
def test_refused(members: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclarationError, match=message) as refusal:
        declared(**members)
    assert "\n" not in str(refusal.value)


def test_what_just_passes() -> None:
    thing = declared(
        {
            "n": int,
            "at": datetime,
            "note": "str | None",
            "tags": set[str],
            "city": Annotated[str, Field(max_length=3)],
        },
        note=None,
        key=Key("X#{id}", "{n:4}"),
        gsi1=Key("D#{at:day}#{shard:2}", "{note}", when=lambda x: x.n > 3 and x.city.startswith("H")),
    )
    assert set(thing.__schema__.index_keys) == {"gsi1", "by_n"}


def test_a_key_without_a_table_is_refused() -> None:
    with pytest.raises(DeclarationError, match="no table"):

        class Lost(Entity):
            id: str
            key = Key("X#{id}", "META")


@pytest.mark.parametrize(
    ("members", "options", "message"),
    [
        ({"a": Index(partition=["x"] * 5)}, {}, "1 to 4 partition"),
        ({"a": Index(partition=[])}, {}, "1 to 4 partition"),
        ({"a": Index(partition=["x", "x"])}, {}, "each once"),
        ({"a": Index(partition=["x"], sort=["x"])}, {}, "in its partition and its sort key"),
        ({"a": Index(partition="tenant")}, {}, "a list of stored attributes"),
        ({"a": Index(sort=["x"])}, {}, "needs a list of partition attributes"),
        ({"a": Index(project="some")}, {}, "project is"),
        ({"a": Index(name="X"), "b": Index(name="X")}, {}, "another index is called X"),
        ({"a": Index(partition=KeyAttribute("PK", "N"))}, {}, "two kinds"),
        ({"a": LocalIndex(bounded=True)}, {"sort_key": None}, "needs a table with a sort key"),
        ({f"l{n}": LocalIndex(bounded=True) for n in range(6)}, {}, "at most 5"),
        ({}, {"partition_key": "K", "sort_key": "K"}, "are both K"),
    ],
)
def test_tables_that_cannot_be_made(members: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        type(Table)("Shop", (Table,), members, **options)


def test_an_attribute_of_a_multi_attribute_key_has_one_kind_in_all_entities() -> None:
    class Shop(Table):
        by_n = Index(partition=["shop"], sort=["n"])

    class One(Entity, table=Shop):
        id: str
        shop: str
        n: int
        key = Key("O#{id}", "META")

    with pytest.raises(DeclarationError, match="n is stored as S, and as N by One"):

        class Two(Entity, table=Shop):
            id: str
            n: str
            key = Key("T#{id}", "META")

    assert Shop.__schema__.indexes["by_n"].sort == (KeyAttribute("n", "N"),)


class TestWhen:
    """A `when` is run on a stand-in, so that a wrong name shows when the class is made."""

    @pytest.mark.parametrize(
        ("when", "wrong"),
        [
            (lambda o: o.stat == "x", "Thing has no attribute 'stat'"),
            (lambda o: o.status == "x" and o.nam, "'nam'"),
            (lambda o: o.status == "x" or o.nam, "'nam'"),
            (lambda o: o.nam if o.status in ("a", "b") else True, "'nam'"),
            (lambda o: True if o.status in ("a", "b") else o.nam, "'nam'"),
            (lambda o: o.address.town == "x", r"Thing\.address has no attribute 'town'"),
            (lambda o: o.address.city.uper() == "X", r"Thing\.address\.city has no attribute 'uper'"),
            (lambda o: o.n > 3 and o.n < 5 and o.n != 4 and o.nam, "'nam'"),
            (lambda o: len(o.tags) > 1 and o.nam, "'nam'"),
            (lambda o: any(tag == "x" for tag in o.tags) and o.nam, "'nam'"),
            (lambda o: "x" in o.tags and o.nam, "'nam'"),
            (lambda o: o.n + 1 > 2 * o.n and o.nam, "'nam'"),
            (lambda o: hasattr(o, "nam"), "'nam'"),
        ],
    )
    def test_a_wrong_name_is_found_on_every_path(self, when: Callable[[Any], bool], wrong: str) -> None:
        with pytest.raises(DeclarationError, match=r"^Thing\.gsi1: when: .*" + wrong):
            self.thing(when)

    @pytest.mark.parametrize(
        "when",
        [
            lambda o: o.status == "x" and o.address.city.upper().startswith("X"),
            lambda o: o.address.zip is not None,
            lambda o: o.status in {"a", "b"},
            lambda o: o.label() == "x",
            lambda o: bool(o.tags) and max(o.tags) > "x",
            lambda o: all(o.n > n for n in range(100)),
            lambda o: {"a": 1}[o.status] == 1,
            lambda o: o.placed.year > 2020 and o.placed.astimezone().hour < 3,
            lambda o: o._stored is None,
        ],
    )
    def test_right_names_pass_whatever_the_rest_does(self, when: Callable[[Any], bool]) -> None:
        self.thing(when)

    @pytest.mark.parametrize(
        ("when", "wrong"),
        [
            (lambda o: o.kind == "PENDNG", r"Thing\.kind is never 'PENDNG', but one of 'PENDING', 'DONE'"),
            (lambda o: o.n != 1 and o.kind != "done", "never 'done'"),
            (lambda o: o.kind in ("PENDING", "OPEN"), "never 'OPEN'"),
            (lambda o: o.kind == "OPEN", "never 'OPEN'"),
            (lambda o: o.colour == "r", "never 'r', but one of <Colour.RED: 'r'>"),
        ],
    )
    def test_a_choice_that_is_none_is_found(self, when: Callable[[Any], bool], wrong: str) -> None:
        with pytest.raises(DeclarationError, match=r"^Thing\.gsi1: when: .*" + wrong):
            self.choosing(when)

    @pytest.mark.parametrize(
        "when",
        [
            lambda o: o.kind == "DONE" and o.kind != "PENDING",
            lambda o: o.kind == None or o.kind in ["PENDING"],  # noqa: E711
            lambda o: o.colour == Colour.RED or o.colour.value == "x",
            lambda o: o.level == 1,
            lambda o: o.kind.lower() == "done",
        ],
    )
    def test_choices_pass(self, when: Callable[[Any], bool]) -> None:
        self.choosing(when)

    @staticmethod
    def choosing(when: Callable[[Any], bool]) -> None:
        declared(
            {"n": int, "kind": Literal["PENDING", "DONE"] | None, "colour": Colour, "level": Level},
            gsi1=Key("G#{id}", "X", when=when),
        )

    def test_it_may_not_change_the_entity(self) -> None:
        def changes(o: Any) -> bool:
            o.status = "x"
            return True

        with pytest.raises(DeclarationError, match=r"may not change Thing\.status"):
            self.thing(changes)

    @staticmethod
    def thing(when: Callable[[Any], bool]) -> None:
        declared(
            {"status": str, "name": str, "address": Address, "n": int, "tags": set[str], "placed": datetime},
            gsi1=Key("G#{id}", "{name}", when=when),
            label=lambda self: self.status,
        )


class TestUpcasters:
    def test_older_items_are_read_as_the_current_version_would_have_written_them(self) -> None:
        class Shop(Table):
            pass

        class Person(Entity, table=Shop):
            id: str
            first: str
            last: str
            level: Literal["a", "b"]
            key = Key("P#{id}", "META")

            @upcaster(1)
            def _name_was_one(item: Item) -> Item:  # noqa: N805
                first, last = item["name"]["S"].split(" ")
                return item | {"first": {"S": first}, "last": {"S": last}}

            @upcaster(2)
            def _level_was_a_number(item: Item) -> Item:  # noqa: N805
                return item | {"level": {"S": "ab"[int(item["level"]["N"])]}}

        person = Person(id="1", first="Ada", last="L", level="b")
        item = item_of(person)
        assert item["_v"] == {"N": "3"}
        assert entity_of(item, Person) == person
        keys: Item = {"PK": {"S": "P#1"}, "SK": {"S": "META"}, "_type": {"S": "Person"}, "id": {"S": "1"}}
        first: Item = keys | {"name": {"S": "Ada L"}, "level": {"N": "1"}}
        read = entity_of(first, Person)
        assert read == person
        assert read._stored is first
        second = keys | {"first": {"S": "Ada"}, "last": {"S": "L"}, "level": {"N": "1"}, "_v": {"N": "2"}}
        assert entity_of(second, Person) == person
        with pytest.raises(UnreadableItem, match="version 4, this code knows up to 3"):
            entity_of(item | {"_v": {"N": "4"}}, Person)

    def test_they_may_change_the_item_in_place(self) -> None:
        def split(item: Item) -> Item:
            first, last = item.pop("name")["M"]["all"]["S"].split(" ")
            item["first"] = {"S": first}
            return item | {"last": {"S": last}, "tags": shared}

        def tagged(item: Item) -> Item:
            item["tags"]["M"]["new"] = {"S": "x"}
            return item

        shared: Any = {"M": {}}
        thing = declared(
            {"first": str, "last": str, "tags": dict[str, str]},
            _one=upcaster(1)(split),
            _two=upcaster(2)(tagged),
        )
        item: Item = {"PK": {"S": "X#1"}, "SK": {"S": "META"}, "_type": {"S": "Thing"}, "id": {"S": "1"}}
        item["name"] = {"M": {"all": {"S": "Ada L"}}}
        before = deepcopy(item)
        read = entity_of(item, thing)
        assert (read.first, read.tags) == ("Ada", {"new": "x"})
        assert read._stored == before
        assert shared == {"M": {}}

    @pytest.mark.parametrize(
        ("versions", "message"),
        [
            ((2,), "without a gap"),
            ((1, 3), "without a gap"),
            ((1, 1), "two upcasters"),
            ((0, 1), "without a gap"),
        ],
    )
    def test_their_versions_follow_on_one_another(self, versions: tuple[int, ...], message: str) -> None:
        members = {f"_up{n}": upcaster(v)(lambda item: item) for n, v in enumerate(versions)}
        with pytest.raises(DeclarationError, match=message):
            declared(**members)
