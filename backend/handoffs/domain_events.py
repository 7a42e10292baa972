"""Domain events of handoffs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class HandoffCreated:
    """A handoff is to be prepared.

    Attributes:
        queue: Weight class of its evidence.
    """

    handoff_id: UUID
    queue: str
