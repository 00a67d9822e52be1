"""Facts 1.1 to 1.24: the wire, over real sockets."""

from __future__ import annotations

import gzip
import re
import zlib

import pytest
from tests.server.conftest import AUTHORIZATION, Running, Start, request

from partita.server.response import http_date

SERVICE = "com.amazon.coral.service#"


def test_a_call_is_answered_with_the_usual_headers(server: Running) -> None:
    answer = server.ask(request("PutItem", {"Do": {"name": "a"}}))
    assert answer.status == 200
    assert answer.json == {"Name": "a", "Account": "000000000000", "Region": "eu-west-1"}
    headers = answer.headers
    assert headers["content-type"] == "application/x-amz-json-1.0"
    assert re.fullmatch("[0-9A-Z]{52}", headers["x-amzn-requestid"])
    assert headers["x-amz-crc32"] == str(zlib.crc32(answer.body))
    assert headers["server"] == "Server"
    assert re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", headers["date"])
    assert headers["content-length"] == str(len(answer.body))


def test_request_ids_differ(server: Running) -> None:
    client = server.client()
    ids = {client.ask(request()).headers["x-amzn-requestid"] for _ in range(5)}
    assert len(ids) == 5


@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=utf-8"])
def test_plain_json_is_taken(server: Running, content_type: str) -> None:
    answer = server.ask(request(content_type=content_type))
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/x-amz-json-1.0"


@pytest.mark.parametrize(
    "data",
    [
        request(content_type="application/x-amz-json-1.1"),
        request(content_type="text/plain"),
        request(content_type=None),
        request(method="PUT"),
        request(method="DELETE"),
        request(method="OPTIONS"),
        request(method="GET", url="/elsewhere"),
    ],
)
def test_what_is_no_call_is_a_404(server: Running, data: bytes) -> None:
    """Fact 1.2."""
    answer = server.ask(data)
    assert (answer.status, answer.body) == (404, b"<UnknownOperationException/>\n")
    assert answer.headers["x-amz-crc32"] == "3552371480"


def test_errors_of_the_engine(server: Running) -> None:
    answer = server.ask(request("PutItem", {"Do": {"raise": "condition"}}))
    assert answer.status == 400
    assert list(answer.json) == ["__type", "message", "Item"]
    assert answer.json["__type"] == "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"


def test_an_entirely_empty_answer(server: Running) -> None:
    """Fact 1.32."""
    answer = server.ask(request("TagResource"))
    assert (answer.status, answer.body) == (200, b"")


def test_health(server: Running) -> None:
    """Fact 1.13."""
    answer = server.ask(request(method="GET", body=b"", authorization=None))
    assert (answer.status, answer.body) == (200, b"healthy: dynamodb.us-east-1.amazonaws.com ")


def test_answers_to_head_have_no_body(server: Running) -> None:
    client = server.client()
    for changes in ({}, {"url": "/x"}, {"host": "evil.example"}):
        client.ask(request(method="HEAD", body=b"", **changes))
    assert client.ask(request("PutItem", {"Do": {"name": "a"}})).json["Name"] == "a"


@pytest.mark.parametrize(
    "body",
    [b"{", b"nonsense", b'{"a": NaN}', b"\xff\xfe", b"", b"[" * 5000, b'{"a":' * 2000 + b"1" + b"}" * 2000],
)
def test_a_body_that_is_not_json(server: Running, body: bytes) -> None:
    """Fact 1.14."""
    answer = server.ask(request(body=body))
    assert (answer.status, answer.json) == (400, {"__type": SERVICE + "SerializationException"})


@pytest.mark.parametrize(
    "target", ["DynamoDB_20120810.Nothing", "DynamoDB_20111205.GetItem", "GetItem", "", None]
)
def test_an_unknown_operation(server: Running, target: str | None) -> None:
    """Fact 1.16."""
    answer = server.ask(request(x_amz_target=target))
    assert (answer.status, answer.json) == (400, {"__type": SERVICE + "UnknownOperationException"})


@pytest.mark.parametrize("authorization", [None, "", "Basic abc"])
def test_no_authentication(server: Running, authorization: str | None) -> None:
    """Fact 1.17."""
    answer = server.ask(request(authorization=authorization))
    assert (answer.status, answer.json) == (
        400,
        {
            "__type": SERVICE + "MissingAuthenticationTokenException",
            "message": "Request is missing Authentication Token",
        },
    )


