"""Drives a server with wrk and reads what it cost: CPU and memory of the server's processes, latencies."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from bench.workloads import Workload

CONNECTIONS = 64
REQUESTS_PREPARED = 400
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=content-length;content-type;host;x-amz-date;x-amz-target;amz-sdk-invocation-id, "
    "Signature=" + "5" * 64
)
_HEADERS = {
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


class Cost(NamedTuple):
    """What one workload cost. Times in µs, latencies in ms, memory in MB."""

    requests: int
    cpu_us: float
    p50_ms: float
    p99_ms: float
    memory_mb: float
    errors: int


def has_wrk() -> bool:
    return shutil.which("wrk") is not None


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and of the children it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / _TICKS


def memory_mb(pid: int) -> float:
    """Resident memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE / 1e6


def run(pid: int, port: int, workload: Workload, items: int, seconds: int) -> Cost:
    """Runs a workload with wrk against the server with this pid and port."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "load.lua"
        script.write_text(_lua(workload, items))
        command = ["wrk", f"-c{CONNECTIONS}", "-t1", f"-d{seconds}s", "--latency", "--timeout", "60s"]
        command += ["-s", str(script), f"http://127.0.0.1:{port}/"]
        before = cpu_seconds(pid)
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        spent = cpu_seconds(pid) - before
    requests = int(_match(r"(\d+) requests in", output))
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return Cost(
        requests,
        spent * 1e6 / max(requests, 1),
        _milliseconds(_match(r"50%\s+([\d.]+\w+)", output)),
        _milliseconds(_match(r"99%\s+([\d.]+\w+)", output)),
        memory_mb(pid),
        int(failed[1]) if failed else 0,
    )


def _lua(workload: Workload, items: int) -> str:
    """A wrk script that sends prepared requests in turn, for items chosen by a fixed seed."""
    chosen = random.Random(1)
    bodies = [json.dumps(workload.request(chosen.randrange(items))) for _ in range(REQUESTS_PREPARED)]
    headers = {**_HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{workload.operation}"}
    lines = ["local bodies = {"]
    lines += [f"  [=====[{body}]=====]," for body in bodies]
    lines += ["}", "wrk.method = 'POST'"]
    lines += [f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}" for name, value in headers.items()]
    lines += [
        "local prepared = {}",
        "function init(args)",
        "  for i, body in ipairs(bodies) do prepared[i] = wrk.format(nil, '/', nil, body) end",
        "end",
        "local at = 0",
        "function request()",
        "  at = at % #prepared + 1",
        "  return prepared[at]",
        "end",
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
