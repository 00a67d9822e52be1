"""What a session reads, on every server: items, pages, collections, views, batches, scans."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from pydantic import AliasPath, BaseModel, Field
from tests.model.conftest import Server
from tests.model.reading.app import (
    DAY,
    App,
    Customer,
    Order,
    OrderLine,
    Payment,
    create_table,
    order,
    put,
)

from partita.model import UnreadableItem, item_of
from partita.model.errors import DeclarationError, KeyValueError, ReadRefused
from partita.model.expressions.fields import F
from partita.model.reading.cursors import CursorRefused
from partita.model.reading.pages import MoreItems, NotOne
from partita.model.sessions.session import Session


@pytest.fixture
def client(server: Server) -> Any:
    client = server.client()
    create_table(client)
    return client


@pytest.fixture
def session(client: Any) -> Iterator[Session]:
    with Session(client) as session:
        yield session


def ids(items: Any) -> list[str]:
    return [item.id for item in items]


class TestGet:
    def test_by_the_values_of_its_key_or_by_the_key(self, session: Session, client: Any) -> None:
        put(client, order(991))
        assert session.get(Order, tenant="42", id="991") == order(991)
        assert session.get(Order.key(tenant="42", id="991"), consistent=True) == order(991)

    def test_what_is_not_there_is_none(self, session: Session) -> None:
        assert session.get(Order, tenant="42", id="991") is None

    def test_it_remembers_the_stored_item(self, session: Session, client: Any) -> None:
        put(client, order(1))
        found = session.get(Order, tenant="42", id="001")
        assert found is not None
        assert found._stored == item_of(order(1))

    def test_an_item_of_another_type_cannot_be_read(self, session: Session, client: Any) -> None:
        stored = item_of(order(1)) | {"_type": {"S": "INVOICE"}}
        client.put_item(TableName="app", Item=stored)
        with pytest.raises(UnreadableItem, match="INVOICE"):
            session.get(Order, tenant="42", id="001")

    def test_a_part_of_a_key_is_refused(self, session: Session) -> None:
        with pytest.raises(KeyValueError, match="full primary key"):
            session.get(OrderLine.key(tenant="42", order="1"))
        with pytest.raises(KeyValueError, match="full primary key"):
            session.get(Order.gsi1(tenant="42", customer="7"))


class OrderLabel(BaseModel):
    id: str
    total: Decimal
    note: str | None = None


class Place(BaseModel):
    city: str


class Delivery(BaseModel):
    order: str = Field(alias="id")
    address: Place
    street: str = Field(validation_alias=AliasPath("address", "street"))
    tag: str | None = Field(None, validation_alias=AliasPath("tags", 1))


class TestView:
    def test_only_its_fields_are_read(self, session: Session, client: Any) -> None:
        put(client, order(1, total=Decimal("9.90"), tags=["x" * 100]))
        label = session.get(Order, tenant="42", id="001", view=OrderLabel)
        assert label == OrderLabel(id="001", total=Decimal("9.90"))

    def test_aliases_nested_models_and_paths(self, session: Session, client: Any) -> None:
        put(client, order(1, tags=["a", "b", "c"]))
        label = session.get(Order, tenant="42", id="001", view=Delivery)
        assert label is not None
        assert label.model_dump() == {
            "order": "001",
            "address": {"city": "Ghent"},
            "street": "Main",
            "tag": "b",
        }

    def test_of_a_query(self, session: Session, client: Any) -> None:
        put(client, order(1), order(2))
        page = session.query(Order, Order.gsi1(tenant="42", customer="7"), view=Delivery, limit=1)
        assert [label.order for label in page.items] == ["001"]
        page = session.query(Order, Order.gsi1(tenant="42", customer="7"), view=Delivery, cursor=page.cursor)
        assert [label.order for label in page.items] == ["002"]

    def test_a_field_that_the_entity_has_not_is_refused(self, session: Session) -> None:
        class Wrong(BaseModel):
            idd: str

        with pytest.raises(DeclarationError, match="Order has no field 'idd'"):
            session.get(Order, tenant="42", id="1", view=Wrong)

    def test_a_field_that_is_stored_as_another_kind_is_refused(self, session: Session) -> None:
        class Wrong(BaseModel):
            total: str

        with pytest.raises(DeclarationError, match="stores it as N, not as S"):
            session.get(Order, tenant="42", id="1", view=Wrong)


class TestQuery:
    def test_in_the_order_of_the_sort_key_both_ways(self, session: Session, client: Any) -> None:
        put(client, *map(order, (3, 1, 2)))
        condition = Order.gsi1(tenant="42", customer="7")
        assert ids(session.query(Order, condition)) == ["001", "002", "003"]
        assert ids(session.query(condition, newest_first=True, limit=2)) == ["003", "002"]

    def test_a_range_of_dates(self, session: Session, client: Any) -> None:
        put(client, *map(order, range(1, 9)))
        between = Order.gsi1(tenant="42", customer="7").between(
            DAY + timedelta(hours=3), DAY + timedelta(hours=5)
        )
        assert ids(session.query(Order, between)) == ["003", "004", "005"]

    def test_pages_go_on_where_the_last_one_ended(self, session: Session, client: Any) -> None:
        put(client, *map(order, range(1, 6)))
        condition = Order.gsi1(tenant="42", customer="7")
        first = session.query(Order, condition, limit=2)
        second = session.query(Order, condition, limit=2, cursor=first.cursor)
        third = session.query(Order, condition, limit=2, cursor=second.cursor)
        assert [ids(page) for page in (first, second, third)] == [["001", "002"], ["003", "004"], ["005"]]
        assert third.cursor is None
        assert ids(session.iterate(Order, condition)) == ["001", "002", "003", "004", "005"]
        assert [ids(page) for page in session.pages(Order, condition, limit=3)] == [
            ["001", "002", "003"],
            ["004", "005"],
        ]

    def test_a_cursor_of_another_query_is_refused(self, session: Session, client: Any) -> None:
        put(client, *map(order, range(1, 4)))
        cursor = session.query(Order, Order.gsi1(tenant="42", customer="7"), limit=1).cursor
        for other in (
            {"condition": Order.gsi1(tenant="42", customer="8")},
            {"condition": Order.gsi1(tenant="42", customer="7").after(DAY)},
            {"condition": Order.gsi1(tenant="42", customer="7"), "newest_first": True},
            {"condition": Order.gsi1(tenant="42", customer="7"), "filter": F(Order).note.exists()},
        ):
            with pytest.raises(CursorRefused, match="belongs to another query"):
                session.query(Order, cursor=cursor, **other)  # type: ignore[arg-type]

    def test_a_signed_cursor_needs_the_key_of_the_session(self, client: Any) -> None:
        put(client, *map(order, range(1, 4)))
        condition = Order.gsi1(tenant="42", customer="7")
        with Session(client, cursor_key=b"mine") as mine, Session(client, cursor_key=b"yours") as yours:
            cursor = mine.query(Order, condition, limit=1).cursor
            assert ids(mine.query(Order, condition, cursor=cursor)) == ["002", "003"]
            with pytest.raises(CursorRefused):
                yours.query(Order, condition, cursor=cursor)

    def test_an_empty_cursor_key_would_sign_nothing(self, client: Any) -> None:
        for wrong in (b"", "a text of at least thirty-two bytes"):
            with pytest.raises(TypeError, match="cursor_key is a secret of bytes that is not empty"):
                Session(client, cursor_key=wrong)  # type: ignore[arg-type]

    def test_a_filter_with_a_limit_goes_on_to_find(self, session: Session, client: Any) -> None:
        put(client, *(order(n, note="rare" if n % 10 == 9 else None) for n in range(40)))
        page = session.query(
            Order, Order.gsi1(tenant="42", customer="7"), filter=F(Order).note == "rare", limit=2
        )
        assert ids(page) == ["009", "019"]
        assert page.evaluated >= 20
        assert not page.stopped

    def test_all_shards_in_one_order(self, session: Session, client: Any) -> None:
        put(client, *map(order, range(20)))
        condition = Order.gsi2(tenant="42")
        assert ids(session.iterate(Order, condition)) == [f"{n:03}" for n in range(20)]
        page = session.query(Order, condition, newest_first=True, limit=7)
        assert ids(page) == [f"{n:03}" for n in range(19, 12, -1)]
        assert page.requests == 4
        page = session.query(Order, condition, newest_first=True, limit=7, cursor=page.cursor)
        assert ids(page) == [f"{n:03}" for n in range(12, 5, -1)]

    def test_a_multi_attribute_index(self, session: Session, client: Any, server: Server) -> None:
        put(client, *map(order, range(5)), order(9, region="us"))
        condition = Order.by_region(tenant="42", region="eu").after(DAY + timedelta(hours=1))
        pages = list(session.pages(Order, condition, limit=2))
        assert [ids(page) for page in pages if page.items] == [["002", "003"], ["004"]]

    def test_a_local_index_is_read_consistently(self, session: Session, client: Any) -> None:
        put(client, order(1))
        page = session.query(Order, Order.lsi1(tenant="42", id="001"), consistent=True, view=OnlyKeys)
        assert [label.id for label in page.items] == ["001"]

    def test_consistent_reads_of_a_global_index_are_refused_at_once(self, session: Session) -> None:
        with pytest.raises(ReadRefused, match="gsi1 is a global index"):
            session.query(Order, Order.gsi1(tenant="42", customer="7"), consistent=True)

    def test_a_filter_on_a_key_attribute_is_refused_at_once(self, session: Session) -> None:
        with pytest.raises(ReadRefused, match="placed is a key attribute"):
            session.query(Order, Order.by_region(tenant="42", region="eu"), filter=F(Order).placed >= DAY)

    @pytest.mark.parametrize("options", [{"limit": 0}, {"max_requests": 0}])
    def test_bounds_are_at_least_one(self, session: Session, options: Any) -> None:
        with pytest.raises(ReadRefused, match="at least 1"):
            session.query(Order, Order.gsi1(tenant="42", customer="7"), **options)


class TestNeighbours:
    """An index that several entities share: the others are left out, and the page is filled all the same."""

    def test_entities_with_another_form_of_the_sort_key_are_not_even_read(
        self, session: Session, client: Any
    ) -> None:
        put(client, Customer(tenant="42", id="7", name="Ada"), *map(order, range(3)))
        page = session.query(Order, Order.gsi1(tenant="42", customer="7"))
        assert ids(page) == ["000", "001", "002"]
        assert page.evaluated == 3
        assert ids(session.query(Customer, Customer.gsi1(tenant="42", id="7"))) == ["7"]

    def test_entities_between_them_do_not_shorten_the_page(self, session: Session, client: Any) -> None:
        for number in range(6):
            paid = Payment(
                tenant="42", id=f"p{number}", customer="7", paid=DAY + timedelta(hours=number, minutes=1)
            )
            put(client, order(number), paid)
        page = session.query(Order, Order.gsi1(tenant="42", customer="7"), limit=4)
        assert ids(page) == ["000", "001", "002", "003"]
        both = session.query([Order, Payment], Order.gsi1(tenant="42", customer="7"), limit=4)
        assert ids(both) == ["000", "p0", "001", "p1"]

    def test_an_entity_that_is_never_in_the_index_is_refused(self, session: Session) -> None:
        with pytest.raises(ReadRefused, match="OrderLine has no key for gsi2"):
            session.query([Order, OrderLine], Order.gsi2(tenant="42"))


class OnlyKeys(BaseModel):
    id: str
    placed: datetime


class Amount(BaseModel):
    id: str
    total: Decimal


class TestPartialProjection:
    def test_whole_entities_are_refused_with_the_reason(self, session: Session) -> None:
        with pytest.raises(ReadRefused, match=r"gsi3 does not project .*amount.*fetch=True"):
            session.query(Order, Order.gsi3(tenant="42", status="PENDING"))
        with pytest.raises(ReadRefused, match="does not project amount, which Amount needs"):
            session.query(Order, Order.gsi3(tenant="42", status="PENDING"), view=Amount)

    def test_a_filter_on_what_is_not_there_is_refused(self, session: Session) -> None:
        with pytest.raises(ReadRefused, match="does not project note"):
            session.query(
                Order, Order.gsi4(tenant="42", status="PENDING"), view=Amount, filter=F(Order).note == "x"
            )

    def test_a_view_that_fits_is_read_also_from_the_keys(self, session: Session, client: Any) -> None:
        put(client, order(1, total=Decimal(5)), order(2, status="SHIPPED"))
        page = session.query(Order, Order.gsi4(tenant="42", status="PENDING"), view=Amount)
        assert page.items == [Amount(id="001", total=Decimal(5))]

        class Keys(BaseModel):
            id: str
            status: str
            customer: str = Field(alias="tenant")

        keys = session.query(Order, Order.gsi3(tenant="42", status="SHIPPED"), view=Keys)
        assert keys.items == [Keys.model_construct(id="002", status="SHIPPED", customer="42")]

    @pytest.mark.parametrize("limit", [None, 2])
    def test_fetching_reads_the_table_and_counts_it(
        self, session: Session, client: Any, limit: int | None
    ) -> None:
        put(client, *map(order, range(3)))
        page = session.query(Order, Order.gsi3(tenant="42", status="PENDING"), fetch=True, limit=limit)
        assert page.items == [order(n) for n in range(3 if limit is None else limit)]
        assert page.requests == 2
        assert page.extra.requests == 1

    def test_a_local_index_fetches_by_itself(self, session: Session, client: Any, server: Server) -> None:
        """LSI.html, "Reading data from a Local Secondary Index": it fetches from the table. Moto does not."""
        if server.name == "moto":
            return
        put(client, order(1))
        page = session.query(Order, Order.lsi1(tenant="42", id="001"), fetch=True)
        assert page.items == [order(1)]
        assert page.requests == 1


class TestCollection:
    @pytest.fixture
    def lines(self, client: Any) -> list[OrderLine]:
        lines = [OrderLine(tenant="42", order="001", number=n, product=f"P{n}") for n in range(3)]
        put(client, order(1), *lines)
        return lines

    def test_an_order_with_its_lines_in_one_request(self, session: Session, lines: list[OrderLine]) -> None:
        found = session.collection(Order.key(tenant="42", id="001"), of=[Order, OrderLine])
        assert found.one(Order) == order(1)
        assert found.of(OrderLine) == lines
        assert found.consumed.requests == 1

    def test_without_types_everything_is_read(self, session: Session, lines: list[OrderLine]) -> None:
        found = session.collection(Order.key(tenant="42", id="001"))
        assert len(found) == 4
        assert found.one_or_none(Customer) is None

    def test_an_item_of_no_known_type(self, session: Session, client: Any, lines: list[OrderLine]) -> None:
        stored = item_of(lines[0]) | {"_type": {"S": "NOTE"}, "SK": {"S": "NOTE#1"}}
        client.put_item(TableName="app", Item=stored)
        assert len(session.collection(Order.key(tenant="42", id="001"), of=[Order, OrderLine])) == 4
        with pytest.raises(UnreadableItem, match="NOTE"):
            session.collection(Order.key(tenant="42", id="001"))

    def test_it_is_bounded(self, session: Session, lines: list[OrderLine]) -> None:
        with pytest.raises(MoreItems, match="more than 3"):
            session.collection(Order.key(tenant="42", id="001"), max_items=3)
        assert len(session.collection(Order.key(tenant="42", id="001"), max_items=4)) == 4

    def test_one_of_several_is_an_error(self, session: Session, lines: list[OrderLine]) -> None:
        with pytest.raises(NotOne, match="3 OrderLine"):
            session.collection(Order.key(tenant="42", id="001")).one(OrderLine)


class TestBatchGet:
    def test_in_the_order_asked_across_types(self, session: Session, client: Any) -> None:
        ada = Customer(tenant="42", id="7", name="Ada")
        put(client, *map(order, range(120)), ada)
        wanted: list[Any] = [Order.key(tenant="42", id=f"{n:03}") for n in range(121)]
        progress: list[tuple[int, int]] = []
        found = session.batch_get(
            [*wanted, Customer.key(tenant="42", id="7"), order(0)],
            consistent=True,
            progress=lambda done, total: progress.append((done, total)),
        )
        assert found == [*map(order, range(120)), None, ada, order(0)]
        assert progress[-1] == (122, 122)

    def test_duplicates_are_read_once_or_refused(self, session: Session, client: Any) -> None:
        put(client, order(1))
        ref = Order.key(tenant="42", id="001")
        assert session.batch_get([ref, ref]) == [order(1), order(1)]
        with pytest.raises(ReadRefused, match="asked for twice"):
            session.batch_get([ref, ref], duplicates="refuse")

    def test_nothing_asked_is_nothing_sent(self, session: Session) -> None:
        assert session.batch_get([]) == []


class TestScan:
    @pytest.mark.parametrize("segments", [1, 3])
    def test_everything_or_some_types(self, session: Session, client: Any, segments: int) -> None:
        ada = Customer(tenant="42", id="7", name="Ada")
        put(client, *map(order, range(10)), ada)
        client.put_item(TableName="app", Item={"PK": {"S": "UNIQ#x"}, "SK": {"S": "LOCK"}})
        everything = list(session.scan_everything(App, segments=segments))
        assert len(everything) == 11
        assert ada in everything
        assert list(session.scan_everything(App, of=[Customer], segments=segments)) == [ada]

    def test_it_ends_at_its_limit(self, session: Session, client: Any) -> None:
        put(client, *map(order, range(10)))
        assert len(list(session.scan_everything(App, limit=4))) == 4
        assert len(list(session.scan_everything(App, limit=4, segments=3))) == 4

    def test_with_a_filter(self, session: Session, client: Any) -> None:
        put(client, *(order(n, note="x" if n == 3 else None) for n in range(10)))
        found = session.scan_everything(App, of=[Order], filter=F(Order).note == "x")
        assert ids(found) == ["003"]


def test_capacity_is_told_with_every_page(session: Session, client: Any, server: Server) -> None:
    """read-write-operations.html: half a unit for up to 4 KB read eventually. Moto tells one."""
    put(client, *map(order, range(3)))
    page = session.query(Order, Order.gsi1(tenant="42", customer="7"))
    assert page.consumed.read_units == (1.0 if server.name == "moto" else 0.5)
    assert page.extra.requests == 0
