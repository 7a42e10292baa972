"""Domain events of signature drafts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class SignatureDraftRequested:
    """A signature is to be drafted.

    Attributes:
        queue: Weight class of the evidence of the case.
    """

    draft_id: UUID
    queue: str
