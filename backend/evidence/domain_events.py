"""Domain events of evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class ReadingRequested:
    """Evidence is to be read in a job of its own.

    Attributes:
        queue: Weight class.
        cost_ms: Estimated duration.
        is_slow: Whether it exceeded the limits of the light queue before.
    """

    evidence_id: UUID
    queue: str
    cost_ms: float
    is_slow: bool = False


@dataclass(frozen=True, slots=True)
class CaseEvidenceChanged:
    """The evidence revision of a case increased."""

    case_id: UUID


@dataclass(frozen=True, slots=True)
class ProfilesRead:
    """A case has profiles whose functions are not indexed; published while the case is locked."""

    case_id: UUID


@dataclass(frozen=True, slots=True)
class WarStoryRead:
    """Evidence contains a war story."""

    evidence_id: UUID
