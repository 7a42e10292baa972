"""Response schemas of functions across cases."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel

from backend.core.http.envelope import Listed


class FrameCase(BaseModel):
    """A case with the function: its profile with the largest share, as shares of the whole profile."""

    case_id: UUID
    case_number: int
    case_title: str
    case_state: str
    case_created_at: datetime
    profiles: int
    profile_id: UUID
    event: str
    what: str
    has_weights: bool
    evidence_name: str
    total_share: float
    self_share: float


class FrameCases(Listed[FrameCase]):
    """The cases with the function, the largest share first.

    The index holds the `names_per_profile` heaviest names of each profile; `unindexed_profiles` are pending.
    """

    name: str
    count: int
    names_per_profile: int
    unindexed_profiles: int
