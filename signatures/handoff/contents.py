"""Contents of a handoff: the redacted values behind summary, page and bundle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from signatures.language.number_format import value_words
from signatures.rendering import words
from signatures.rendering.verdict import claim_and_decides
from signatures.reporting.fix_plan import cures, fixes_now

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.model.evidence import Phase
    from signatures.overview.next_capture import NextCapture


@dataclass(frozen=True, slots=True)
class BundleFile:
    """One redacted text file.

    Attributes:
        evidence_id: The original evidence.
        number: Position in the handoff, 1 first; citations name it.
        name: Redacted name.
        path: Path in the bundle.
        local_path: Local path of the redacted text.
        sha256: Of the redacted text.
        lines: Number of lines.
        changed: Number of lines that differ from the original.
        counts: Number of replacements by kind of name.
        host: Pseudonym of its host, "" when unknown.
        boot: Pseudonym of its boot, "" when unknown.
        phase: `before`, `during` or `after`.
    """

    evidence_id: str
    number: int
    name: str
    path: str
    local_path: Path
    sha256: str
    size_bytes: int
    lines: int
    changed: int
    counts: dict[str, int]
    host: str
    boot: str
    phase: Phase


class WaitPicture(NamedTuple):
    """One wait graph: host and phase, sentences about its root blockers, SVG and Mermaid flow chart."""

    title: str
    sentences: tuple[str, ...]
    svg: str
    mermaid: str


@dataclass(frozen=True, slots=True)
class Contents:
    """One redacted handoff.

    Attributes:
        lead: The headline of the overview.
        statements: The strongest statements of the overview with citations; the first may be the lead.
        next_capture: The command that the overview asks for, and why; empty when nothing is missing.
        findings: Documents of `signatures.reporting.report.finding_document`, most certain first.
        oom: Result of `oom.answer`.
        tried: Capture runs so far, as sentences.
        notes: Markdown of the notes, oldest first.
        captures: Recommended captures.
        pictures: Flame graphs as title and SVG.
        wait_graphs: The wait graph of each host with a blocked task.
        differences: Result of `verdict_changes.differences`.
    """

    number: int
    title: str
    recipient: str
    question: str
    hosts: list[str]
    resolution: str
    files: tuple[BundleFile, ...]
    lead: str
    statements: list[dict[str, Any]]
    next_capture: NextCapture
    findings: list[dict[str, Any]]
    oom: dict[str, Any]
    tried: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    captures: list[dict[str, Any]] = field(default_factory=list)
    pictures: list[tuple[str, str]] = field(default_factory=list)
    wait_graphs: list[WaitPicture] = field(default_factory=list)
    differences: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def file_of(self, evidence: str) -> BundleFile | None:
        """Return the file cited by evidence id, None when it is not part of the handoff."""
        return next((file for file in self.files if file.evidence_id == evidence), None)

    def place(self, citation: dict[str, Any]) -> str:
        """Return a citation as text: `perf.script:12-40`."""
        file = self.file_of(str(citation["evidence"]))
        if file is None:
            return ""
        first, last = citation["first_line"], citation["last_line"]
        return f"{file.name}:{first}" + (f"-{last}" if last > first else "")


def next_fixes(finding: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return what to do next, each with its label: the fix that ends it, then those that are safe at once."""
    ends, safe = cures(finding["fixes"]), fixes_now(finding["fixes"])
    return [
        *(("Ends it", fix) for fix in ends),
        *(("May be done now", fix) for fix in safe if fix not in ends),
    ]


def limits_of(fix: dict[str, Any]) -> str:
    """Return risk of a fix, and the states in which it is not to be done: `risk: none; not if: ...`."""
    parts = [f"risk: {fix.get('risk') or 'not stated'}"]
    if fix.get("unsafe_if"):
        parts.append(f"not if: {'; '.join(str(one) for one in fix['unsafe_if'])}")
    return "; ".join(parts)


def captures_of(contents: Contents) -> list[tuple[str, str]]:
    """Return what to collect next: title with cost, and command; the overview's without a finding."""
    captures = [(f"{one['title']} (cost: {one['cost']})", str(one["run"])) for one in contents.captures]
    if not captures and contents.next_capture.command:
        captures = [(contents.next_capture.reason, contents.next_capture.command)]
    return captures


ANSWERS = {
    "no": "This is not OOM",
    "not just": "This is not just OOM",
    "yes": "As far as is known this is just OOM",
    "unknown": "Is this just OOM?",
}


def claim_of(finding: dict[str, Any]) -> tuple[str, str]:
    """Return the verdict of a finding with its title, and what decides it; old findings have no headline."""
    verdict = words.capital(words.VERDICTS[finding["verdict"]])
    return claim_and_decides(finding.get("headline") or f"{verdict}: {finding['title']}")


def certainty(finding: dict[str, Any]) -> str:
    """Return the certainty of a finding as one sentence."""
    sure = f"confidence {finding['confidence_word']}, " if finding["confidence_word"] else ""
    return str(finding.get("certainty") or f"{sure}coverage {finding['coverage_word']}.")


def state_words(clause: dict[str, Any]) -> str:
    """Return the state of a condition with its reason."""
    return words.condition_words(clause["state"], clause["reason"], clause["observed"])


def shown_clauses(finding: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the conditions, and of the excluding ones those that are met."""
    return [one for one in finding["clauses"] if one["role"] != "rival" or one["state"] == "TRUE"]


def observed(clause: dict[str, Any]) -> str:
    """Return the observed value with unit; "" for none or a mere yes."""
    return "" if clause["observed"] is None else value_words(clause["observed"], clause["unit"])
