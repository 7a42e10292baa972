"""What is like a case, and why."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel

from backend.library.schemas import ResultRead


class SimilarityRead(BaseModel):
    """How far two cases are alike in one respect, 0..1, and what they have in common, most telling first."""

    kind: Literal["stacks", "facts", "words"]
    share: float
    told: list[str]


class SimilarCase(BaseModel):
    """A case like the one asked about.

    `share` is the mean of the likenesses by `weights` of the answer, over those that both cases can show;
    stacks that one of them lacks count as nothing in common.
    `profile_id` is the profile of that case to compare with `own_profile_id`; None when either has none.
    `findings` are signatures that match there.
    """

    number: int
    title: str
    state: str
    severity: str | None
    created_at: datetime
    share: float
    likenesses: list[SimilarityRead]
    findings: list[str]
    profile_id: UUID | None
    own_profile_id: UUID | None


class SimilarRead(BaseModel):
    """Cases that may be seen, the likest first, and signatures and stories that fit, best first.

    `unweighed_profiles` of this case are not compared yet: their functions are being counted.
    """

    weights: dict[str, float]
    compared: int
    unweighed_profiles: int
    cases: list[SimilarCase]
    stories: list[ResultRead]
