"""The order service over HTTP, on a database whose indexes are late."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from examples.orders.app import make_app
from examples.orders.entities import Shop
from examples.orders.patterns import PAGE
from examples.orders.service import LEASE, OrderService
from examples.orders.worker import work
from fastapi.testclient import TestClient

import partita
from partita.model import (
    ConditionFailed,
    Consumed,
    NotStored,
    OperationReused,
    ServiceError,
    Session,
    StaleVersion,
    Unprocessed,
)

NOW = datetime.now(UTC)
DAY = {"since": "2000-01-01T00:00:00Z", "until": "2100-01-01T00:00:00Z"}


@pytest.fixture(params=["instant", "aws"])
def service(request: pytest.FixtureRequest) -> Iterator[OrderService]:
    with partita.Database(profile=request.param, seed=1) as database:
        session = Session(database.client(), measure=True)
        session.create_table(Shop)
        yield OrderService(session)


@pytest.fixture
def http(service: OrderService) -> TestClient:
    client = TestClient(make_app(service), base_url="http://127.0.0.1:8080")
    client.put("/tenants/42/customers/7", params={"name": "Ada"}).raise_for_status()
    for product, quantity in (("shoes", 10), ("lamp", 3), ("socks", 100)):
        body = {"title": product.title(), "price": "12.50", "quantity": quantity}
        client.post(f"/tenants/42/products/{product}", json=body).raise_for_status()
    return client


def order(http: TestClient, key: str, **lines: int) -> Any:
    body = {"customer": "7", "lines": [{"product": name, "quantity": count} for name, count in lines.items()]}
    return http.post("/tenants/42/orders", json=body, headers={"Idempotency-Key": key})


def eventually(holds: Callable[[], bool]) -> None:
    """Asks until the late index has it."""
    for _ in range(1000):
        if holds():
            return
    raise AssertionError


def cost(service: OrderService, pattern: str) -> Consumed:
    return service.session.consumed[pattern]


def test_an_order_is_placed_and_its_page_is_one_request(http: TestClient, service: OrderService) -> None:
    placed = order(http, "a", shoes=2, lamp=1)
    assert placed.status_code == 201
    page = http.get(f"/tenants/42/orders/{placed.json()['order']['id']}").json()
    assert page["order"]["total"] == "37.5"
    assert page["order"]["customer_name"] == "Ada"
    assert [(line["title"], line["quantity"]) for line in page["lines"]] == [("Shoes", 2), ("Lamp", 1)]
    assert cost(service, "order page").requests == 1
    assert http.get("/tenants/42/products/shoes").json()["quantity"] == 8


def test_the_same_key_places_one_order(http: TestClient) -> None:
    first, second = order(http, "a", shoes=2), order(http, "a", shoes=2)
    assert first.json()["order"]["id"] == second.json()["order"]["id"]
    assert http.get("/tenants/42/products/shoes").json()["quantity"] == 8
    assert order(http, "b", shoes=2).json()["order"]["id"] != first.json()["order"]["id"]


def test_a_product_wanted_twice_is_one_line(http: TestClient) -> None:
    lines = [{"product": "shoes", "quantity": 2}, {"product": "shoes", "quantity": 3}]
    body = {"customer": "7", "lines": lines}
    placed = http.post("/tenants/42/orders", json=body, headers={"Idempotency-Key": "a"})
    assert [line["quantity"] for line in placed.json()["lines"]] == [5]
    assert http.get("/tenants/42/products/shoes").json()["quantity"] == 5


def test_an_order_that_cannot_be_filled_leaves_nothing(http: TestClient) -> None:
    answer = order(http, "a", shoes=1, lamp=4)
    assert answer.status_code == 409
    assert answer.json()["products"] == ["lamp"]
    assert http.get("/tenants/42/products/shoes").json()["quantity"] == 10
    assert http.get("/tenants/42/pending").json()["orders"] == []


def test_the_order_just_placed_is_always_on_the_customers_list(http: TestClient) -> None:
    for number in range(5):
        placed = order(http, str(number), shoes=1).json()["order"]["id"]
        listed = http.get("/tenants/42/customers/7/orders", params=DAY).json()["orders"]
        assert listed[0]["id"] == placed
        asked = http.get("/tenants/42/customers/7/orders", params={**DAY, "just_placed": placed}).json()
        assert [one["id"] for one in asked["orders"]] == [one["id"] for one in listed]
        assert len(listed) == number + 1


def test_lists_go_on_where_they_ended(http: TestClient) -> None:
    made = [order(http, str(number), socks=1).json()["order"]["id"] for number in range(PAGE + 5)]
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = http.get("/tenants/42/customers/7/orders", params={**DAY, **cursor}).json()
        seen += [one["id"] for one in page["orders"]]
        if page["cursor"] is None:
            break
        cursor = {"cursor": page["cursor"]}
    assert seen == made[::-1]
    other = http.get("/tenants/42/pending", params=cursor)
    assert other.status_code == 422


def test_a_worker_completes_what_waits_and_two_never_take_the_same(
    http: TestClient, service: OrderService
) -> None:
    made = {order(http, str(number), shoes=1).json()["order"]["id"] for number in range(6)}
    done: list[str] = []

    def do(taken: Any) -> None:
        done.append(taken.id)
        assert service.take("42", taken.id, "other", datetime.now(UTC)) is None

    while len(done) < 6:
        work(service, "42", "w1", do)
    assert set(done) == made
    assert work(service, "42", "w2", do) == 0
    page = http.get(f"/tenants/42/orders/{done[0]}").json()
    assert (page["order"]["status"], page["order"]["worker"]) == ("COMPLETED", "w1")


def test_what_a_dead_worker_had_is_taken_over_after_its_lease(
    http: TestClient, service: OrderService
) -> None:
    placed = order(http, "a", shoes=1).json()["order"]["id"]
    taken = service.take("42", placed, "dead", NOW)
    assert taken is not None
    eventually(lambda: [one.status for one in service.pending("42").items] == ["TAKEN"])
    done: list[str] = []

    def do(found: Any) -> None:
        done.append(found.worker)

    assert work(service, "42", "early", do, lambda: NOW + LEASE - timedelta(seconds=1)) == 0
    assert work(service, "42", "next", do, lambda: NOW + LEASE) == 1
    assert done == ["next"]
    with pytest.raises(StaleVersion):
        service.complete(taken)
    page = http.get(f"/tenants/42/orders/{placed}").json()
    assert (page["order"]["status"], page["order"]["worker"]) == ("COMPLETED", "next")


def test_an_order_whose_work_failed_waits_for_its_lease(http: TestClient, service: OrderService) -> None:
    order(http, "a", shoes=1)
    eventually(lambda: bool(service.pending("42").items))

    def fail(taken: Any) -> None:
        raise OSError("no paper")

    with pytest.raises(OSError, match="no paper"):
        work(service, "42", "w1", fail, lambda: NOW)
    assert work(service, "42", "w2", lambda taken: None, lambda: NOW) == 0
    assert work(service, "42", "w2", lambda taken: None, lambda: NOW + LEASE) == 1


@pytest.mark.parametrize("change", [{"customer": "8"}, {"shoes": 3}, {"lamp": 1}])
def test_a_key_does_not_serve_for_another_order(http: TestClient, change: dict[str, Any]) -> None:
    http.put("/tenants/42/customers/8", params={"name": "Bao"}).raise_for_status()
    assert order(http, "a", shoes=2).status_code == 201
    lines = {"shoes": 2} | {name: count for name, count in change.items() if name != "customer"}
    body = {
        "customer": change.get("customer", "7"),
        "lines": [{"product": name, "quantity": count} for name, count in lines.items()],
    }
    other = http.post("/tenants/42/orders", json=body, headers={"Idempotency-Key": "a"})
    assert other.status_code == 422
    assert other.json() == {"error": "the key a was used for another order"}
    assert http.get("/tenants/42/products/shoes").json()["quantity"] == 8


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationReused("x"), 422),
        (NotStored("x"), 404),
        (ConditionFailed("x"), 409),
        (ServiceError("Odd", "x"), 502),
        (Unprocessed("x", []), 503),
    ],
)
def test_every_error_has_an_answer(
    http: TestClient, service: OrderService, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    def fail(tenant: str, product: str) -> None:
        raise error

    monkeypatch.setattr(service, "product", fail)
    answer = http.get("/tenants/42/products/shoes")
    assert answer.status_code == status
    assert "x" in answer.json()["error"]


def test_stock_is_reserved_by_condition(http: TestClient) -> None:
    assert http.post("/tenants/42/products/lamp/reserve?quantity=3").json()["quantity"] == 0
    assert http.post("/tenants/42/products/lamp/reserve?quantity=1").status_code == 409
    assert http.post("/tenants/42/products/none/reserve?quantity=1").status_code == 404


def test_a_form_is_saved_by_version(http: TestClient) -> None:
    seen = http.get("/tenants/42/products/lamp").json()["version"]
    body = {"title": "Head lamp", "price": "9.99", "quantity": 5}
    saved = http.put("/tenants/42/products/lamp", params={"version": seen}, json=body)
    assert saved.json()["version"] == seen + 1
    stale = http.put("/tenants/42/products/lamp", params={"version": seen}, json=body)
    assert stale.status_code == 409
    assert stale.json()["current"]["title"] == "Head lamp"


def test_accounts_are_unique_in_both_values(http: TestClient) -> None:
    ada = {"id": "1", "email": "Ada@example.com", "username": "ada"}
    assert http.post("/accounts", json=ada).status_code == 201
    clash = http.post("/accounts", json={"id": "2", "email": "ada@example.com", "username": "Ada"})
    assert clash.status_code == 409
    assert clash.json()["taken"] == {"email": "ada@example.com", "username": "Ada"}
    assert http.put("/accounts/1/email", json={"email": "new@example.com"}).status_code == 200
    bob = {"id": "2", "email": "ada@example.com", "username": "bob"}
    assert http.post("/accounts", json=bob).status_code == 201
    assert http.put("/accounts/2/email", json={"email": "NEW@example.com"}).status_code == 409
    assert http.delete("/accounts/1").status_code == 204
    assert http.put("/accounts/2/email", json={"email": "NEW@example.com"}).status_code == 200
    assert http.get("/accounts/1").status_code == 404


def test_strange_input_is_refused_in_one_line(http: TestClient) -> None:
    assert order(http, "a", shoes=0).status_code == 422
    assert order(http, "x" * 300, shoes=1).status_code == 422
    assert http.get("/tenants/42/customers/7/orders", params={**DAY, "cursor": "zz"}).status_code == 422
    naive = {"since": "2000-01-01T00:00:00", "until": "2100-01-01T00:00:00"}
    assert http.get("/tenants/42/customers/7/orders", params=naive).status_code == 422
    assert http.get("/openapi.json").json()["info"]["title"] == "Orders"


ACCOUNT = '{"id": "%s", "email": "%s", "username": "ada"}'
PRODUCT = '{"title": "%s", "price": "%s", "quantity": 1}'
LONG = "x" * 3000


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/accounts", ACCOUNT % ("", "a@example.com")),
        ("POST", "/accounts", ACCOUNT % (LONG, "a@example.com")),
        ("POST", "/accounts", ACCOUNT % ("9", "a@\\udfff")),
        ("PUT", "/accounts/9/email", '{"email": "a\\udfff"}'),
        ("POST", "/tenants/42/products/new", PRODUCT % ("\\ud800", "1")),
        ("POST", "/tenants/42/products/new", PRODUCT % (LONG, "1")),
        ("POST", "/tenants/42/products/new", PRODUCT % ("Lamp", "NaN")),
        ("POST", "/tenants/42/products/new", PRODUCT % ("Lamp", "1e-12")),
        ("POST", "/tenants/42/products/new", PRODUCT % ("Lamp", "1e11")),
        ("PUT", "/tenants/42/products/lamp?version=" + "9" * 50, PRODUCT % ("Lamp", "1")),
        ("POST", "/tenants/42/products/lamp/reserve?quantity=" + "9" * 50, ""),
        ("GET", f"/tenants/{LONG}/pending", ""),
        ("GET", f"/tenants/42/orders/{LONG}", ""),
        ("PUT", f"/tenants/42/customers/{LONG}?name=Ada", ""),
        ("PUT", f"/tenants/42/customers/9?name={LONG}", ""),
        (
            "GET",
            f"/tenants/42/customers/7/orders?just_placed={LONG}&since={NOW:%FT%TZ}&until={NOW:%FT%TZ}",
            "",
        ),
        ("POST", "/accounts", "{"),
    ],
)
def test_hostile_input_is_refused_and_never_an_error_of_the_service(
    http: TestClient, method: str, path: str, body: str
) -> None:
    answer = http.request(method, path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert all({"type", "loc", "msg"} == problem.keys() for problem in answer.json()["detail"])


def test_the_page_of_the_api_needs_no_other_server(http: TestClient) -> None:
    page = http.get("/").text
    assert page == http.get("/docs").text
    assert "//" not in page
    assets = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(assets) == 3
    for asset in assets:
        assert http.get(asset).status_code == 200
    assert http.get("/redoc").status_code == 404


def test_another_host_gets_nothing(http: TestClient) -> None:
    for path in ("/docs", "/openapi.json", "/accounts/1"):
        assert http.get(path, headers={"Host": "orders.example"}).status_code == 400
    allowed = http.get("/openapi.json", headers={"Host": "localhost:8080", "Origin": "http://orders.example"})
    assert allowed.status_code == 200
    assert not [name for name in allowed.headers if name.startswith("access-control-")]
