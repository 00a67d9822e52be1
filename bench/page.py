"""`docs/performance.md`, written from a report."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from bench.cost import Cost
from bench.reference import TARGET_US
from bench.report import Report
from bench.workloads import INDEXED_ITEMS, WORKLOADS, Workload

MOST_READY_MS = 300
MOST_IDLE_MB = 60
MOST_GROWTH = 1.3
MOST_GROWTH_IN_PROCESS = 1.6
MOST_LARGE_ITEMS = 1.3
PEERS = ("moto", "dynalite")
_TARGETS: dict[str, Callable[[Workload], float | None]] = {
    "HTTP, full": lambda workload: workload.target_us,
    "in process, memory": lambda workload: workload.target_in_process_us,
}

_INTRODUCTION = """
What a request costs. The figure that counts is the CPU time of the server (user and system) divided by the
requests that it was sent. Requests a second are not given: they say more about what else the machine does.
Over HTTP there are 64 connections and requests of an SDK's size; items have 12 attributes and about 560
bytes.
"""
_READING = """
**How to read the figures.** No two machines are equally fast, and on a machine that others use as well the
same work takes now once, now twice as long. So each workload runs in several short rounds, of which the
least counts (what disturbs only ever adds), and between the rounds some work that is always the same is
timed: {reference}. In brackets is how long it takes on the machine on which the targets were set. How many
times as long it took here is the *factor*. The tables give **µs divided by the factor: what a request would
cost on the machine of the targets**. Only these are compared with the targets; **bold** is above its target.
What was measured here, undivided, stands further down. Between rounds over HTTP the
other cores are kept busy meanwhile, as they are by the load.
"""
_STORAGES = """
"HTTP, full" is `partita serve` on a file, where each answer waits until its write is on the disk; "relaxed"
does not wait for the disk; "memory" has no file. "In process" is `partita.Database.call`, dict in and dict
out, one call after the other. A dash was not measured; why is said under "Left out".
"""


def text(report: Report) -> str:
    factors = [run.cost.factor for run in report.runs]
    reference = ", ".join(f"{name} ({us:g} µs)" for name, us in TARGET_US.items())
    facts = [
        f"- Date: {report.date}",
        f"- Command: `{report.command}`",
        f"- Machine: {report.machine}",
        f"- Factor: {min(factors):.2f} to {max(factors):.2f}, by workload" if factors else "- Factor: –",
        "- Raw figures: `performance.json` beside this page",
    ]
    parts = [
        "# Performance",
        _paragraph(_INTRODUCTION),
        _paragraph(_READING.format(reference=reference)),
        "\n".join(facts),
    ]
    counts = list(dict.fromkeys(run.items for run in report.runs))
    for items in counts:
        parts += [
            f"## {items:,} items",
            *([_paragraph(_STORAGES)] if items == counts[0] else []),
            _costs(report, items),
        ]
    if len(counts) > 1:
        parts.append(_growth(report, counts[0], counts[-1]))
    if report.large_items:
        parts.append(_large_items(report))
    if report.starts:
        parts.append(_starts(report))
    parts += [_latencies(report, items) for items in counts]
    parts += [_measured(report, items) for items in counts]
    if report.left_out:
        parts.append("## Left out\n\n" + "\n".join(f"- {what}" for what in report.left_out))
    return "\n\n".join(part for part in parts if part) + "\n"


def _costs(report: Report, items: int) -> str:
    places = _places(report, items)
    targets = [place for place in _TARGETS if place in places]
    rows = []
    for workload in _workloads(report, items):
        row = [workload.name]
        for place in places:
            target = _TARGETS[place](workload) if place in _TARGETS else None
            cost = report.cost(place, items, workload.name)
            row.append("–" if cost is None else _against(cost.target_machine_us, target))
        for place in targets:
            target = _TARGETS[place](workload)
            row.append("" if target is None else f"{target:g}")
        rows.append(row)
    head = ["CPU µs on the machine of the targets", *places, *(f"target {place}" for place in targets)]
    return _table(head, rows)


def _growth(report: Report, few: int, many: int) -> str:
    places = [place for place in _places(report, many) if place in _places(report, few)]
    rows = []
    for workload in _workloads(report, many):
        row = [workload.name]
        for place in places:
            before = report.cost(place, few, workload.name)
            after = report.cost(place, many, workload.name)
            if before is None or after is None:
                row.append("–")
                continue
            figures = [cost.target_machine_us for cost in (before, after)]
            ratio = _against(figures[1] / figures[0], _most_growth(place), 2)
            row.append(f"{ratio} ({figures[0]:,.1f} → {figures[1]:,.1f})")
        rows.append(row)
    head = ["", *(f"{place} (at most {_most_growth(place):g})" for place in places)]
    introduction = _paragraph(
        f"The cost with {many:,} items divided by the cost with {few:,}; in brackets both, in µs on the"
        f" machine of the targets. The table with the global index has {INDEXED_ITEMS:,} items in both."
    )
    return f"## How cost grows with the number of items\n\n{introduction}\n\n{_table(head, rows)}"


def _most_growth(place: str) -> float:
    return MOST_GROWTH_IN_PROCESS if place.startswith("in process") else MOST_GROWTH


def _large_items(report: Report) -> str:
    usual, mixed = report.large_items["usual"], report.large_items["half of it large"]
    # The rounds took turns, so both figures were disturbed alike.
    ratio = mixed.least_us / usual.least_us
    row = [
        "Get of a small item, HTTP, full",
        f"{usual.target_machine_us:.1f}",
        f"{mixed.target_machine_us:.1f}",
        _against(ratio, MOST_LARGE_ITEMS, 2),
        f"{MOST_LARGE_ITEMS:g}",
    ]
    head = ["CPU µs on the machine of the targets", "all items small", "every second item of 300 KB"]
    return f"## Small items among large ones\n\n{_table([*head, 'ratio', 'at most'], [row])}"


def _starts(report: Report) -> str:
    rows = [
        [
            start.where + (f", {start.items:,} items" if start.items else ", empty"),
            _against(start.ready_ms / start.factor, MOST_READY_MS, 0),
            f"{start.ready_ms:.0f}",
            f"{start.ready_cpu_ms:.0f}",
            _against(start.idle_memory_mb, MOST_IDLE_MB, 0),
        ]
        for start in report.starts
    ]
    head = [
        "",
        f"ms until ready, on the machine of the targets (at most {MOST_READY_MS})",
        "as measured here",
        "of which CPU",
        f"idle memory, MB (at most {MOST_IDLE_MB})",
    ]
    introduction = _paragraph(
        "From the start of the process to its first answer, the least of several starts; memory before any"
        " request of DynamoDB's."
    )
    return f"## Start\n\n{introduction}\n\n{_table(head, rows)}"


def _latencies(report: Report, items: int) -> str:
    places = [place for place in _places(report, items) if not place.startswith("in process")]
    if not places:
        return ""

    def cell(cost: Cost) -> str:
        return f"{cost.p50_ms:,.1f} / {cost.p99_ms:,.1f} / {cost.memory_mb:,.0f}"

    introduction = _paragraph(
        "As measured, undivided, in the best round: p50 ms / p99 ms / resident memory in MB afterwards. All"
        " 64 connections always have a request waiting, so most of a latency is queueing. What takes a peer"
        " more than 50 ms was sent by one connection."
    )
    table = _by_workload(report, items, places, cell)
    return f"## Latency and memory, {items:,} items\n\n{introduction}\n\n{table}"


def _measured(report: Report, items: int) -> str:
    def cell(cost: Cost) -> str:
        return f"{cost.least_us:,.1f} / {cost.median_us:,.1f} / {cost.factor:.2f}"

    table = _by_workload(report, items, _places(report, items), cell)
    return (
        f"## As measured here, {items:,} items\n\nCPU µs a request, undivided:"
        " the least of the rounds / their median / the machine's factor between them.\n\n"
        f"{table}"
    )


def _by_workload(report: Report, items: int, places: Sequence[str], cell: Callable[[Cost], str]) -> str:
    rows = []
    for workload in _workloads(report, items):
        costs = [report.cost(place, items, workload.name) for place in places]
        rows.append([workload.name, *("–" if cost is None else cell(cost) for cost in costs)])
    return _table(["", *places], rows)


def _places(report: Report, items: int) -> list[str]:
    found = list(dict.fromkeys(run.where for run in report.runs if run.items == items))
    # In process stands beside HTTP, and ours before the peers.
    return [place for place in found if place not in PEERS] + [p for p in found if p in PEERS]


def _workloads(report: Report, items: int) -> list[Workload]:
    measured = {run.workload for run in report.runs if run.items == items}
    return [workload for workload in WORKLOADS if workload.name in measured]


def _against(figure: float, limit: float | None, digits: int = 1) -> str:
    text = f"{figure:,.{digits}f}"
    return f"**{text}**" if limit is not None and figure > limit else text


def _paragraph(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
