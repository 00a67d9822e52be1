"""`partita design check`: exit code 1 with reasons where a pattern is not proved."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from partita.design.findings import Finding

_WIDTH = 96


@click.command(help="Prove each access pattern that MODULE declares, without running anything.")
@click.argument("module")
def command(module: str) -> None:
    import sys

    from partita.cli.design.modules import declared_design
    from partita.design.check import check, is_proved
    from partita.design.loading import Undeclarable

    try:
        design = declared_design(module)
    except Undeclarable as failure:
        click.echo(_shown([failure.finding]))
        click.echo(f"\n{module}: not proved", err=True)
        sys.exit(1)
    findings = check(design)
    if findings:
        click.echo(_shown(findings) + "\n")
    refused = {finding.subject for finding in findings if finding.severity == "refused"}
    patterns = len(design.patterns)
    proved = sum(f'"{pattern.name}"' not in refused for pattern in design.patterns)
    warnings = sum(finding.severity == "warning" for finding in findings)
    click.echo(
        f"{module}: {_number(patterns, 'pattern')}, {proved} proved; "
        f"{_number(len(design.entities), 'entity', 'entities')}; {_number(warnings, 'warning')}"
    )
    if not is_proved(findings):
        click.echo(f"{module}: not proved", err=True)
        sys.exit(1)


def _shown(findings: Sequence[Finding]) -> str:
    """Findings by subject, the reasons indented below it."""
    lines: list[str] = []
    for subject in dict.fromkeys(finding.subject for finding in findings):
        lines.append(subject)
        lines += [line for finding in findings if finding.subject == subject for line in _lines(finding)]
    return "\n".join(lines)


def _lines(finding: Finding) -> list[str]:
    head = f"  {finding.severity:<8}  "
    text = f"{finding.reason} [{finding.rule}]"
    indent = " " * len(head)
    return textwrap.wrap(text, _WIDTH, initial_indent=head, subsequent_indent=indent, break_long_words=False)


def _number(count: int, one: str, several: str | None = None) -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"
