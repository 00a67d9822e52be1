"""A report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from partita.design.report import Grid, Report, required_report


def markdown(report: Report) -> str:
    """The whole report, ending with a line break. Raises TypeError for what is none."""
    return "\n".join(_lines(required_report(report))) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# Design of {report.design.name}"
    for grid in (*report.keys, report.patterns, report.amplification):
        yield ""
        yield from _grid(grid)
        if grid is report.patterns and report.monthly is not None:
            yield ""
            yield f"The given traffic costs {report.monthly:,.2f} {report.prices.currency} a month."
    yield ""
    yield "## Findings"
    yield ""
    if not report.findings:
        yield "None: every pattern is proved."
    for finding in report.findings:
        subject, reason = _escaped(finding.subject), _escaped(finding.reason)
        yield f"- **{finding.severity}** {subject}: {reason} `{finding.rule}`"


def _grid(grid: Grid) -> Iterator[str]:
    yield f"## {grid.title}"
    yield ""
    yield _row(grid.headers)
    yield "|" + "|".join("---:" if n in grid.numbers else "---" for n in range(len(grid.headers))) + "|"
    for row in grid.rows:
        yield _row(row)
    if grid.note:
        yield ""
        yield _escaped(grid.note)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(_escaped(cell) for cell in cells) + " |"


def _escaped(text: str) -> str:
    # A bar would end the cell; what looks like HTML or emphasis would vanish.
    for character in "\\|<>*_`":
        text = text.replace(character, "\\" + character)
    return text
