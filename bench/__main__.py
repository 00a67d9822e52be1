"""`python -m bench`: measures and prints a report; `--write` puts it into a document."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import shlex
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import in_process, load, servers
from bench.load import Cost
from bench.workloads import INDEXED_TABLE, WORKLOADS, Workload

INDEXED_ITEMS = 2000


def main() -> None:
    options = _options()
    report: dict[str, Any] = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": "python -m bench " + shlex.join(sys.argv[1:]),
        "machine": f"{os.cpu_count()} cores, {_memory_gb()} GB of memory, {platform.system()},"
        f" Python {platform.python_version()}",
        "runs": [],
        "left_out": [],
    }
    if not load.has_wrk():
        report["left_out"].append("everything over HTTP: wrk is not installed (apt-get install wrk)")
    for items in options.items:
        _measure(report, options, items)
    text = _text(report)
    print(text)
    if options.write:
        Path(options.write).write_text(text)
        Path(options.write).with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")
    if any(run["errors"] for run in report["runs"]):
        sys.exit("some requests were answered with an error: the figures above are not to be used")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--seconds", type=int, default=5, help="of load for each workload")
    parser.add_argument("--calls", type=int, default=20_000, help="for each workload in process")
    parser.add_argument("--only", nargs="+", help="names of workloads")
    parser.add_argument("--storages", nargs="+", default=["full", "relaxed", "memory"])
    parser.add_argument(
        "--peers", action="store_true", help="also moto's server and dynalite, at 10,000 items"
    )
    parser.add_argument("--write", help="the document to write, e.g. docs/performance.md")
    return parser.parse_args()


def _measure(report: dict[str, Any], options: argparse.Namespace, items: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        loaded = Path(folder) / "loaded.db"
        _load_file(loaded, items)
        for storage in options.storages:
            path = None if storage == "memory" else Path(folder) / f"{storage}.db"
            if load.has_wrk():
                if path is not None:
                    shutil.copy(loaded, path)
                durability = "full" if path is None else storage
                began = time.monotonic()
                with servers.partita(path, durability) as server:
                    ready_ms = (time.monotonic() - began) * 1000
                    idle_mb = load.memory_mb(server.pid)
                    if path is None:
                        servers.load(servers.Caller(server.port), items, indexed_items=INDEXED_ITEMS)
                    report["runs"] += _over_http(server, options, f"HTTP, {storage}", items)
                report.setdefault("start", {})[f"{storage}, {items:,} items"] = (
                    f"ready in {ready_ms:.0f} ms, idle memory {idle_mb:.0f} MB"
                )
        report["runs"] += _in_process(options, items, loaded)
        if options.peers and items == 10_000:
            for name, server_of in (
                ("moto", servers.moto()),
                ("dynalite", servers.dynalite(Path(folder) / "npm")),
            ):
                try:
                    with server_of as server:
                        servers.load(servers.Caller(server.port), items, indexed_items=INDEXED_ITEMS)
                        report["runs"] += _over_http(server, options, name, items)
                except (OSError, RuntimeError) as failure:
                    report["left_out"].append(f"{name}: {failure}")


def _load_file(path: Path, items: int) -> None:
    from partita import Database

    with Database(str(path), durability="relaxed") as database:
        servers.load(database.call, items, indexed_items=INDEXED_ITEMS)


def _chosen(options: argparse.Namespace) -> list[Workload]:
    return [w for w in WORKLOADS if not options.only or w.name in options.only]


def _items_of(workload: Workload, items: int) -> int:
    return min(items, INDEXED_ITEMS) if INDEXED_TABLE in json.dumps(workload.request(0)) else items


def _over_http(
    server: servers.Server, options: argparse.Namespace, where: str, items: int
) -> list[dict[str, Any]]:
    runs = []
    for workload in _chosen(options):
        try:
            servers.Caller(server.port)(workload.operation, workload.request(1))
        except RuntimeError:
            print(f"{where}: {workload.name} is not supported", file=sys.stderr)
            continue
        cost = load.run(server.pid, server.port, workload, _items_of(workload, items), options.seconds)
        runs.append({"where": where, "items": items, "workload": workload.name, **cost._asdict()})
        print(f"{where}, {items:,} items, {workload.name}: {cost.cpu_us:.1f} µs", file=sys.stderr)
    return runs


def _in_process(options: argparse.Namespace, items: int, path: Path) -> list[dict[str, Any]]:
    from partita import Database

    runs = []
    for where in ("in process, memory", "in process, full"):
        with Database(str(path) if where.endswith("full") else ":memory:") as database:
            if where.endswith("memory"):
                servers.load(database.call, items, indexed_items=INDEXED_ITEMS)
            for workload in _chosen(options):
                # In a file each call waits for the disk.
                calls = max(options.calls // 20, 1) if where.endswith("full") else options.calls
                cpu_us = in_process.run(database, workload, _items_of(workload, items), calls)
                cost = Cost(calls, cpu_us, 0, 0, load.memory_mb(os.getpid()), 0)
                runs.append({"where": where, "items": items, "workload": workload.name, **cost._asdict()})
                print(f"{where}, {items:,} items, {workload.name}: {cpu_us:.1f} µs", file=sys.stderr)
    return runs


def _text(report: dict[str, Any]) -> str:
    lines = [
        "# Performance",
        "",
        "What a request costs, as `make bench` measured it. The figure that counts is the CPU time of the",
        "server (user and system) divided by the requests it answered; requests a second depend on what else",
        "the machine does. 64 connections, requests of an SDK's size, items of 12 attributes, 560 bytes.",
        "",
        f"- Date: {report['date']}",
        f"- Command: `{report['command']}`",
        f"- Machine: {report['machine']}",
        "- Raw figures: `performance.json` beside this page",
        *[f"- Start, {what}: {how}" for what, how in report.get("start", {}).items()],
        *[f"- Left out: {what}" for what in report["left_out"]],
        "",
    ]
    places = dict.fromkeys((run["where"], run["items"]) for run in report["runs"])
    for where, items in places:
        is_local = where.startswith("in process")
        lines += [f"## {where[0].upper()}{where[1:]}, {items:,} items", ""]
        if is_local:
            lines += ["| | CPU µs a call | at most |", "|---|---|---|"]
        else:
            lines += [
                "| | CPU µs a request | at most | p50 ms | p99 ms | memory MB |",
                "|---|---|---|---|---|---|",
            ]
        for run in report["runs"]:
            if (run["where"], run["items"]) != (where, items):
                continue
            workload = next(w for w in WORKLOADS if w.name == run["workload"])
            target = workload.target_in_process_us if is_local else workload.target_us
            applies = where == "in process, memory" if is_local else where == "HTTP, full"
            most = f"{target:g}" if target is not None and applies else ""
            cells = [run["workload"], f"{run['cpu_us']:.1f}", most]
            if not is_local:
                cells += [f"{run['p50_ms']:.2f}", f"{run['p99_ms']:.2f}", f"{run['memory_mb']:.0f}"]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def _memory_gb() -> int:
    return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30)


main()
