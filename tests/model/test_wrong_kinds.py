"""What is given by mistake in place of a table, an entity, an item or an answer is refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

import partita
from partita.model import (
    DeclarationError,
    Entity,
    ExpressionError,
    F,
    HomeRegion,
    Index,
    Key,
    KeyCondition,
    Path,
    Raw,
    ReadRefused,
    Retries,
    Session,
    ShardedCounter,
    Table,
    UnreadableItem,
    WriteRefused,
    attribute_path,
    create_once,
    create_table_request,
    decode_stream_image,
    decode_stream_record,
    difference,
    drift,
    entity_of,
    export,
    item_of,
    render,
    time_to_live_request,
)


class App(Table, name="app"):
    gsi1 = Index()


class Order(Entity, table=App):
    id: str
    qty: int = 0
    slot: int = 0
    home: str = "here"
    key = Key("ORDER#{id}#{slot:2}", "META")
    gsi1 = Key("QTY#{qty:4}", "{id}")


class Base(Entity):
    id: str


ORDER = Order(id="1")
KEYS = {"PK": {"S": "a"}, "SK": {"S": "b"}}
RECORD = {"eventName": "INSERT", "dynamodb": {"Keys": KEYS}}
THINGS: list[Any] = [
    *(None, 5, -1, 1.5, True, "text", b"bytes", [], (), {}, [1], ["x"], {"a": 1}, {"S": "x"}, object()),
    *(len, Table, Entity, Base, ORDER, [ORDER], Order.key, Order.key(id="1", slot=1)),
    *(F(Order), F(Order).qty, F(Order).qty == 1, F(Order).qty.set(1), 10**30),
]
"""What somebody may give by mistake; each case says what of it is right."""


Errors = type[Exception] | tuple[type[Exception], ...]


def refuses(call: Callable[[Any], object], error: Errors, right: Callable[[Any], bool]) -> None:
    for thing in THINGS:
        if right(thing):
            call(thing)
            continue
        with pytest.raises(error) as refused:
            call(thing)
        text = str(refused.value)
        assert "\n" not in text
        assert len(text) < 250
        # Not the accident of a line that took it for something else.
        for accident in (
            "has no attribute",
            "not subscriptable",
            "not iterable",
            "unhashable",
            "not callable",
        ):
            assert accident not in text


def none(_: object) -> bool:
    return False


def is_text(thing: object) -> bool:
    return isinstance(thing, str)


def is_no_map(thing: object) -> bool:
    return thing is None or (isinstance(thing, dict) and not thing)


def is_no_list(thing: object) -> bool:
    return thing is None or (isinstance(thing, list | tuple) and not thing)


@pytest.mark.parametrize(
    "call",
    [
        create_table_request,
        time_to_live_request,
        export,
        lambda table: drift(table, {}),
        lambda table: decode_stream_record(table, RECORD),
        lambda table: decode_stream_image(table, KEYS),
    ],
)
@pytest.mark.parametrize("entity", [None, Order])
def test_a_table_is_needed(call: Callable[[Any], object], entity: type[Entity] | None) -> None:
    refuses(call, TypeError, none)
    if entity is not None:
        with pytest.raises(TypeError, match=r"a table is a class such as App\(Table\), not <class"):
            call(entity)


def test_an_entity_is_needed() -> None:
    refuses(item_of, TypeError, lambda thing: thing is ORDER)
    with pytest.raises(TypeError, match=r"^an entity that has a key is needed, not the table App$"):
        item_of(App)  # type: ignore[arg-type]


def test_classes_of_entities_are_needed() -> None:
    def is_listed(thing: object) -> bool:
        """An entity says as well as its class what it is."""
        return isinstance(thing, list) and any(one is ORDER for one in thing)

    refuses(lambda of: entity_of(item_of(ORDER), of), (TypeError, UnreadableItem), is_listed)  # type: ignore[arg-type]
    refuses(F, ExpressionError, lambda thing: thing is Order)
    with pytest.raises(
        ExpressionError, match=r"^F takes a class of entities, as in F\(Order\).qty, not the table"
    ):
        F(App)  # type: ignore[arg-type]
    refuses(lambda name: F(Order)[name], ExpressionError, none)


def test_items_and_images_are_attribute_values_by_name() -> None:
    refuses(lambda item: entity_of(item, Order), UnreadableItem, none)
    refuses(lambda image: decode_stream_image(App, image), UnreadableItem, is_no_map)
    for item in (
        {"_type": 5},
        {"_type": {"S": "Order"}, "PK": 5},
        {"PK": {"S": 5}},
        {"PK": {"S": "a", "N": "1"}},
    ):
        with pytest.raises(UnreadableItem):
            entity_of(item, Order)  # type: ignore[arg-type]
    with pytest.raises(UnreadableItem, match="no base64"):
        decode_stream_image(App, {"PK": {"B": "é"}})


@pytest.mark.parametrize(
    "record",
    [
        *(
            {"eventName": "INSERT"},
            {"dynamodb": {"Keys": KEYS}},
            {"eventName": "X", "dynamodb": {"Keys": KEYS}},
        ),
        *({"eventName": "INSERT", "dynamodb": 5}, {"eventName": "INSERT", "dynamodb": {}}),
        {"eventName": "INSERT", "dynamodb": {"Keys": {"PK": 5}}},
        {"eventName": ["INSERT"], "dynamodb": {"Keys": KEYS}},
        {**RECORD, "userIdentity": 5},
        {"eventName": "INSERT", "dynamodb": {"Keys": KEYS, "NewImage": {"a": {"S": "x", "N": "1"}}}},
        {"eventName": "INSERT", "dynamodb": {"Keys": KEYS, "NewImage": [KEYS]}},
    ],
)
def test_what_is_no_record_of_a_stream(record: Any) -> None:
    with pytest.raises(UnreadableItem):
        decode_stream_record(App, record)


def test_what_is_no_record_says_what_one_is() -> None:
    refuses(lambda record: decode_stream_record(App, record), UnreadableItem, none)
    with pytest.raises(UnreadableItem, match=r"this is a list of records: decode each one of its Records"):
        decode_stream_record(App, {"Records": [RECORD]})


def test_drift_takes_the_answers_of_the_service() -> None:
    described = create_table_request(App)
    refuses(lambda answer: drift(App, answer), TypeError, none)
    refuses(
        lambda answer: drift(App, described, answer),
        TypeError,
        lambda thing: thing is None or isinstance(thing, dict),
    )
    for answer in (
        {"Table": 5},
        {**described, "KeySchema": [5]},
        {**described, "GlobalSecondaryIndexes": [{}]},
    ):
        with pytest.raises(
            TypeError, match=r"^App is compared with answers of DescribeTable and DescribeTimeToLive"
        ):
            drift(App, answer)  # type: ignore[arg-type]


def test_names_of_tables_and_attributes_are_text() -> None:
    for call in (create_table_request, time_to_live_request):
        refuses(
            lambda name, call=call: call(App, name), TypeError, lambda thing: isinstance(thing, str | None)
        )  # type: ignore[misc]
    refuses(attribute_path, ExpressionError, is_text)
    refuses(lambda kind: attribute_path("a", kind), ExpressionError, none)


def test_expressions() -> None:
    refuses(Raw, ExpressionError, is_text)
    refuses(lambda names: Raw("a", names=names), ExpressionError, is_no_map)
    refuses(lambda values: Raw("a", values=values), ExpressionError, is_no_map)
    refuses(
        lambda name: Raw("#a", names={"#a": name}),
        ExpressionError,
        lambda thing: isinstance(thing, str | Path),
    )
    refuses(lambda terms: render(key_condition=terms), ExpressionError, is_no_list)
    refuses(lambda updates: render(update=updates), ExpressionError, is_no_list)
    refuses(
        lambda paths: render(projection=paths),
        ExpressionError,
        lambda thing: is_no_list(thing) or (isinstance(thing, list) and is_text(thing[0])),
    )
    refuses(lambda schema: difference(schema, {}, {}), TypeError, none)
    refuses(
        lambda item: difference(Order.__schema__, item, {}),
        (ExpressionError, UnreadableItem),
        lambda thing: isinstance(thing, dict),
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"shards": 0}, r"a counter has 1 to 10,000 shards, not 0"),
        ({"shards": -1}, r"a counter has 1 to 10,000 shards, not -1"),
        ({"shards": 10**9}, r"a counter has 1 to 10,000 shards, not 1000000000"),
        ({"shards": 101}, r"101 shards of Order: .*100"),
        ({"shards": "8"}, r"a counter has a number of shards, not '8'"),
        ({"shards": True}, r"a counter has a number of shards, not True"),
        ({"entity": App}, r"a counter counts in items: a class of entities is needed, .*, not the table App"),
        ({"entity": Base}, r"a counter counts in items: Base has no key"),
        ({"shard": "qty"}, r"'qty' numbers the shards, and does not stand in the key of Order"),
        ({"shard": 5}, r"5 numbers the shards, and does not stand in the key of Order"),
        ({"count": "id"}, r"only numbers can be added to"),
        ({"count": "counts"}, r"Order has no field 'counts'"),
    ],
)
def test_counters(arguments: dict[str, Any], text: str) -> None:
    given: dict[str, Any] = {"entity": Order, "shards": 8, "shard": "slot", "count": "qty"}
    ShardedCounter(**given)
    with pytest.raises(DeclarationError, match=text):
        ShardedCounter(**{**given, **arguments})


def test_create_once_needs_the_entity_that_was_built() -> None:
    with partita.Database() as db:
        session = Session(db.client())
        session.create_table(App)
        for given, named in (
            (None, "None"),
            (App, "the table App"),
            (True, "True, a bool"),
            (Base(id="1"), "Base"),
        ):
            with pytest.raises(
                WriteRefused, match=f"the entity that it creates, and this one returned {named}"
            ):
                session.run(create_once("a", lambda tx, given=given: [tx.create(ORDER), given][1]))  # type: ignore[misc]
        assert session.get(Order, id="1", slot=0) is None
        for build in (None, 5, ORDER, Order):
            with pytest.raises(
                TypeError, match="create_once takes a function that builds a transaction, not "
            ):
                create_once("a", build)  # type: ignore[arg-type]
        for wrong in ({"operation": 5}, {"remember": 5}, {"remember": timedelta(-1)}):
            with pytest.raises(WriteRefused):
                session.run(create_once(**{"operation": "a", "build": lambda tx: ORDER, **wrong}))  # type: ignore[arg-type]


def test_reads() -> None:
    def is_condition(thing: object) -> bool:
        return isinstance(thing, KeyCondition)

    def is_model(thing: object) -> bool:
        return thing is None or thing is Entity or thing is Base

    def is_list_of_nothing(thing: object) -> bool:
        return isinstance(thing, list | tuple | dict) and not thing

    def is_included(thing: object) -> bool:
        if isinstance(thing, list) and thing:
            return thing[0] is ORDER
        return thing is None or thing is True or is_list_of_nothing(thing)

    with partita.Database() as db:
        session = Session(db.client())
        session.create_table(App)
        one, several = Order.key(id="1", slot=1), Order.gsi1(qty=1)
        refused: Errors = ReadRefused
        refuses(lambda view: session.get(one, view=view), refused, is_model)
        refuses(lambda view: session.query(several, view=view), refused, is_model)
        refuses(lambda key: session.query(Order, key), refused, is_condition)
        refuses(lambda key: session.collection(key), refused, is_condition)
        refuses(lambda one: session.query(several, including=one), refused, is_included)
        refuses(
            lambda of: session.collection(one, of=of),
            refused,
            lambda thing: thing is None,
        )
        refuses(
            lambda of: list(session.scan_everything(App, of=of)),
            refused,
            lambda thing: thing is None,
        )


def test_sessions() -> None:
    def is_function(thing: object) -> bool:
        return callable(thing)

    with partita.Database() as db:
        client = db.client()
        refuses(lambda given: Session(client, tables=given), TypeError, is_no_map)
        refuses(Session(client).table_name, TypeError, none)
        refuses(Session(client).commit, WriteRefused, none)
        refuses(lambda given: Session(client, now=given), TypeError, is_function)
        refuses(lambda given: Session(client, log=given), TypeError, lambda one: one is None or callable(one))
        refuses(lambda given: Session(client, retries=given), TypeError, lambda one: one is None)
        refuses(lambda given: Session(client, chance=given), TypeError, lambda one: one is None)
        with pytest.raises(TypeError, match=r"^an entity that has a key is needed, not 5, an int$"):
            item_of(5)  # type: ignore[arg-type]


def test_home_regions() -> None:
    refuses(HomeRegion, TypeError, is_text)
    refuses(lambda field: HomeRegion("here", field), TypeError, is_text)
    refuses(HomeRegion("here").is_home_of, TypeError, lambda thing: thing is ORDER)
    refuses(HomeRegion("here").home_of, TypeError, none)
    refuses(HomeRegion("here").condition, ExpressionError, none)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"attempts": "8"}, {"attempts": 0}, {"attempts": None}, {"attempts": 1.5}, {"first_seconds": "1"}),
        *({"first_seconds": -1}, {"most_seconds": float("nan")}, {"most_seconds": float("inf")}),
    ],
)
def test_retries(wrong: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)) as refused:
        Retries(**wrong)
    assert next(iter(wrong)) in str(refused.value) or "attempt" in str(refused.value)
