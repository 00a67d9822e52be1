"""The metrics page and the access log."""

from __future__ import annotations

import io

import orjson
from tests.server.conftest import Start, request


def test_metrics(start: Start) -> None:
    server = start(gauges=lambda: {"log_lag": 7})
    server.ask(request("GetItem"))
    server.ask(request("GetItem"))
    server.ask(request("PutItem", {"Do": {"raise": "condition"}}))
    answer = server.ask(request(method="GET", url="/_partita/metrics", body=b"", authorization=None))
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.body.decode().splitlines()
    assert 'partita_requests_total{operation="GetItem"} 2' in lines
    assert 'partita_errors_total{error="ConditionalCheckFailedException"} 1' in lines
    assert 'partita_request_seconds_bucket{operation="GetItem",le="+Inf"} 2' in lines
    assert 'partita_request_seconds_count{operation="PutItem"} 1' in lines
    assert "partita_log_lag 7" in lines
    assert any(line.startswith("process_cpu_seconds_total ") for line in lines)
    assert any(line.startswith("partita_commits_total ") for line in lines)


def test_access_lines(start: Start) -> None:
    stream = io.StringIO()
    server = start(log=stream)
    ok = server.ask(request("GetItem", {"TableName": "music"}))
    server.ask(request("PutItem", {"Do": {"raise": "condition"}}))
    server.ask(b"nonsense\r\n\r\n")
    server.stop()
    first, second, third = (orjson.loads(line) for line in stream.getvalue().splitlines())
    assert first["operation"] == "GetItem"
    assert first["table"] == "music"
    assert first["status"] == 200
    assert first["region"] == "eu-west-1"
    assert first["request_id"] == ok.headers["x-amzn-requestid"]
    assert second["error"] == "ConditionalCheckFailedException"
    assert (third["operation"], third["status"]) == (None, 400)
