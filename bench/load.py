"""Drives a server with wrk, or a slow one with single requests, and reads what it cost."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench import cpu
from bench.cost import Cost, Round, cost
from bench.reference import Reference
from bench.servers import Caller, Server
from bench.workloads import Workload

CONNECTIONS = 64
REQUESTS_PREPARED = 400
_SINGLE_REQUESTS = 30
_AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=content-length;content-type;host;x-amz-date;x-amz-target;amz-sdk-invocation-id, "
    "Signature=" + "5" * 64
)
HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "User-Agent": "Boto3/1.44.8 md/Botocore#1.44.8 ua/2.1 os/linux#6.1 md/arch#x86_64 lang/python#3.11.7 "
    "md/pyimpl#CPython m/Z,b,E cfg/retry-mode#standard Botocore/1.44.8",
    "X-Amz-Date": "20260101T000000Z",
    "X-Amz-Security-Token": "T" * 240,
    "Authorization": _AUTHORIZATION,
    "amz-sdk-invocation-id": "0b1e2d3c-0000-4000-8000-1234567890ab",
    "amz-sdk-request": "attempt=1",
    "Accept-Encoding": "identity",
}


def has_wrk() -> bool:
    return shutil.which("wrk") is not None


def run(server: Server, workload: Workload, items: int, rounds: int) -> Cost:
    """Runs a workload with wrk in rounds of a second, and measures the machine in between."""
    return run_in_turns(server, [workload], items, rounds)[workload.name]


def run_in_turns(server: Server, workloads: Sequence[Workload], items: int, rounds: int) -> dict[str, Cost]:
    """As `run`, for workloads to compare: a round of each, then the next of each."""
    reference = Reference(is_loaded=True)
    done: dict[str, list[Round]] = {workload.name: [] for workload in workloads}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "load.lua"
        reference.sample()
        for _ in range(rounds):
            for workload in workloads:
                script.write_text(_lua(workload, items))
                done[workload.name].append(_round(server, script))
                reference.sample()
    memory_mb, threads = cpu.memory_mb(server.pid), cpu.threads(server.pid)
    return {name: cost(of, reference.factor, memory_mb, threads) for name, of in done.items()}


def run_singly(server: Server, workload: Workload, items: int, seconds: float) -> Cost:
    """Runs a workload that takes long: one request after the other, each a round, until the time is over."""
    chosen = random.Random(1)
    call = Caller(server.port)
    reference = Reference()
    reference.sample()
    done: list[Round] = []
    deadline = time.monotonic() + seconds
    while not done or (time.monotonic() < deadline and len(done) < _SINGLE_REQUESTS):
        request = workload.request(chosen.randrange(items))
        before_ns = cpu.used_ns(server.pid)
        began = time.monotonic()
        call(workload.operation, request)
        took_ms = (time.monotonic() - began) * 1000
        done.append(Round(1, (cpu.settled_ns(server.pid) - before_ns) / 1000, took_ms, took_ms))
        reference.sample()
    return cost(done, reference.factor, cpu.memory_mb(server.pid), cpu.threads(server.pid))


def _round(server: Server, script: Path) -> Round:
    command = ["wrk", f"-c{CONNECTIONS}", "-t1", "-d1s", "--latency", "--timeout", "60s"]
    command += ["-s", str(script), f"http://127.0.0.1:{server.port}/"]
    before_ns = cpu.settled_ns(server.pid)
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    # What wrk no longer waited for is served as well, and counted among what it sent.
    spent_ns = cpu.settled_ns(server.pid) - before_ns
    requests = int(_match(r"sent (\d+)", output))
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return Round(
        requests,
        spent_ns / 1000 / max(requests, 1),
        _milliseconds(_match(r"50%\s+([\d.]+\w+)", output)),
        _milliseconds(_match(r"99%\s+([\d.]+\w+)", output)),
        int(failed[1]) if failed else 0,
    )


def _lua(workload: Workload, items: int) -> str:
    """A wrk script that sends prepared requests in turn, for items chosen by a fixed seed."""
    chosen = random.Random(1)
    bodies = [json.dumps(workload.request(chosen.randrange(items))) for _ in range(REQUESTS_PREPARED)]
    headers = {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{workload.operation}"}
    lines = ["local bodies = {"]
    lines += [f"  [=====[{body}]=====]," for body in bodies]
    lines += ["}", "wrk.method = 'POST'"]
    lines += [f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}" for name, value in headers.items()]
    lines += [
        "local prepared = {}",
        "function init(args)",
        "  for i, body in ipairs(bodies) do prepared[i] = wrk.format(nil, '/', nil, body) end",
        "end",
        # wrk looks at one request before it sends any.
        "sent = -1",
        "function request()",
        "  sent = sent + 1",
        "  return prepared[sent % #prepared + 1]",
        "end",
        "local thread",
        "function setup(only) thread = only end",
        "function done() print('sent ' .. thread:get('sent')) end",
    ]
    return "\n".join(lines)


def _match(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise RuntimeError(f"wrk printed no {pattern!r}: {text}")
    return found[1]


def _milliseconds(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(\w+)", text).groups()  # type: ignore[union-attr]
    return float(number) * {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}[unit]
