"""Declarations that could only fail later are refused when the class is made."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

import pytest

import partita
from partita.model import (
    DeclarationError,
    Entity,
    Index,
    Key,
    Session,
    Table,
    UniqueTogether,
    attribute,
    created,
    ttl,
    unique,
    upcaster,
    updated,
    version,
)


def declared(fields: dict[str, tuple[Any, Any]], when: Any = None, **options: Any) -> type[Entity]:
    class Shop(Table):
        gsi1 = Index()

    body = {"__annotations__": {"id": str, "names": list[str]}, "names": [], "key": Key("X#{id}", "META")}
    for name, (annotation, value) in fields.items():
        body["__annotations__"][name] = annotation  # type: ignore[index]
        body[name] = value
    if when is not None:
        body["gsi1"] = Key("{id}", "X", when=when)
    made: Any = type(Entity)("Thing", (Entity,), {**body, "__module__": __name__}, table=Shop, **options)
    return made  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", ["ab", "a b", "x" * 256, "größe", ""])
def test_names_that_the_service_refuses(name: str) -> None:
    with pytest.raises(DeclarationError, match="no name in DynamoDB"):

        class Indexed(Table):
            gsi1 = Index(name=name or "é")

    with pytest.raises(DeclarationError, match="no name in DynamoDB"):

        class Named(Table, name=name or "é"):
            pass


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"v": (str, version())}, "a version is an int"),
        ({"v": (bool, version())}, "a version is an int"),
        ({"at": (int, created())}, "it holds a time"),
        ({"at": (str | None, updated())}, "it holds a time"),
        ({"at": (int, ttl())}, "datetime"),
        ({"a": (str, unique(normalise=lambda: "x"))}, "normaliser is given 1 values"),
        ({"a": (str, unique(normalise=lambda a, b: a))}, "normaliser is given 1 values"),
        (
            {"a": (str, ""), "both": (Any, UniqueTogether("id", "a", normalise=lambda one: [one]))},
            "normaliser is given 2 values",
        ),
    ],
)
def test_special_fields_and_normalisers(fields: dict[str, Any], message: str) -> None:
    if "both" in fields:
        with pytest.raises(DeclarationError, match=message):

            class Pair(Entity, table=type("Shops", (Table,), {})):
                id: str
                a: str
                key = Key("X#{id}", "META")
                both = UniqueTogether("id", "a", normalise=lambda one: [one])

        return
    with pytest.raises(DeclarationError, match=message):
        declared(fields)


def takes_self(self: Any, item: Any) -> Any:
    return item


@pytest.mark.parametrize(
    ("body", "options", "message"),
    [
        ({"key": Key(3, "META")}, {}, "Thing.key: a template is a text such as"),  # type: ignore[arg-type]
        ({"gsi1": Key("A", "{id}", when=True)}, {}, "Thing.gsi1: when is a function of the entity"),  # type: ignore[arg-type]
        ({"gsi1": Key("A", "{id}", when=lambda: True)}, {}, "Thing.gsi1: when is a function of the entity"),  # type: ignore[arg-type,misc]
        ({}, {"type": 3}, "Thing: its type is a text, not 3"),
        ({"up": upcaster(1)(takes_self)}, {}, "upcaster of version 1 is given the stored item and nothing"),  # type: ignore[arg-type]
        ({"up": upcaster(1)(classmethod(takes_self))}, {}, "upcaster of version 1 is given the stored item"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_template_function_or_type(
    body: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    class Shop(Table):
        gsi1 = Index()

    whole = {"__annotations__": {"id": str}, "__module__": __name__, "key": Key("X#{id}", "META"), **body}
    with pytest.raises(DeclarationError, match=message):
        type(Entity)("Thing", (Entity,), whole, table=Shop, **options)


@pytest.mark.parametrize(
    ("wrong", "message"), [({"when": True}, "when is a function"), ({"normaliser_version": "2"}, "counts")]
)
def test_what_is_no_part_of_a_unique_rule(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        declared({"a": (str, unique(**wrong))})


@pytest.mark.parametrize("name", [3, None, ""])
def test_a_stored_name_is_a_text(name: Any) -> None:
    with pytest.raises(TypeError, match="begins with the stored name"):
        attribute(name)


@pytest.mark.parametrize("option", ["partition_key", "sort_key", "ttl", "discriminator", "schema_version"])
@pytest.mark.parametrize("wrong", [3, "", ["PK"]])
def test_options_of_tables_are_names_of_attributes(option: str, wrong: Any) -> None:
    with pytest.raises(DeclarationError, match=f"Shop: {option} is the name of an attribute, not "):
        type("Shop", (Table,), {}, **{option: wrong})


def test_examples_have_the_fields_of_the_class() -> None:
    made = declared({})
    with pytest.raises(TypeError, match="Thing has no field 'nmae'"):
        made.example(nmae="x")
    with pytest.raises(TypeError, match=r"Thing.example\(\) takes a number, not 'x'"):
        made.example("x")  # type: ignore[arg-type]


@pytest.mark.parametrize("specifier", [unique, partial(attribute, "n")])
def test_a_misspelt_argument_is_not_handed_on(specifier: Any) -> None:
    """pydantic's Field would take it, and a unique value would have no normaliser."""
    with pytest.raises(TypeError, match="no argument 'normalize'"):
        specifier(normalize=str.casefold)


