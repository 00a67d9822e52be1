"""Entities as stored items and back."""

from __future__ import annotations

import copy
import hashlib
import pickle
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError, field_validator
from tests.model.declaring.orders import NOON, Account, Address, App, Order, OrderLine, order

from partita.model import (
    Attribute,
    CollectionLimitWarning,
    DeclarationError,
    Entity,
    Index,
    Key,
    KeyAttribute,
    KeyValueError,
    LocalIndex,
    StoreNull,
    Table,
    Unique,
    UnreadableItem,
    UnstorableValue,
    attribute,
    created,
    entity_of,
    item_of,
    ttl,
    version,
)
from partita.model.declaring.items import is_in, key_of, type_of, values_in_keys
from partita.model.schema import Item, UniqueRule

texts = st.text(st.characters(codec="utf-8"), max_size=5)


def test_an_entity_as_it_is_stored() -> None:
    assert item_of(order(tags={"b", "a"}, region="eu", expires=NOON + timedelta(microseconds=1))) == {
        "_type": {"S": "ORDER"},
        "PK": {"S": "TENANT#42#ORDER#991"},
        "SK": {"S": "META"},
        "GSI1PK": {"S": "TENANT#42#CUST#7"},
        "GSI1SK": {"S": "2026-09-28T12:00:00.000000Z"},
        "GSI2PK": {"S": "TENANT#42#PENDING#2"},
        "GSI2SK": {"S": "2026-09-28T12:00:00.000000Z"},
        "tenant": {"S": "42"},
        "id": {"S": "991"},
        "customer": {"S": "7"},
        "status": {"S": "PENDING"},
        "placed": {"S": "2026-09-28T12:00:00.000000Z"},
        "region": {"S": "eu"},
        "address": {"M": {"city": {"S": "Hue"}}},
        "tags": {"SS": ["a", "b"]},
        "amount": {"N": "12.5"},
        "version": {"N": "0"},
        "ttl": {"N": "1790596800"},
    }


orders = st.builds(
    order,
    tenant=texts.filter(bool),
    id=texts,
    customer=texts,
    status=st.sampled_from(["PENDING", "SHIPPED"]),
    placed=st.datetimes(timezones=st.just(UTC)),
    region=st.none() | texts.filter(bool),
    address=st.builds(Address, city=texts, zip=st.none() | texts),
    tags=st.sets(texts, max_size=3),
    total=st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**20), max_value=10**20),
    version=st.integers(0, 10**12),
    expires=st.none() | st.integers(0, 10**10).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
)


@given(orders)
def test_every_entity_reads_back_equal_and_remembers_its_item(written: Order) -> None:
    item = item_of(written)
    read = entity_of(item, App)
    assert read == written
    assert type(read) is Order
    assert read._stored is item
    assert item_of(read) == item
    assert written._stored is None


def test_what_it_was_read_from_survives_changes_and_copies_and_stays_out_of_sight() -> None:
    item = item_of(order())
    read = entity_of(item, Order)
    read.status = "SHIPPED"
    assert read._stored is item
    assert read.model_copy(update={"id": "1"})._stored is item
    assert copy.deepcopy(read)._stored == item
    assert pickle.loads(pickle.dumps(read))._stored == item
    assert "_stored" not in read.model_dump()
    assert "_stored" not in read.model_dump_json()
    assert "_stored" not in repr(read)
    assert "_stored" not in dict(read)
    assert read == order(status="SHIPPED")


def test_assignments_are_validated() -> None:
    with pytest.raises(ValidationError):
        order().status = "LOST"  # type: ignore[assignment]


