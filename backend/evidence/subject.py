"""Snapshot of the evidence that a job reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

    from backend.models.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Subject:
    """The evidence to read, as of the start of the job.

    Attributes:
        is_guests: Uploaded without an account.
    """

    id: UUID
    case_id: UUID
    filename: str
    captured_path: str
    sha256: str
    size_bytes: int
    is_guests: bool = False

    @property
    def label(self) -> str:
        """The display name."""
        return self.captured_path or self.filename


def subject_of(evidence: Evidence, *, is_guests: bool) -> Subject:
    """Return a snapshot of `evidence`."""
    return Subject(
        evidence.id,
        evidence.case_id,
        evidence.filename,
        evidence.captured_path,
        evidence.sha256,
        evidence.size_bytes,
        is_guests,
    )
