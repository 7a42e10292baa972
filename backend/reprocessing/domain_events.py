"""Domain events of reprocessing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class ReprocessStepDue:
    """A run goes on with its next case.

    Attributes:
        delay_seconds: Pause before it, while others work.
    """

    run_id: UUID
    delay_seconds: float = 0.0