def test_special_fields_that_may_be_none() -> None:
    assert declared({"at": (datetime | None, created()), "v": (int, version())}).__schema__.created == "at"


@pytest.mark.parametrize("name", ["_Unique", "_Operation"])
def test_the_toolkits_own_types(name: str) -> None:
    with pytest.raises(DeclarationError, match="toolkit's own"):
        declared({}, type=name)


@pytest.mark.parametrize(
    "when",
    [
        lambda one: len(one.names) > 2 and one.wrong,
        lambda one: len(one.names) == 3 and one.wrong,
        lambda one: 1 < len(one.names) < 5 and one.wrong,
        lambda one: len(one.names) < 1 and one.wrong,
    ],
)
def test_wrong_names_behind_a_length(when: Any) -> None:
    with pytest.raises(DeclarationError, match="no attribute 'wrong'"):
        declared({}, when)


class Notebook(Table):
    pass


def cell(title: Any) -> type[Entity]:
    body = {
        "__annotations__": {"id": str, "title": title},
        "__module__": "__main__",
        "__qualname__": "Page",
        "key": Key("PAGE#{id}", "META"),
    }
    made: Any = type(Entity)("Page", (Entity,), body, table=Notebook)
    return made  # type: ignore[no-any-return]


def test_a_class_that_is_declared_again_takes_the_place_of_the_earlier_one() -> None:
    cell(int)
    later = cell(str)
    assert Notebook.__schema__.entities == [later]
    assert Notebook.__schema__.by_type == {"Page": later}
    session = Session(partita.Database().client())
    session.create_table(Notebook)
    session.put(later(id="1", title="x"))
    assert list(session.scan_everything(Notebook)) == [later(id="1", title="x")]


def test_a_discriminator_that_fails_on_what_others_wrote_says_no_type() -> None:
    class Mixed(Table, discriminator=lambda item: item["kind"]["S"]):
        pass

    class Own(Entity, table=Mixed, type="own"):
        id: str
        kind: str = "own"
        mail: str = unique()
        key = Key("OWN#{id}", "META")

    client: Any = partita.Database().client()
    session = Session(client)
    session.create_table(Mixed)
    session.create(Own(id="1", mail="a"))
    client.put_item(TableName="Mixed", Item={"PK": {"S": "else"}, "SK": {"S": "x"}})
    assert [one.id for one in session.scan_everything(Mixed, of=[Own])] == ["1"]
    assert session.audit(Mixed).is_clean
