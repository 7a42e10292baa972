"""Response schemas of similar cases."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel

from backend.library.schemas import ResultRead


class SimilarityRead(BaseModel):
    """Similarity of two cases in one respect, 0..1, with common elements, most distinctive first."""

    kind: Literal["stacks", "traits", "facts"]
    share: float
    common: list[str]


class SimilarCase(BaseModel):
    """A similar case.

    `share` is the weighted mean (`weights` of the response) of the similarities available for both cases;
    stacks that only one case has count as 0. `profile_id` is the profile of that case to compare with
    `own_profile_id`; None when either has no profile. `findings` are signatures that match there.
    """

    number: int
    title: str
    state: str
    severity: str | None
    created_at: datetime
    share: float
    similarities: list[SimilarityRead]
    findings: list[str]
    profile_id: UUID | None
    own_profile_id: UUID | None


class SimilarRead(BaseModel):
    """Visible similar cases, and signatures and stories that fit, by rank.

    `unweighed_profiles` of this case are still being indexed and not compared yet.
    """

    weights: dict[str, float]
    compared: int
    unweighed_profiles: int
    cases: list[SimilarCase]
    stories: list[ResultRead]
