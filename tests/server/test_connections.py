"""Connections: order, limits, clients that misbehave or go away."""

from __future__ import annotations

import socket
import struct

import pytest
from tests.server.conftest import Running, Start, request, until


def named(name: str, **do: object) -> bytes:
    return request("PutItem", {"Do": {"name": name, **do}})


def test_keep_alive_and_close(server: Running) -> None:
    client = server.client()
    assert "connection" not in client.ask(request()).headers
    assert client.ask(request(connection="close")).headers["connection"] == "close"
    assert client.is_closed()


def test_http_1_0(server: Running) -> None:
    client = server.client()
    answer = client.ask(request(version="HTTP/1.0", connection="keep-alive"))
    assert answer.headers["connection"] == "keep-alive"
    assert client.ask(request(version="HTTP/1.0")).headers["connection"] == "close"
    assert client.is_closed()


def test_pipelined_requests_are_answered_in_order(server: Running) -> None:
    client = server.client().send(b"".join(named(str(number)) for number in range(200)))
    assert [client.read().json["Name"] for _ in range(200)] == [str(number) for number in range(200)]


def test_pipelined_behind_a_sleeping_request(server: Running) -> None:
    data = named("a", sleeps=2, sleep_us=5000) + named("b") + named("c", sleeps=1, sleep_us=1000) + named("d")
    client = server.client().send(data)
    assert [client.read().json["Name"] for _ in range(4)] == ["a", "b", "c", "d"]
    order = [event for event in server.engine.events if event != "flush"]
    assert order == [f"{what} {name}" for name in "abcd" for what in ("begin", "end")]


def test_a_sleeping_request_holds_no_other_client(server: Running) -> None:
    slow = server.client().send(named("slow", sleeps=1, sleep_us=200_000))
    while "begin slow" not in server.engine.events:
        assert server.ask(named("fast")).status == 200
    assert "end slow" not in server.engine.events
    assert slow.read().json["Name"] == "slow"


def test_requests_byte_by_byte(server: Running) -> None:
    client = server.client()
    client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in named("a"):
        client.send(bytes([byte]))
    assert client.read().json["Name"] == "a"


def test_answers_are_kept_until_the_flush(server: Running) -> None:
    server.engine.fails_at_flush = True
    client = server.client().send(named("a") + request(content_type="text/plain") + named("b"))
    answers = [client.read() for _ in range(3)]
    assert [answer.status for answer in answers] == [500, 404, 500]
    assert answers[0].json == {
        "__type": "com.amazonaws.dynamodb.v20120810#InternalServerError",
        "message": "Internal server error",
    }
    server.engine.fails_at_flush = False
    assert client.ask(named("c")).json["Name"] == "c"


def test_a_store_that_fails_in_a_call_fails_the_turn(server: Running) -> None:
    client = server.client().send(named("a") + named("b", **{"raise": "store"}) + named("c"))
    assert [client.read().status for _ in range(3)] == [500, 500, 200]


def test_a_sleeper_of_a_lost_turn_has_failed(server: Running) -> None:
    server.engine.fails_at_flush = True
    client = server.client().send(named("a", sleeps=1, sleep_us=3_600_000_000) + named("b"))
    assert [client.read().status for _ in range(2)] == [500, 500]
    assert "end a" not in server.engine.events


def test_a_bug_is_a_500_that_tells_nothing(server: Running, capfd: pytest.CaptureFixture[str]) -> None:
    answer = server.ask(named("a", **{"raise": "bug"}))
    assert answer.status == 500
    assert b"secret" not in answer.body
    assert answer.json["__type"].endswith("#InternalServerError")
    errors = capfd.readouterr().err
    assert errors.count("Traceback") == 1
    assert "a secret of the inside" in errors


@pytest.mark.parametrize(
    "data",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost : x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST / HTTP/1.1\r\nHost: loc\x00alhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(50),
    ],
)
def test_malformed_http(server: Running, data: bytes) -> None:
    client = server.client()
    answer = client.ask(data)
    assert answer.status == 400
    assert answer.headers["connection"] == "close"
    assert client.is_closed()


def test_malformed_http_after_requests(server: Running) -> None:
    client = server.client().send(named("a", sleeps=1, sleep_us=1000) + named("b") + b"nonsense\r\n\r\n")
    assert [client.read().status for _ in range(3)] == [200, 200, 400]
    assert client.is_closed()


@pytest.mark.parametrize(
    "data",
    [
        request(url="/" + "a" * 17_000),
        request(x_long="a" * 17_000),
        request(x_long="a" * 17_000, body=b"{}" + b" " * 1000)[:-1],
        request(**{f"x_{number}": "a" * 9000 for number in range(8)}),
        b"POST /" + b"a" * 70_000,
        b"POST / HTTP/1.1\r\nx: " + b"a" * 70_000,
        b"POST / HTTP/1.1\r\n" + b"x: y\r\n" * 20_000,
    ],
)
def test_heads_that_are_too_long(server: Running, data: bytes) -> None:
    """Fact 1.20."""
    client = server.client().send(data)
    assert client.read().status == 400
    assert client.is_closed()


def test_a_head_just_short_enough(server: Running) -> None:
    assert server.ask(request(url="/" + "a" * 16_000, x_long="a" * 16_000)).status == 200