def test_a_header_and_a_query_signature(server: Running) -> None:
    """Fact 1.18."""
    answer = server.ask(request(url="/?X-Amz-Algorithm=AWS4-HMAC-SHA256"))
    assert answer.json == {
        "__type": SERVICE + "InvalidSignatureException",
        "message": "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    }


@pytest.mark.parametrize(
    ("header", "date", "message"),
    [
        (
            "AWS4-HMAC-SHA256",
            "20261130T120000Z",
            "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' "
            "parameter. Authorization header requires 'SignedHeaders' parameter. "
            "Authorization=AWS4-HMAC-SHA256",
        ),
        (
            "AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host",
            "20261130T120000Z",
            "Authorization header requires 'Signature' parameter. "
            "Authorization=AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host",
        ),
        (
            AUTHORIZATION,
            None,
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
            f"Authorization={AUTHORIZATION}",
        ),
    ],
)
def test_an_incomplete_header(server: Running, header: str, date: str | None, message: str) -> None:
    """Fact 1.19."""
    server.ask(request())
    answer = server.ask(request(authorization=header, x_amz_date=date))
    assert answer.json == {"__type": SERVICE + "IncompleteSignatureException", "message": message}


@pytest.mark.parametrize(
    ("key", "region", "scope"),
    [
        ("123456789012", "us-west-2", ("123456789012", "us-west-2")),
        ("AKIAEXAMPLE", "local", ("000000000000", "local")),
        ("fake", "", ("000000000000", "us-east-1")),
        ("12345678901", "x", ("000000000000", "x")),
    ],
)
def test_the_scope_is_that_of_the_credential(
    server: Running, key: str, region: str, scope: tuple[str, str]
) -> None:
    header = AUTHORIZATION.replace("AKIAEXAMPLE", key).replace("eu-west-1", region)
    client = server.client()
    for _ in range(2):
        answer = client.ask(request(authorization=header))
        assert (answer.json["Account"], answer.json["Region"]) == scope


def test_a_signature_in_the_query_string(server: Running) -> None:
    url = (
        "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=123456789012%2F20261130%2Fsa-east-1%2Fdynamodb"
        "%2Faws4_request&X-Amz-Date=20261130T120000Z&X-Amz-SignedHeaders=host&X-Amz-Signature=00"
    )
    answer = server.ask(request(url=url, authorization=None))
    assert (answer.json["Account"], answer.json["Region"]) == ("123456789012", "sa-east-1")
    answer = server.ask(request(url="/?X-Amz-Algorithm=AWS4-HMAC-SHA256", authorization=None))
    assert answer.json["message"].startswith("AWS query-string parameters must include 'X-Amz-Credential'. ")


# -- bodies


def test_chunked_bodies(server: Running) -> None:
    head = request(body=b"", content_length=None, transfer_encoding="chunked")
    answer = server.ask(head + b'6\r\n{"Do":\r\n5;x=y\r\n{"nam\r\n8\r\ne":"a"}}\r\n0\r\n\r\n')
    assert answer.json["Name"] == "a"


def test_trailers_do_not_change_headers(server: Running) -> None:
    head = request(body=b"", content_length=None, transfer_encoding="chunked")
    answer = server.ask(head + b"2\r\n{}\r\n0\r\nauthorization: Basic x\r\nhost: evil.example\r\n\r\n")
    assert answer.status == 200


def test_gzip_bodies(server: Running) -> None:
    body = gzip.compress(b'{"Do":{"name":"a"}}')
    assert server.ask(request(body=body, content_encoding="gzip")).json["Name"] == "a"
    assert (
        server.ask(request(body=body[:-9], content_encoding="gzip"))
        .json["__type"]
        .endswith("SerializationException")
    )
    assert server.ask(request(body=b"{}", content_encoding="br")).status == 400


def test_a_compressed_bomb_is_too_large(start: Start) -> None:
    """Fact 1.21."""
    server = start({"body_bytes": 100_000})
    body = gzip.compress(b"[" + b" " * 100_000 + b"]")
    assert server.ask(request(body=body, content_encoding="gzip")).status == 413
    body = gzip.compress(b"{}" + b" " * 99_998)
    assert server.ask(request(body=body, content_encoding="gzip")).status == 200
    assert server.ask(request(body=gzip.compress(b"") * 1000, content_encoding="gzip")).status == 400
    two = gzip.compress(b"{} " + b" " * 60_000) + gzip.compress(b" " * 60_000)
    assert server.ask(request(body=two, content_encoding="gzip")).status == 413


@pytest.mark.parametrize("offer", ["gzip", "deflate, gzip;q=0.5", "GZIP"])
def test_big_answers_are_compressed_where_offered(server: Running, offer: str) -> None:
    """Facts 1.11 and 1.22."""
    body = {"Do": {"bytes": 10_000}}
    answer = server.ask(request(body=body, accept_encoding=offer))
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["x-amz-crc32"] == str(zlib.crc32(answer.body))
    assert len(gzip.decompress(answer.body)) > 10_000
    small = server.ask(request(accept_encoding=offer))
    assert "content-encoding" not in small.headers


@pytest.mark.parametrize("offer", [None, "identity", "gzip;q=0", "br"])
def test_big_answers_stay_plain_otherwise(server: Running, offer: str | None) -> None:
    answer = server.ask(request(body={"Do": {"bytes": 10_000}}, accept_encoding=offer))
    assert "content-encoding" not in answer.headers
    assert len(answer.body) > 10_000


def test_expect_100_continue(server: Running) -> None:
    data = request(body=b"{}", expect="100-continue")
    client = server.client().send(data[:-2])
    assert client.read().status == 100
    assert client.ask(data[-2:]).status == 200
    assert client.ask(data).status == 200


# -- web pages


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8000",
        "127.0.0.1:1",
        "127.9.8.7",
        "[::1]",
        "[::1]:8000",
        "a.b.localhost:80",
        "0.0.0.0:8000",
        "[::]:8000",
    ],
)
def test_loopback_hosts(server: Running, host: str) -> None:
    assert server.ask(request(host=host)).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "[::2]",
        "10.0.0.1:8000",
        "a b",
        "x@localhost",
    ],
)
def test_other_hosts_are_refused(start: Start, host: str) -> None:
    server = start(hosts=["partita.test"])
    answer = server.ask(request(host=host))
    assert answer.status == 403
    assert answer.json["Message"].startswith(f"Host '{host}' is not this machine")
    assert server.engine.calls == []


