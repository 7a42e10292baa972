"""Request and response schemas of the evidence endpoints."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from backend.cases.schemas import CaseRead
from backend.core.http.request_body import RequestBody
from backend.evidence.schemas_placement import Basis, Phase

EvidenceStateName = Literal["received", "reading", "read", "rejected", "failed", "cancelled"]


class SkippedRead(BaseModel):
    """Lines that a parser skipped."""

    reason: str
    count: int
    first_line: int


class QualityRead(BaseModel):
    """One quality remark about this evidence."""

    name: str
    detail: str
    line: int


class ProfileSummary(BaseModel):
    """One profile of a section."""

    id: UUID
    event: str
    unit: str
    samples: float
    weight: float
    nodes: int
    has_weights: bool


class SectionRead(BaseModel):
    """One recognised output within an evidence."""

    ordinal: int
    format: str
    title: str
    first_line: int
    last_line: int
    path: str
    command: str
    skipped: list[SkippedRead]
    quality: list[QualityRead]
    profiles: list[ProfileSummary]
    fact_count: int
    histogram_count: int
    log_record_count: int


class EvidenceRead(BaseModel):
    """One uploaded file, pasted text or archive member, with its parse report.

    Host and phase are `stated` by the evidence, `assumed` from its folder, or `set` by a person.
    `is_duplicate_of` is the existing evidence with the same bytes and path in the case.
    `is_partial` marks a preview of an upload in progress; its results are provisional.
    """

    id: UUID
    case_id: UUID
    parent_id: UUID | None
    filename: str
    captured_path: str
    sha256: str
    size_bytes: int
    state: EvidenceStateName
    reason: str
    line_count: int | None
    progress_share: float | None
    host: str
    host_basis: Basis
    phase: Phase
    phase_basis: Basis
    sections: list[SectionRead]
    skipped_members: list[SkippedRead]
    is_duplicate_of: UUID | None = None
    is_deleted: bool = False
    is_partial: bool = False


class Received(BaseModel):
    """The accepted evidence, its case and the URL of the case."""

    case: CaseRead
    evidence: list[EvidenceRead]
    permalink: str


class DropReceiptFile(BaseModel):
    """One received file, described only by what its sender already knows."""

    filename: str
    sha256: str
    size_bytes: int


class DropReceipt(BaseModel):
    """The files received with a write-only token."""

    files: list[DropReceiptFile]


class Paste(RequestBody):
    """Pasted terminal text, and the path it was captured from if known."""

    text: str = Field(min_length=1)
    captured_path: str = Field(default="", max_length=4096)


class LinesRead(BaseModel):
    """Raw lines of one evidence, 1-based, both ends inclusive."""

    first_line: int
    last_line: int
    total_lines: int
    lines: list[str]


class FactRead(BaseModel):
    """One named, typed value with its line citation."""

    name: str
    value: float | str | bool | None
    unit: str
    labels: dict[str, str]
    evidence_id: UUID
    section: int
    first_line: int
    last_line: int


class LimitsRead(BaseModel):
    """Upload limits and free space.

    Attributes:
        quota_bytes: Limit of all evidence together; 0: the size of the disk.
        left_bytes: Space left for new uploads within the quota and on the disk.
    """

    quota_bytes: int
    left_bytes: int
    max_evidence_bytes: int
    max_paste_bytes: int
    max_files_per_request: int
    max_lines_per_request: int
    decoded_bytes: int
    line_bytes: int
    archive_members: int
    archive_depth: int
