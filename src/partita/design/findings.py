"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from partita.design.patterns import PatternKind
from partita.model.declaring.entity import Entity
from partita.model.declaring.table import Table

Severity = Literal["refused", "warning", "accepted"]
Subject = PatternKind | type[Entity] | type[Table] | str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a design gets wrong, and what to do instead."""

    severity: Severity
    """refused: the design is not proved; warning: it works, mind this; accepted: refused, and wanted so."""
    rule: str
    subject: str
    """The pattern's name, or "entity Order", "table App", "index App.gsi1"."""
    reason: str
    """One sentence, with what to do instead."""

    def __str__(self) -> str:
        return f"{self.severity}: {self.subject}: {self.reason} [{self.rule}]"


class Accept:
    """Says in the module that a refusal is known and wanted, and why.

        Accept("hot-partition", Settings, because="one item, read once at the start of each worker")

    `subject` is the pattern, entity or table that the refusal is about.
    """

    def __init__(self, rule: str, subject: Subject, *, because: str) -> None:
        if not because.strip():
            raise ValueError(f"accepting {rule} needs a reason")
        self.rule = rule
        self.subject = name_of(subject)
        self.because = because


def name_of(subject: Subject) -> str:
    """How findings name a subject."""
    if isinstance(subject, str):
        return subject
    if isinstance(subject, type):
        return f"{'entity' if issubclass(subject, Entity) else 'table'} {subject.__name__}"
    return f'"{subject.name}"'


def refused(rule: str, subject: Subject, reason: str) -> Finding:
    return Finding("refused", rule, name_of(subject), reason)


def warning(rule: str, subject: Subject, reason: str) -> Finding:
    return Finding("warning", rule, name_of(subject), reason)