class TestSchema:
    def test_it_says_what_the_class_declares(self) -> None:
        schema = Order.__schema__
        assert (schema.type_name, schema.version, schema.created, schema.updated, schema.ttl) == (
            "ORDER",
            "version",
            "created_at",
            "updated_at",
            "expires",
        )
        assert schema.fields["total"].attribute == "amount"
        assert schema.fields["expires"].attribute == "ttl"
        assert set(schema.index_keys) == {"gsi1", "gsi2", "by_region"}
        assert schema.index_keys["gsi2"].shards == 4
        assert App.__schema__.entities == [Order, OrderLine, Account]

    def test_a_multi_attribute_index_takes_its_kinds_from_the_attributes(self) -> None:
        index = App.__schema__.indexes["by_region"]
        assert index.partition == (KeyAttribute("tenant", "S"), KeyAttribute("region", "S"))
        assert index.sort == (KeyAttribute("placed", "S"), KeyAttribute("amount", "N"))
        assert Order.__schema__.index_keys["by_region"].index is index

    def test_unique_rules(self) -> None:
        email, username, names = Account.__schema__.uniques
        assert email == UniqueRule("email", ("email",), str.casefold, 1, ("tenant",), None)
        assert username.when is not None
        assert (names.name, names.fields, names.normaliser_version) == ("first+last", ("first", "last"), 2)
        assert Account(id="1", email="x").username == "nobody"

    def test_markers_may_stand_in_annotated(self) -> None:
        class Places(Table):
            pass

        class Place(Entity, table=Places):
            id: Annotated[str, Unique(), Attribute("i")]
            note: Annotated[str | None, StoreNull()] = "x"
            key = Key("P#{id}", "P")

        assert Place.__schema__.uniques[0].name == "id"
        item = item_of(Place(id="1", note=None))
        assert item["note"] == {"NULL": True}
        assert entity_of(item, Place) == Place(id="1", note=None)
        assert entity_of(item_of(Place(id="1", note=None)) | {"i": {"S": "2"}}, Place).id == "2"


class TestIndexes:
    def test_a_sparse_index_holds_what_its_condition_holds_for(self) -> None:
        assert "GSI2PK" in item_of(order())
        assert "GSI2PK" not in item_of(order(status="SHIPPED"))

    def test_an_index_whose_key_needs_an_absent_value_does_not_hold_the_entity(self) -> None:
        line = OrderLine(tenant="42", order="991", number=1, sku="s")
        assert "GSI1SK" not in item_of(line)
        line.category = "shoes"
        assert item_of(line)["GSI1PK"] == {"S": "TENANT#42#CATEGORY#shoes"}

    def test_the_shard_is_a_fixed_digest_of_the_primary_key(self) -> None:
        digest = hashlib.blake2b(b"TENANT#42#ORDER#991\0META", digest_size=8).hexdigest()
        assert item_of(order())["GSI2PK"] == {"S": f"TENANT#42#PENDING#{int(digest, 16) % 4}"}
        shards = {item_of(order(id=str(n)))["GSI2PK"]["S"][-1] for n in range(50)}
        assert shards == {"0", "1", "2", "3"}
        moved = order(customer="8", placed=NOON + timedelta(days=1))
        assert item_of(moved)["GSI2PK"] == item_of(order())["GSI2PK"]

    def test_an_entity_is_in_the_indexes_whose_key_attributes_it_has(self) -> None:
        keys = Order.__schema__.index_keys
        item = item_of(order(status="SHIPPED"))
        assert {name for name, key in keys.items() if is_in(key, item)} == {"gsi1"}
        item = item_of(order(status="SHIPPED", region="eu"))
        assert {name for name, key in keys.items() if is_in(key, item)} == {"gsi1", "by_region"}

    def test_an_inverted_index_needs_no_templates(self) -> None:
        class Graph(Table):
            inverted = Index(partition=KeyAttribute("SK"), sort=KeyAttribute("PK"))

        class Edge(Entity, table=Graph):
            a: str
            b: str
            key = Key("N#{a}", "N#{b}")

        assert item_of(Edge(a="1", b="2")).keys() == {"_type", "PK", "SK", "a", "b"}
        condition, sort = Edge.inverted(b="2").conditions()  # type: ignore[attr-defined]
        assert (condition.attribute, condition.operands) == ("SK", ({"S": "N#2"},))
        assert (sort.attribute, sort.operator, sort.operands) == ("PK", "begins_with", ({"S": "N#"},))

    def test_a_local_index_shares_the_partition_key(self) -> None:
        class Local(Table):
            lsi1 = LocalIndex(bounded=True)
            by_total = LocalIndex(sort="total", bounded=True)

        class Bill(Entity, table=Local):
            id: str
            total: Decimal
            due: date
            key = Key("C#{id}", "BILL")
            lsi1 = Key("DUE#{due}")

        item = item_of(Bill(id="1", total=Decimal(5), due=date(2026, 1, 2)))
        assert item["LSI1SK"] == {"S": "DUE#2026-01-02"}
        schema = Bill.__schema__
        assert schema.index_keys["by_total"].sort[0].kind == "N"
        assert schema.index_keys["by_total"].partition == schema.key.partition

    def test_a_local_index_warns_of_10_gb(self) -> None:
        with pytest.warns(CollectionLimitWarning, match="10 GB"):

            class Warned(Table):
                lsi1 = LocalIndex()


