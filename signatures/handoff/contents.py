"""Contents of a handoff: the redacted values behind summary, page and bundle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.model.evidence import Phase
    from signatures.documents.capture import NextCaptureDocument
    from signatures.documents.finding import FindingDocument
    from signatures.documents.handoff import OomDocument, VerdictChangeDocument
    from signatures.documents.hypotheses import MatrixDocument
    from signatures.documents.overview import LinkDocument, StatementDocument
    from signatures.rendering.case_file import WaitPicture


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


@dataclass(frozen=True, slots=True)
class Contents:
    """One redacted handoff.

    Attributes:
        lead: The headline of the overview.
        statements: The strongest statements of the overview with citations; the first may be the lead.
        chain: The cause of the headline and what followed.
        matrix: What else it could be, and what decides.
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
    statements: tuple[StatementDocument, ...]
    chain: tuple[LinkDocument, ...]
    matrix: MatrixDocument
    findings: list[FindingDocument]
    oom: OomDocument
    tried: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    captures: tuple[NextCaptureDocument, ...] = ()
    pictures: list[tuple[str, str]] = field(default_factory=list)
    wait_graphs: list[WaitPicture] = field(default_factory=list)
    differences: list[VerdictChangeDocument] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def file_of(self, evidence: str) -> BundleFile | None:
        """Return the file cited by evidence id, None when it is not part of the handoff."""
        return next((file for file in self.files if file.evidence_id == evidence), None)
