"""Documents about evidence that commands print as JSON (`cli/reports/analyze.schema.json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ingest.model.json_value import JsonValue
    from ingest.model.reading import Skipped
    from signatures.documents.bundle import EngineDocument


class SkippedDocument(TypedDict):
    """Lines or members that are not read: the reason, how many, and the first, 1-based."""

    reason: str
    count: int
    first_line: int


class ProfileDocument(TypedDict):
    """A profile; `weight` is in `unit`."""

    event: str
    unit: str
    samples: float
    weight: float


class FactDocument(TypedDict):
    """A fact of the lines `first_line` to `last_line`; a value that is not finite is a text."""

    name: str
    value: float | str
    unit: str
    labels: dict[str, str]
    first_line: int
    last_line: int


class SectionDocument(TypedDict):
    """The lines of one format."""

    format: str
    first_line: int
    last_line: int
    path: str
    command: str
    skipped: list[SkippedDocument]
    profiles: list[ProfileDocument]
    facts: list[FactDocument]


class EvidenceDocument(TypedDict):
    """One file with what was read of it."""

    name: str
    captured_path: str
    sha256: str
    size_bytes: int
    line_count: int
    state: str
    reason: str
    sections: list[SectionDocument]
    skipped: list[SkippedDocument]


class AnalysisDocument(TypedDict):
    """The report of `analyze`; overview, findings, captures and analyses are wire values as JSON."""

    schema_version: int
    engine: EngineDocument
    evidence: list[EvidenceDocument]
    overview: dict[str, JsonValue]
    findings: list[dict[str, JsonValue]]
    next_captures: list[dict[str, JsonValue]]
    analyses: list[dict[str, JsonValue]]


class RemarkDocument(TypedDict):
    """A remark on the quality of a reading."""

    name: str
    detail: str
    line: int


class RecognisedSectionDocument(TypedDict):
    """A section as `inspect` shows it; `gives` are the contents of its reading as phrases."""

    format: str
    format_version: int
    first_line: int
    last_line: int
    path: str
    command: str
    gives: list[str]
    quality: list[RemarkDocument]
    skipped: list[SkippedDocument]


class RecognisedDocument(TypedDict):
    """A file as `inspect` shows it; `members` is the number of files in an archive."""

    name: str
    captured_path: str
    state: str
    reason: str
    line_count: int
    members: int
    left_out: list[SkippedDocument]
    sections: list[RecognisedSectionDocument]


def skipped_document(row: Skipped) -> SkippedDocument:
    """Return lines or members that are not read."""
    return {"reason": row.reason, "count": row.count, "first_line": row.first_line}
