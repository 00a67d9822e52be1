"""A report as one HTML page that needs nothing else: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from partita.design.picture import COLOURS, svg
from partita.design.report import Grid, Report, required_report
from partita.words import counted

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --dim: #5b6675; --line: #d9dee6; --page: #ffffff;
  --soft: #f4f6f9; --refused: #b91c1c; --warning: #a16207; --accepted: #4d7c0f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --dim: #9aa6b5; --line: #333c49;
  --page: #151a21; --soft: #1e252e; --refused: #f87171; --warning: #facc15; --accepted: #a3e635; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 2rem 1.5rem 4rem; background: var(--page);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
p { margin: .5rem 0; } .dim { color: var(--dim); }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .87rem; }
th, td { padding: .45rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; } th { background: var(--soft); }
td:first-child { font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
ul.findings { list-style: none; padding: 0; }
ul.findings li { padding: .5rem 0; border-top: 1px solid var(--line); }
.refused { color: var(--refused); } .warning { color: var(--warning); } .accepted { color: var(--accepted); }
.severity { font-weight: 700; } code { font-size: .85em; color: var(--dim); }
.legend span { display: inline-block; margin-right: 1.2rem; } .legend i { display: inline-block; width: .8rem;
  height: .8rem; border-radius: 3px; margin-right: .4rem; vertical-align: -1px; }
.picture { overflow-x: auto; padding: 1rem; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .band { font-size: 14px; font-weight: 700; }
svg .key { font-weight: 600; } svg .note { fill: var(--dim); font-size: 11px; } svg .item { fill: #fff; }
svg .partition { fill: var(--soft); stroke: var(--line); }
"""


def html(report: Report) -> str:
    """The whole page. Raises TypeError for what is no report."""
    return "".join(_parts(required_report(report)))


def _parts(report: Report) -> Iterator[str]:
    name = escape(report.design.name)
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Design of {name}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>Design of {name}</h1>{_summary(report)}"
    for table, grid in zip(report.design.tables, report.keys, strict=True):
        names = [entity.__name__ for entity in table.entities]
        colours = {one: COLOURS[n % len(COLOURS)] for n, one in enumerate(names)}
        yield f"<h2>Item collections of table {escape(table.name)}</h2>"
        yield '<p class="legend">'
        yield from (f'<span><i style="background:{colours[one]}"></i>{escape(one)}</span>' for one in names)
        yield f'</p><div class="wide picture">{svg(table, colours)}</div>'
        yield from _grid(grid)
    yield from _grid(report.patterns)
    if report.monthly is not None:
        cost = f"{report.monthly:,.2f} {escape(report.prices.currency)}"
        yield f"<p>The given traffic costs <strong>{cost}</strong> a month.</p>"
    yield from _grid(report.amplification)
    yield from _findings(report)
    yield "</body></html>\n"


def _summary(report: Report) -> str:
    design = report.design
    refused = sum(finding.severity == "refused" for finding in report.findings)
    state = (
        '<span class="severity accepted">proved</span>'
        if not refused
        else f'<span class="severity refused">not proved: {refused} refused</span>'
    )
    things = (
        counted(len(design.patterns), "access pattern"),
        counted(len(design.entities), "entity", "entities"),
        counted(len(design.tables), "table"),
    )
    return f'<p class="dim">{", ".join(things)} · {state}</p>'


def _grid(grid: Grid) -> Iterator[str]:
    def cell(tag: str, number: int, text: str) -> str:
        kind = ' class="number"' if number in grid.numbers else ""
        # Where a key may go on in the next line.
        shown = "#<wbr>".join(map(escape, text.split("#")))
        return f"<{tag}{kind}>{shown}</{tag}>"

    yield f'<h2>{escape(grid.title)}</h2><div class="wide"><table><thead><tr>'
    yield from (cell("th", n, text) for n, text in enumerate(grid.headers))
    yield "</tr></thead><tbody>"
    for row in grid.rows:
        yield "<tr>" + "".join(cell("td", n, text) for n, text in enumerate(row)) + "</tr>"
    yield "</tbody></table></div>"
    if grid.note:
        yield f'<p class="dim">{escape(grid.note)}</p>'


def _findings(report: Report) -> Iterator[str]:
    yield "<h2>Findings</h2>"
    if not report.findings:
        yield "<p>None: every pattern is proved.</p>"
        return
    yield '<ul class="findings">'
    for finding in report.findings:
        yield (
            f'<li><span class="severity {finding.severity}">{finding.severity}</span> '
            f"<strong>{escape(finding.subject)}</strong>: {escape(finding.reason)} "
            f"<code>{escape(finding.rule)}</code></li>"
        )
    yield "</ul>"
