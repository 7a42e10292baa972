"""The evidence that a job reads, as it was when the job began."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

    from backend.models.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Subject:
    """The evidence that is to be read, as it was when the job began.

    Attributes:
        is_guests: It was sent without signing in.
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
        """The name a person knows it by."""
        return self.captured_path or self.filename


def subject_of(evidence: Evidence, *, is_guests: bool) -> Subject:
    """Return `evidence` as it is now."""
    return Subject(
        evidence.id,
        evidence.case_id,
        evidence.filename,
        evidence.captured_path,
        evidence.sha256,
        evidence.size_bytes,
        is_guests,
    )
