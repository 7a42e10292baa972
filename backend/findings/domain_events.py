"""Domain events of findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class FindingsOutdated:
    """The findings of a case do not cover its newest evidence.

    Attributes:
        delay_seconds: How long the judgement waits for more evidence.
    """

    case_id: UUID
    delay_seconds: float
