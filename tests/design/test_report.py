"""What a report says of the order service, and that its page stands by itself."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.design import orders
from tests.design.orders import Account, App, Order, OrderLine

from partita.design import GetMany, P, Query, Scan, TransactGet, Write, design_of
from partita.design.export import exported
from partita.design.html import html
from partita.design.markdown import markdown
from partita.design.picture import COLOURS, bands, svg
from partita.design.prices import FileRefused, Prices, Traffic, default_prices, read_prices, read_traffic
from partita.design.report import Report, report
from partita.design.sizes import most_bytes, stored_bytes, usual_bytes
from partita.design.units import amplification, units_of
from partita.model import Entity, Key, Table
from partita.model.declaring.items import item_of

PRICES = Prices("2030-01-01", "test", "EUR", 1.0, 10.0)


@pytest.fixture
def made() -> Report:
    traffic = Traffic({"account by id": 2_000_000, "register": 1_000_000})
    return report(design_of(orders, "orders"), traffic=traffic, prices=PRICES)


def row(made: Report, name: str) -> dict[str, str]:
    (found,) = [row for row in made.patterns.rows if row[0] == name]
    return dict(zip(made.patterns.headers, found, strict=True))


def test_the_key_table_has_every_entity_and_index(made: Report) -> None:
    (keys,) = made.keys
    assert keys.headers == ("entity", "PK", "SK", "GSI1 (GSI, all)", "GSI2 (GSI, keys)")
    assert keys.rows[0] == (
        "Order",
        "TENANT#{tenant}#ORDER#{id}",
        "META",
        "TENANT#{tenant}#CUST#{customer} / {placed}",
        "TENANT#{tenant}#PENDING#{shard:4} / {placed} (sparse)",
    )
    assert [one[0] for one in keys.rows] == ["Order", "OrderLine", "Stock", "Account"]


def test_patterns_are_told_with_request_index_and_consistency(made: Report) -> None:
    assert row(made, "pending orders") == {
        "pattern": "pending orders",
        "request": "Query × 4",
        "index": "GSI2",
        "consistency": "eventual",
        "key": "GSI2PK = TENANT#{tenant}#PENDING#{shard:4}, at most 25",
        "units": "2 R",
        "a month": "",
        "EUR a month": "",
    }
    assert row(made, "register")["request"] == "TransactWriteItems (up to 3 actions)"
    assert row(made, "account by id")["request"] == "GetItem"
    assert row(made, "ship")["request"] == "UpdateItem"
    assert "GSI1SK between on placed" in row(made, "orders of a customer")["key"]


def test_costs_are_units_times_traffic_times_price(made: Report) -> None:
    assert row(made, "account by id")["EUR a month"] == "1.00"  # 2 million × 0.5 units × 1 for a million
    assert row(made, "register")["EUR a month"] == "60.00"  # 1 million × 6 units × 10 for a million
    assert made.monthly == pytest.approx(61.0)


def test_a_strong_read_costs_twice() -> None:
    key = Order.key(tenant=P("tenant"), id=P("id"))
    weak, strong = (Query("q", key, consistent=consistent) for consistent in (False, True))
    assert (units_of(weak, Traffic()).read, units_of(strong, Traffic()).read) == (0.5, 1.0)


def test_reads_are_estimated_at_their_bound_or_with_the_items_of_the_traffic() -> None:
    sizes = {"Order": 4096, "OrderLine": 4096}
    assert units_of(orders.ORDER_PAGE, Traffic(item_bytes=sizes)).read == 50.5
    assert units_of(orders.ORDER_PAGE, Traffic({}, {"order page": 5}, sizes)).read == 2.5
    assert units_of(Scan("s", Order), Traffic()).read is None


def test_writes_amplify_by_indexes_and_markers() -> None:
    large = Traffic(item_bytes={"Order": 1025, "Account": 100})
    order, account = (amplification(e.__schema__, large) for e in (Order, Account))
    assert order.indexes == (("gsi1", 2), ("gsi2", 1))  # gsi2 projects keys only
    assert (order.item, order.create, order.change, order.delete) == (2, 5, 8, 5)
    assert order.create_in_transaction == 7
    assert (account.markers, account.create, account.change) == (2, 6, 10)
    both = Write("w", creates=[Order, Account], checks=[OrderLine], how="transaction")
    assert units_of(both, large).write == 7 + 6 + 2


def test_sizes_are_those_of_dynamodb() -> None:
    assert stored_bytes({"PK": {"S": "é"}, "n": {"N": "123"}, "b": {"B": b"\x00\x01\x02"}}) == 4 + 4 + 4
    assert usual_bytes(Account.__schema__) == stored_bytes(item_of(Account.example()))


def test_the_largest_item_that_is_declared_is_as_large_as_said() -> None:
    wide = "\U0001f600"
    account = Account(id=wide * 26, email=wide * 100, username=wide * 100)
    assert stored_bytes(item_of(account)) == most_bytes(Account.__schema__)


def test_markdown_tables_have_one_width(made: Report) -> None:
    text = markdown(made)
    assert text.startswith("# Design of orders\n")
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1
    assert "The given traffic costs 61.00 EUR a month." in text
    assert "None: every pattern is proved." in text


def test_findings_are_in_the_report() -> None:
    bad = report(design_of([Scan("all <b>orders</b>", Order)]))
    assert '**refused** "all \\<b\\>orders\\</b\\>": a Scan reads' in markdown(bad)
    page = html(bad)
    assert "<b>orders" not in page
    assert "not proved: 1 refused" in page


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [
            (name, value or "") for name, value in attrs if name in ("src", "href", "action", "data")
        ]
        assert tag not in ("script", "link", "iframe", "object", "embed")
        if tag not in ("meta", "wbr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()


def test_the_page_asks_for_nothing_else(made: Report) -> None:
    page = html(made)
    links = _Links()
    links.feed(page)
    assert links.found == []
    assert links.open == []
    assert "url(" not in page
    assert "@import" not in page


def test_the_picture_shows_collections_with_their_items_in_order() -> None:
    table, gsi1, gsi2 = bands(App.__schema__)
    assert [column.title for column in table.columns] == [
        "TENANT#{tenant}#ORDER#{id}",
        "TENANT#{tenant}#STOCK#{sku}",
        "ACCT#{id}",
    ]
    assert [box.text for box in table.columns[0].boxes] == ["LINE#{number:4}"] * 3 + ["META"]
    assert [box.entity for box in table.columns[0].boxes] == ["OrderLine"] * 3 + ["Order"]
    assert gsi1.columns[0].note == ""
    assert gsi2.columns[0].note == "4 shards, sparse"
    names = [entity.__name__ for entity in App.__schema__.entities]
    drawn = ElementTree.fromstring(svg(App.__schema__, dict(zip(names, COLOURS, strict=False))))
    boxes = [one for one in drawn.iter("{http://www.w3.org/2000/svg}rect") if one.get("fill")]
    assert len(boxes) == 4 + 1 + 1 + 3 + 3


def test_a_picture_of_many_collections_fits_a_page_of_1280_pixels() -> None:
    class Crowd(Table, name="crowd"):
        pass

    kind: Any = type(Entity)
    for number in range(14):
        namespace = {
            "__annotations__": {"id": str},
            "__module__": __name__,
            "key": Key(f"KIND{number:02}#{{id}}", "META"),
        }
        kind(f"Kind{number}", (Entity,), namespace, table=Crowd)
    colours = dict.fromkeys((f"Kind{number}" for number in range(14)), COLOURS[0])
    drawn = ElementTree.fromstring(svg(Crowd.__schema__, colours))
    shown = [one for one in drawn.iter("{http://www.w3.org/2000/svg}rect") if one.get("class") == "partition"]
    places = [[float(one.attrib[name]) for name in ("x", "y", "width", "height")] for one in shown]
    assert len(places) == 14
    assert float(drawn.attrib["width"]) <= 1280 - 2 * (24 + 16) - 40
    for place, (x, y, width, height) in enumerate(places):
        assert x + width <= float(drawn.attrib["width"])
        assert y + height <= float(drawn.attrib["height"])
        for left, top, wide, high in places[:place]:
            assert x >= left + wide or left >= x + width or y >= top + high or top >= y + height


def test_long_keys_may_be_broken_at_their_separators_only() -> None:
    page = html(report(design_of([App])))
    assert "<td>TENANT#<wbr>{tenant}#<wbr>ORDER#<wbr>{id}</td>" in page


def test_prices_come_with_date_and_region_and_can_be_replaced(tmp_path: Path) -> None:
    usual = default_prices()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", usual.date)
    assert usual.region
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({**vars_of(PRICES), "source": "mine"}))
    assert read_prices(str(path)) == Prices("2030-01-01", "test", "EUR", 1.0, 10.0, "mine")


def vars_of(prices: Prices) -> dict[str, Any]:
    return {name: getattr(prices, name) for name in Prices.__dataclass_fields__}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "no JSON"),
        ("[]", "a JSON object"),
        ('{"per_day": {}}', "per_day"),
        ('{"per_month": []}', "an object of names"),
        ('{"per_month": {"nothing": 1}}', "'nothing', which the design has not"),
        ('{"per_month": {"ship": "often"}}', "is a number"),
        ('{"item_bytes": {"Order": -1}}', "is a number"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "traffic.json"
    path.write_text(text)
    with pytest.raises(FileRefused, match=re.escape(says)):
        read_traffic(str(path), {"ship"}, {"Order"})


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(FileRefused, match="cannot be read"):
        read_prices("/nowhere/prices.json")


def test_many_keys_are_one_batch_whose_items_are_rounded_up_each() -> None:
    key = orders.Order.key(tenant=P("tenant"), id=P("ids"))
    many = GetMany("m", key, each="ids", at_most=9)
    assert many.request == "BatchGetItem (up to 9 keys)"
    assert many.words.endswith("at most 9 of ids")
    assert units_of(many, Traffic(item_bytes={"Order": 4097})).read == 9.0
    assert units_of(many, Traffic({}, {"m": 2})).read == 1.0


def test_items_of_one_moment_cost_twice() -> None:
    key, account = orders.Order.key(tenant=P("tenant"), id=P("ids")), orders.Account.key(id=P("account"))
    both = TransactGet("t", key, account, each="ids", at_most=9)
    assert both.request == "TransactGetItems (up to 10 items)"
    assert both.words.startswith("PK = TENANT#{tenant}#ORDER#{id}")
    assert "at most 9 of ids; PK = ACCT#{id}, SK = PROFILE" in both.words
    assert units_of(both, Traffic(item_bytes={"Order": 4097})).read == 2 * (9 * 2 + 1)
    assert units_of(both, Traffic({}, {"t": 5})).read == 10.0
    made = report(design_of([both]))
    assert made.patterns.rows[0][1:4] == ("TransactGetItems (up to 10 items)", "table", "one moment")
    assert not [one for one in made.findings if one.severity == "refused"]
    assert exported(design_of([both]))["patterns"]["t"]["index"] == "table"
