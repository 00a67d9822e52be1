"""`check`: proves a design without running anything, or says why it cannot be proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from partita.design.designs import Design, Source, design_of
from partita.design.findings import Finding, refused
from partita.design.rules.keys import check_keys, check_pair, pairs
from partita.design.rules.reads import check_read
from partita.design.rules.tables import check_table
from partita.design.rules.writes import check_write
from partita.model.values.attribute_values import shortened


def check(source: Source | Design) -> list[Finding]:
    """What is wrong with a design: a module, or patterns and entities themselves.

    A pattern without a refused finding is one request, or exactly one for each declared shard; refusals that
    the module accepts (`Accept`) are in the list as accepted.
    """
    design = source if isinstance(source, Design) else design_of(source)
    accepted = {(one.rule, one.subject): one.because for one in design.accepted}
    findings: list[Finding] = []
    for finding in _findings(design):
        because = accepted.get((finding.rule, finding.subject))
        if finding.severity == "refused" and because is not None:
            finding = replace(finding, severity="accepted", reason=f"{finding.reason} — accepted: {because}")
        findings.append(finding)
    return findings


def is_proved(findings: Sequence[Finding]) -> bool:
    """Whether nothing is refused, of what `check` gave. Raises TypeError for anything else."""
    if not isinstance(findings, Sequence) or not all(isinstance(one, Finding) for one in findings):
        raise TypeError(f"what check() gives is needed, not {shortened(findings)}")
    return not any(finding.severity == "refused" for finding in findings)


def _findings(design: Design) -> Iterator[Finding]:
    if not design.patterns and not design.tables:
        yield refused("empty", design.name, "it declares no pattern and no entity, so nothing is proved")
    names = Counter(pattern.name for pattern in design.patterns)
    for name, times in names.items():
        if times > 1:
            yield refused("name", f'"{name}"', f"{times} patterns have this name: give each its own")
    for read in design.reads:
        yield from check_read(read)
    for write in design.writes:
        yield from check_write(write)
    for one, other in pairs(design.entities):
        yield from check_pair(one, other)
    for schema in design.entities:
        yield from check_keys(schema, design.writes)
    for table in design.tables:
        yield from check_table(table, design)