@pytest.mark.parametrize(
    ("host", "advice"),
    [
        ("db.example:8000", "; start partita with --allow-host db.example to serve it"),
        ("[::2]:8000", "; start partita with --allow-host [::2] to serve it"),
        ("x@localhost", ""),
    ],
)
def test_the_advice_to_a_refused_host_can_be_followed(server: Running, host: str, advice: str) -> None:
    assert server.ask(request(host=host)).json["Message"] == f"Host '{host}' is not this machine{advice}"


def test_configured_hosts(start: Start) -> None:
    assert start(hosts=["Partita.test"]).ask(request(host="partita.test:8000")).status == 200
    assert start(hosts=["*"]).ask(request(host="anything.example")).status == 200
    assert start(hosts=["::2"]).ask(request(host="[::2]:80")).status == 200


def test_no_host(server: Running) -> None:
    assert server.ask(request(host=None)).status == 403


@pytest.mark.parametrize(
    "origin", ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:1", "http://a.localhost"]
)
def test_loopback_origins(server: Running, origin: str) -> None:
    answer = server.ask(request(origin=origin))
    assert answer.status == 200
    assert answer.headers["access-control-allow-origin"] == origin


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "localhost"]
)
@pytest.mark.parametrize("method", ["POST", "OPTIONS"])
def test_other_origins_are_refused(server: Running, origin: str, method: str) -> None:
    answer = server.ask(request(method=method, origin=origin))
    assert answer.status == 403
    assert "access-control-allow-origin" not in answer.headers
    assert server.engine.calls == []


@pytest.mark.parametrize(
    ("origin", "advice"),
    [
        ("https://evil.example:1", "; start partita with --cors https://evil.example:1 to allow it"),
        ("null", "; start partita with --cors null to allow it"),
        ("localhost", ""),
    ],
)
def test_the_advice_to_a_refused_origin_can_be_followed(server: Running, origin: str, advice: str) -> None:
    assert server.ask(request(origin=origin)).json["Message"] == f"Origin '{origin}' is not allowed{advice}"


def test_configured_origins(start: Start) -> None:
    """Fact 1.24."""
    one = start(origins=["https://app.example"])
    assert one.ask(request(origin="https://app.example")).headers["access-control-allow-origin"] == (
        "https://app.example"
    )
    assert one.ask(request(origin="https://other.example")).status == 403
    every = start(origins=["*"])
    assert every.ask(request(origin="https://other.example")).headers["access-control-allow-origin"] == "*"


def test_preflight(server: Running) -> None:
    """Fact 1.24."""
    answer = server.ask(
        request(
            method="OPTIONS",
            body=b"",
            origin="http://localhost:3000",
            authorization=None,
            access_control_request_method="POST",
            access_control_request_headers="x-amz-target,content-type",
        )
    )
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["access-control-max-age"] == "172800"
    assert answer.headers["access-control-allow-headers"] == "x-amz-target,content-type"
    assert "POST" in answer.headers["access-control-allow-methods"]


@pytest.mark.parametrize(
    ("second", "text"),
    [(0, b"Thu, 01 Jan 1970 00:00:00 GMT"), (1796040001, b"Mon, 30 Nov 2026 12:00:01 GMT")],
)
def test_dates(second: int, text: bytes) -> None:
    assert http_date(second) == text