def test_bodies_that_are_too_large(start: Start) -> None:
    """Fact 1.20."""
    server = start({"body_bytes": 100_000})
    assert server.ask(request(body=b"{}" + b" " * 99_998)).status == 200
    assert server.ask(request(body=b"{}" + b" " * 99_999)).status == 413
    # Refused by its length alone, before it is sent.
    client = server.client().send(request(body=b"", content_length="100001", expect="100-continue"))
    assert client.read().status == 413
    head = request(body=b"", content_length=None, transfer_encoding="chunked")
    client = server.client().send(head + (b"ffff\r\n" + b" " * 0xFFFF + b"\r\n") * 2)
    assert client.read().status == 413
    client.send(b"x" * 100_000)
    assert client.is_closed()


def test_trailers_without_end(start: Start) -> None:
    server = start({"message_bytes": 100_000})
    head = request(body=b"", content_length=None, transfer_encoding="chunked")
    client = server.client().send(head + b"2\r\n{}\r\n0\r\n" + b"x: y\r\n" * 20_000)
    assert client.read().status == 413


def test_half_sent_requests_are_cut_off(start: Start) -> None:
    server = start({"request_s": 0.05, "linger_s": 0.05})
    client = server.client().send(request(body=b"{}")[:-1])
    assert client.read().status == 408
    assert client.is_closed()
    for data in (b"P", b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow"):
        assert server.client().send(data).read().status == 408
    assert server.engine.calls == []


def test_a_drip_of_bytes_does_not_prolong_a_request(start: Start) -> None:
    server = start({"request_s": 0.2, "linger_s": 0.05})
    client = server.client().send(b"POST / HTTP/1.1\r\nHost: localhost\r\n")
    client.socket.settimeout(0.01)
    received = b""
    while not received:
        try:
            client.send(b"x: y\r\n")
            received = client.socket.recv(1000)
        except TimeoutError:
            continue
    assert received.startswith(b"HTTP/1.1 408 ")


def test_idle_connections_are_closed(start: Start) -> None:
    server = start({"idle_s": 0.05})
    assert server.client().is_closed()
    client = server.client()
    assert client.ask(request()).status == 200
    assert client.is_closed()


def test_a_client_that_does_not_read_is_cut_off(start: Start) -> None:
    server = start({"request_s": 0.1})
    client = server.client()
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    data = request(body={"Do": {"bytes": 1_000_000}})
    client.send(data * 30)
    until(lambda: server.engine.calls)
    until(lambda: not server.server._connections)
    assert 0 < len(server.engine.calls) < 20


def test_too_many_connections(start: Start) -> None:
    server = start({"connections": 2})
    first, second = server.client(), server.client()
    assert first.ask(request()).status == second.ask(request()).status == 200
    third = server.client()
    assert third.read().status == 503
    assert third.is_closed()
    assert first.ask(request()).status == 200


def test_clients_that_go_away_cost_nothing(server: Running) -> None:
    for data in (b"", b"POST", request()[:-1], named("a"), named("b", sleeps=1, sleep_us=1000) + named("c")):
        client = server.client().send(data)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    until(lambda: not server.server._connections)
    assert server.ask(named("d")).json["Name"] == "d"


def test_a_client_that_has_finished_sending_gets_its_answer(server: Running) -> None:
    client = server.client().send(named("a", sleeps=1, sleep_us=5000) + named("b"))
    client.socket.shutdown(socket.SHUT_WR)
    assert [client.read().json["Name"] for _ in range(2)] == ["a", "b"]
    assert client.is_closed()


def test_an_upgrade_is_ignored(server: Running) -> None:
    data = request(
        body={"Do": {"name": "a"}},
        connection="Upgrade, HTTP2-Settings",
        upgrade="h2c",
        http2_settings="AAMAAABkAARAAAAAAAIAAAAA",
    )
    client = server.client()
    assert client.ask(data).json["Name"] == "a"
    assert client.ask(named("b")).json["Name"] == "b"


@pytest.mark.parametrize("last", [{"connection": "close"}, {"x_long": "a" * 17_000}, {"version": "HTTP/1.0"}])
def test_nothing_is_answered_after_the_last_answer(
    server: Running, last: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    client = server.client().send(request(**last) + b"POST / HTTP/1.1\r\nx: " + b"a" * 70_000)
    assert client.read().headers["connection"] == "close"
    assert client.is_closed()
    assert server.ask(request()).status == 200
    assert capfd.readouterr().err == ""


def test_connect(server: Running) -> None:
    client = server.client()
    assert client.ask(b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n" + request()).status == 400
    assert client.is_closed()


def test_background_work_runs_when_due(server: Running) -> None:
    server.engine.due_us = server.clock.now_us() + 5000
    server.ask(request())
    while not server.engine.background_runs:
        server.ask(request())
    idle = server.engine
    idle.due_us = server.clock.now_us()
    server.loop.call_soon_threadsafe(server.server.turns.run_background)
    until(lambda: not idle.background_runs < 2)


def test_stopping_finishes_what_is_in_flight(server: Running) -> None:
    idle = server.client()
    assert idle.ask(request()).status == 200
    client = server.client().send(named("a", sleeps=1, sleep_us=100_000) + named("b"))
    until(lambda: "begin a" in server.engine.events)
    server.stop_soon()
    assert [client.read().json["Name"] for _ in range(2)] == ["a", "b"]
    assert client.is_closed()
    assert idle.is_closed()
    server.stop()


def test_stopping_does_not_wait_for_ever(start: Start) -> None:
    server = start({"drain_s": 0.05})
    server.client().send(named("a", sleeps=1, sleep_us=3_600_000_000))
    until(lambda: "begin a" in server.engine.events)
    server.stop()
