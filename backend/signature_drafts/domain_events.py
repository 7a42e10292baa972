"""Domain events of signature drafts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class SignatureDraftRequested:
    """A signature is to be drafted."""

    draft_id: UUID