class TestReading:
    def test_entities_of_one_collection_are_told_apart(self) -> None:
        line = OrderLine(tenant="42", order="991", number=1, sku="s")
        assert [type(entity_of(item_of(one), App)) for one in (order(), line)] == [Order, OrderLine]
        assert entity_of(item_of(line), [Order, OrderLine]) == line
        assert type_of(item_of(line), App.__schema__) is OrderLine

    @pytest.mark.parametrize("of", [Order, App, [Order, OrderLine]])
    def test_an_item_of_another_type_is_refused(self, of: Any) -> None:
        with pytest.raises(UnreadableItem, match="OTHER"):
            entity_of({"PK": {"S": "x"}, "SK": {"S": "y"}, "_type": {"S": "OTHER"}}, of)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"placed": {"N": "1"}}, "placed"),
            ({"placed": {"S": "soon"}}, "placed"),
            ({"amount": {"S": "1"}}, "amount"),
            ({"status": {"S": "LOST"}}, "status"),
            ({"address": {"M": {}}}, "city"),
            ({"address": {"S": "x"}}, "address"),
            ({"version": {"N": "1.5"}}, "version"),
            ({"tenant": {"NULL": True}}, "tenant"),
        ],
    )
    def test_a_damaged_item_is_refused_by_name(self, change: Item, message: str) -> None:
        with pytest.raises(UnreadableItem, match=message):
            entity_of(item_of(order()) | change, Order)

    def test_a_missing_attribute_is_read_from_the_keys_or_has_its_default(self) -> None:
        item = item_of(order())
        for name in ("tenant", "id", "customer", "placed", "version"):
            del item[name]
        assert entity_of(item, Order) == order()

    def test_without_either_the_item_is_refused(self) -> None:
        item = item_of(order())
        del item["address"]
        with pytest.raises(UnreadableItem, match="no attribute 'address'"):
            entity_of(item, Order)

    def test_a_keys_only_projection_tells_the_type_and_what_stands_in_its_keys(self) -> None:
        item = item_of(order())
        projected = {name: item[name] for name in ("PK", "SK", "GSI2PK", "GSI2SK")}
        assert type_of(projected, App.__schema__) is Order
        assert values_in_keys(Order.__schema__, projected) == {"tenant": "42", "id": "991", "placed": NOON}

    def test_hooks(self) -> None:
        class Hooked(Entity, table=self.table()):
            id: str
            note: str = ""
            key = Key("H#{id}", "H")

            def after_read(self) -> None:
                self.note = "read"

        assert entity_of(item_of(Hooked(id="1")), Hooked).note == "read"

    def test_validators_of_the_model_hold_for_stored_items(self) -> None:
        class Strict(Entity, table=self.table()):
            id: str
            small: Annotated[int, Field(lt=10)]
            key = Key("S#{id}", "S")

            @field_validator("id")
            @classmethod
            def _no_x(cls, value: str) -> str:
                if "x" in value:
                    raise ValueError("no x")
                return value

        item = item_of(Strict(id="1", small=1))
        for change in ({"small": {"N": "10"}}, {"id": {"S": "x"}}):
            with pytest.raises(UnreadableItem):
                entity_of(item | change, Strict)

    @staticmethod
    def table() -> type[Table]:
        class Some(Table):
            pass

        return Some


