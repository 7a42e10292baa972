"""Schemas of cases that were seen before."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from backend.core.http.request_body import RequestBody
from backend.models.case import Status
from backend.models.case_pair import PairOpinion


class PairLabelWrite(RequestBody):
    """What you say of two cases: the same problem, or different ones."""

    opinion: PairOpinion


class PairLabelRead(BaseModel):
    """Your label of two cases."""

    number: int
    opinion: PairOpinion
    author: str
    updated_at: datetime


class SeenCase(BaseModel):
    """An earlier case that is the same problem.

    `name`: title, or headline of a case that nobody named. `outcome`: `cleared` when the recordings after the
    fix show the finding no more, else the status. `common`: traits of both, the most telling first.
    `opinion`: what you said of the pair; null without a label of yours.
    """

    number: int
    name: str
    status: Status
    created_at: datetime
    closed_at: datetime | None
    fix: str
    outcome: Literal["cleared", "resolved", "mitigated", "investigating"]
    common: list[str]
    opinion: PairOpinion | None


class SeenBeforeRead(BaseModel):
    """Visible earlier cases that are the same problem, the newest first.

    `count`: all of them, of the newest of each team; `cases`: at most 20. A pair that anybody labelled
    different is left out.
    """

    count: int
    cases: list[SeenCase]
