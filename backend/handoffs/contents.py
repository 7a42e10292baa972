"""What a handoff tells, as values: redacted, and all that summary, page and bundle are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.model.evidence import Phase


@dataclass(frozen=True, slots=True)
class Piece:
    """One redacted text.

    Attributes:
        evidence_id: Of the evidence it was made of.
        number: Position in the handoff, 1 first; citations name it.
        name: What it is called there.
        path: Its place in the bundle.
        file: Where the redacted text is now.
        sha256: Of the redacted text.
        lines: How many it has.
        changed: How many of them differ from the original.
        counts: Kind of name to how many were replaced.
        host: Pseudonym of the host it is of, "" when that is not known.
        boot: Pseudonym of its boot, "" when that is not known.
        phase: `before`, `during` or `after`.
    """

    evidence_id: str
    number: int
    name: str
    path: str
    file: Path
    sha256: str
    size_bytes: int
    lines: int
    changed: int
    counts: dict[str, int]
    host: str
    boot: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Contents:
    """One handoff, redacted.

    Attributes:
        findings: As `signatures.reporting.report.finding_document` tells them, the most certain first.
        oom: As `oom.answer` tells it.
        tried: What was done so far: captures that were run, as sentences.
        notes: Markdown of the notes, oldest first.
        captures: What to collect next.
        pictures: Title and SVG of a flame graph each.
        differences: As `comparing.differences` tells them.
    """

    number: int
    title: str
    recipient: str
    question: str
    hosts: list[str]
    resolution: str
    pieces: list[Piece]
    findings: list[dict[str, Any]]
    oom: dict[str, Any]
    tried: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    captures: list[dict[str, Any]] = field(default_factory=list)
    pictures: list[tuple[str, str]] = field(default_factory=list)
    differences: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def piece_of(self, evidence: str) -> Piece | None:
        """Return the text that a citation names by the id of its evidence, None when it was not chosen."""
        return next((piece for piece in self.pieces if piece.evidence_id == evidence), None)

    def place(self, citation: dict[str, Any]) -> str:
        """Return a citation in words: `perf.script:12-40`."""
        piece = self.piece_of(str(citation["evidence"]))
        if piece is None:
            return ""
        first, last = citation["first_line"], citation["last_line"]
        return f"{piece.name}:{first}" + (f"-{last}" if last > first else "")


def now_fixes(finding: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what may be done on the running system at once: nothing that is unsafe under any condition."""
    return [
        fix
        for fix in finding["fixes"]
        if fix.get("scope") == "runtime" and fix.get("kind") != "warning" and not fix.get("unsafe_if")
    ]


STATES = {
    "TRUE": "yes",
    "FALSE": "no",
    "UNKNOWN": "not known",
    "NOT_OBSERVABLE": "this kernel cannot show it",
}
ANSWERS = {
    "no": "This is not OOM",
    "not just": "This is not just OOM",
    "yes": "As far as is known this is just OOM",
    "unknown": "Is this just OOM?",
}


def certainty(finding: dict[str, Any]) -> str:
    """Return how sure a finding is, in words."""
    sure = f"confidence {finding['confidence_word']}, " if finding["confidence_word"] else ""
    return f"{sure}coverage {finding['coverage_word']}"


def shown_clauses(finding: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the conditions, and of the rivals those that are there."""
    return [one for one in finding["clauses"] if one["role"] != "rival" or one["state"] == "TRUE"]


def observed(clause: dict[str, Any]) -> str:
    """Return what was measured, with its unit; "" for nothing or a mere yes."""
    return "" if clause["observed"] is None else value_words(clause["observed"], clause["unit"])
