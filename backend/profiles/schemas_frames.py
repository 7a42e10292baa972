"""What is told of a function across cases."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel


class CaseOfFrame(BaseModel):
    """A case in which a function was seen: its profile in which that weighs most, as shares of all of it."""

    case_id: UUID
    case_number: int
    case_title: str
    case_state: str
    case_created_at: datetime
    profiles: int
    profile_id: UUID
    event: str
    what: str
    evidence_name: str
    total_share: float
    self_share: float


class FrameCases(BaseModel):
    """The cases in which a function was seen, the heaviest first.

    Of every profile the `names_per_profile` heaviest names are kept; `unindexed_profiles` are not searched
    yet.
    """

    name: str
    count: int
    items: list[CaseOfFrame]
    names_per_profile: int
    unindexed_profiles: int