class TestRefusedAtRunTime:
    @pytest.mark.parametrize(
        ("values", "error"),
        [
            ({"placed": datetime(2026, 1, 1)}, UnstorableValue),
            ({"total": Decimal("1E+126")}, UnstorableValue),
            ({"tenant": "\ud800"}, KeyValueError),
        ],
    )
    def test_values_that_cannot_be_stored(self, values: dict[str, Any], error: type[Exception]) -> None:
        with pytest.raises(error, match=r"^Order"):
            item_of(order().model_copy(update=values))

    def test_the_message_names_the_field(self) -> None:
        with pytest.raises(UnstorableValue, match=r"^Order\.total: "):
            item_of(order().model_copy(update={"total": Decimal("1E+126")}))
        with pytest.raises(UnstorableValue, match=r"^Order\.tags: "):
            item_of(order().model_copy(update={"tags": [1, object()]}))


class TestAdoption:
    def test_a_table_whose_key_is_a_plain_attribute_stores_it_once(self) -> None:
        class Users(Table, partition_key=KeyAttribute("user_id", "N"), sort_key=None, discriminator=None):
            by_mail = Index(partition=KeyAttribute("mail"), sort=None)

        class User(Entity, table=Users):
            id: int = attribute("user_id")
            mail: str
            key = Key("{id}", raw=True)
            by_mail = Key("{mail}", raw=True)

        user = User(id=7, mail="a b#c")
        assert item_of(user) == {"user_id": {"N": "7"}, "mail": {"S": "a b#c"}}
        assert entity_of(item_of(user), Users) == user
        assert User.key(id=7).item_key() == {"user_id": {"N": "7"}} == key_of(user)
        assert User.by_mail(mail="a b#c").partition() == (("mail", {"S": "a b#c"}),)

    def test_a_binary_key(self) -> None:
        class Blobs(Table, partition_key=KeyAttribute("digest", "B"), sort_key=KeyAttribute("n", "N")):
            pass

        class Blob(Entity, table=Blobs):
            digest: bytes
            n: int
            key = Key("{digest}", "{n}", raw=True)

        blob = Blob(digest=b"\0\xff", n=-3)
        assert key_of(blob) == {"digest": {"B": b"\0\xff"}, "n": {"N": "-3"}}
        assert entity_of(item_of(blob), Blob) == blob
        with pytest.raises(KeyValueError, match="empty"):
            Blob.key(digest=b"", n=1)

    def test_its_own_discriminator_attribute_and_values(self) -> None:
        class Legacy(Table, partition_key="pk", sort_key="sk", discriminator="kind"):
            pass

        class Person(Entity, table=Legacy, type="P"):
            id: str
            key = Key("person/{id}", "-", raw=True)

        assert item_of(Person(id="x y")) == {
            "pk": {"S": "person/x y"},
            "sk": {"S": "-"},
            "kind": {"S": "P"},
            "id": {"S": "x y"},
        }

    def test_a_discriminator_that_is_a_function_of_the_item(self) -> None:
        class Old(Table, discriminator=lambda item: item["PK"]["S"].split("#")[0]):
            pass

        class Car(Entity, table=Old, type="CAR"):
            id: str
            key = Key("CAR#{id}", "CAR")

        class Bus(Entity, table=Old, type="BUS"):
            id: str
            key = Key("BUS#{id}", "BUS")

        assert "_type" not in item_of(Car(id="1"))
        assert entity_of(item_of(Bus(id="1")), Old) == Bus(id="1")
        with pytest.raises(UnreadableItem, match="'VAN'"):
            entity_of({"PK": {"S": "VAN#1"}, "SK": {"S": "VAN"}}, Old)

    def test_without_a_discriminator_the_form_of_the_key_tells(self) -> None:
        class Bare(Table, discriminator=None):
            pass

        class Cat(Entity, table=Bare):
            id: str
            key = Key("CAT#{id}", "META")

        class Toy(Entity, table=Bare):
            id: str
            n: int
            key = Key("CAT#{id}", "TOY#{n:3}")

        toy = Toy(id="1", n=2)
        assert entity_of(item_of(toy), Bare) == toy
        assert entity_of({"PK": {"S": "CAT#1"}, "SK": {"S": "TOY#002"}}, Bare) == toy, "from the key alone"
        with pytest.raises(UnreadableItem):
            entity_of({"PK": {"S": "CAT#1"}, "SK": {"S": "TOY#2"}}, Bare)


