"""`python -m bench`: measures and prints a report; `--write` puts it into a document."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from bench import cpu, in_process, large_items, load, page, peers, servers
from bench.reference import Reference
from bench.report import Report, Run, Start, progress
from bench.workloads import WORKLOADS, Workload

_STARTS = 5
_PEERS_ITEMS = 10_000


def main() -> None:
    options = _options()
    report = Report.begun()
    workloads = [w for w in WORKLOADS if not options.only or w.name in options.only]
    if not load.has_wrk():
        report.leave_out("everything over HTTP: wrk is not installed (apt-get install wrk)")
    for items in options.items:
        _measure(report, options, workloads, items)
    if load.has_wrk():
        progress("a Get among large items")
        report.large_items = large_items.run(options.large_items, options.rounds)
    if options.peers and load.has_wrk():
        with tempfile.TemporaryDirectory() as folder:
            for name, server in (("moto", servers.moto()), ("dynalite", servers.dynalite(Path(folder)))):
                peers.measure(report, name, server, workloads, min(_PEERS_ITEMS, *options.items))
    text = page.text(report)
    print(text)
    if options.write:
        Path(options.write).write_text(text)
        raw = json.dumps(report.as_json(), indent=1)
        Path(options.write).with_suffix(".json").write_text(raw + "\n")
    if any(run.cost.errors for run in report.runs):
        sys.exit("some requests were answered with an error: the figures above are not to be used")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=8, help="of a second, for each workload over HTTP")
    parser.add_argument("--seconds", type=float, default=2, help="for each workload in process")
    parser.add_argument("--only", nargs="+", help="names of workloads")
    parser.add_argument("--storages", nargs="+", default=["full", "relaxed", "memory"])
    parser.add_argument(
        "--most-in-memory",
        type=int,
        default=100_000,
        metavar="ITEMS",
        help="more items are not loaded into memory, which takes long",
    )
    parser.add_argument("--large-items", type=int, default=500, help="items of 300 KB beside small ones")
    parser.add_argument("--peers", action="store_true", help="also moto's server and dynalite")
    parser.add_argument("--write", help="the document to write, e.g. docs/performance.md")
    return parser.parse_args()


def _measure(report: Report, options: argparse.Namespace, workloads: list[Workload], items: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        loaded = Path(folder) / "loaded.db"
        progress(f"loading {items:,} items")
        _load_file(loaded, items)
        if load.has_wrk():
            for storage in options.storages:
                if storage == "memory" and items > options.most_in_memory:
                    report.leave_out(f"memory with {items:,} items: loading them takes too long")
                    continue
                path = None if storage == "memory" else Path(folder) / f"{storage}.db"
                if path is not None:
                    shutil.copy(loaded, path)
                _over_http(report, options, workloads, items, storage, path)
                if path is not None:
                    path.unlink()
        _in_process(report, options, workloads, items, loaded)


def _load_file(path: Path, items: int) -> None:
    from partita import Database

    with Database(str(path), durability="relaxed") as database:
        servers.load(database.call, items, what=path.name)


def _over_http(
    report: Report,
    options: argparse.Namespace,
    workloads: list[Workload],
    items: int,
    storage: str,
    path: Path | None,
) -> None:
    where = f"HTTP, {storage}"
    durability = "full" if path is None else storage
    reference = Reference()
    started: list[tuple[float, float, float]] = []
    for _ in range(_STARTS):
        reference.sample()
        with servers.partita(path, durability) as server:
            started.append((server.ready_ms, server.ready_cpu_ms, cpu.memory_mb(server.pid)))
    ready_ms, ready_cpu_ms, idle_mb = (min(figures) for figures in zip(*started, strict=True))
    start = Start(where, 0 if path is None else items, ready_ms, ready_cpu_ms, idle_mb, reference.factor)
    report.starts.append(start)
    with servers.partita(path, durability) as server:
        if path is None:
            servers.load(servers.Caller(server.port), items)
        for workload in workloads:
            cost = load.run(server, workload, workload.items_of(items), options.rounds)
            report.add(Run(where, items, workload.name, cost))


def _in_process(
    report: Report, options: argparse.Namespace, workloads: list[Workload], items: int, path: Path
) -> None:
    from partita import Database

    for where in ("in process, memory", "in process, full"):
        in_memory = where.endswith("memory")
        if in_memory and items > options.most_in_memory:
            report.leave_out(f"{where}, with {items:,} items: loading them takes too long")
            continue
        with Database(":memory:" if in_memory else str(path)) as database:
            if in_memory:
                servers.load(database.call, items)
            for workload in workloads:
                cost = in_process.run(database.call, workload, workload.items_of(items), options.seconds)
                report.add(Run(where, items, workload.name, cost))


main()
