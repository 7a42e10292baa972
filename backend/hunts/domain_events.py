"""Domain events of retro-hunts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class HuntStepDue:
    """A hunt goes on with its next cases.

    Attributes:
        delay_seconds: Pause before it, while others work.
    """

    hunt_id: UUID
    delay_seconds: float = 0.0