class TestInheritance:
    def test_a_class_without_a_key_is_a_base_for_others(self) -> None:
        class Shop(Table):
            gsi1 = Index()

        class Tenanted(Entity, table=Shop):
            tenant: str
            revision: int = version()
            made: datetime | None = created()
            gsi1 = Key("TENANT#{tenant}", "{made}")

            def label(self) -> str:
                return f"{self.tenant}/{type(self).__name__}"

        class Product(Tenanted):
            id: str
            key = Key("T#{tenant}#P#{id}", "META")

        class Shelf(Tenanted):
            id: str
            key = Key("T#{tenant}#S#{id}", "META")

        assert Shop.__schema__.entities == [Product, Shelf]
        assert Product(tenant="1", id="2").label() == "1/Product"
        assert Product.__schema__.version == "revision"
        assert set(Shelf.__schema__.index_keys) == {"gsi1"}
        with pytest.raises(DeclarationError, match="no primary key"):
            Tenanted.gsi1(tenant="1")

    def test_types_of_the_enclosing_function_are_found(self) -> None:
        class Inner(BaseModel):
            x: int

        class Shop(Table):
            pass

        class Outer(Entity, table=Shop):
            id: str
            inner: list[Inner]
            key = Key("O#{id}", "O")

        made = Outer(id="1", inner=[Inner(x=1)])
        assert entity_of(item_of(made), Outer) == made


class TestExpiry:
    def test_it_is_kept_in_whole_seconds_under_the_tables_attribute(self) -> None:
        class Cache(Table, ttl="expires_at"):
            pass

        class Entry(Entity, table=Cache):
            id: str
            until: datetime | None = ttl()
            key = Key("E#{id}", "E")

        item = item_of(Entry(id="1", until=NOON + timedelta(milliseconds=999)))
        assert item["expires_at"] == {"N": "1790596800"}
        assert entity_of(item, Entry).until == NOON
        with pytest.raises(UnstorableValue, match="naive"):
            item_of(Entry(id="1", until=datetime(2026, 1, 1)))

    def test_an_index_key_has_the_whole_second_that_the_item_has(self) -> None:
        class Cache(Table, ttl="expires_at"):
            gsi1 = Index()

        class Page(Entity, table=Cache):
            url: str
            until: datetime | None = ttl()

            key = Key("PAGE#{url}", "PAGE")
            gsi1 = Key("PAGES", "{until}")

        page = Page(url="/", until=NOON + timedelta(microseconds=900_000))
        assert page.until == NOON
        page.until = NOON + timedelta(seconds=1, microseconds=1)
        item = item_of(page)
        read = Page.__schema__.decode(item)
        assert read.until == NOON + timedelta(seconds=1)
        assert item_of(read) == item

    def test_a_table_without_a_ttl_refuses_it(self) -> None:
        class Cache(Table, ttl=None):
            pass

        with pytest.raises(DeclarationError, match="no TTL attribute"):

            class Entry(Entity, table=Cache):
                id: str
                until: datetime | None = ttl()
                key = Key("E#{id}", "E")
