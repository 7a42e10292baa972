"""Responses of problems."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from backend.cases.schemas import CaseListed
from backend.core.http.request_body import Line, RequestBody
from backend.findings.schemas_phases import FixOutcome

Kind = Literal["signature", "cluster"]


class ProblemSummary(BaseModel):
    """A problem of a list.

    `key`: id of the signature, else of the cluster, such as `class:nvme_timeout/nvme`. `open`: cases that are
    not resolved. `term`: the query that finds the cases.
    """

    key: str
    kind: Kind
    title: str
    cases: int
    open: int
    first_seen: datetime
    last_seen: datetime
    term: str


class ProblemValue(BaseModel):
    """A value of a field, and how many cases of the problem have it."""

    value: str
    count: int


class ProblemWeek(BaseModel):
    """Cases that were opened in the seven days from `start`, a Monday in UTC."""

    start: datetime
    cases: int


class Precision(BaseModel):
    """Labels of people on findings of a signature; the interval of 95 % is of right among right and wrong."""

    right: int
    wrong: int
    unsure: int
    low: float
    high: float


class ProblemsMerge(RequestBody):
    """Clusters, or problems that people made, that are one problem."""

    keys: list[Annotated[str, Field(min_length=1, max_length=300)]] = Field(min_length=2, max_length=50)
    title: Line = Field(min_length=1, max_length=200)


class ProblemSplit(RequestBody):
    """Cases of a problem that are another one, by number."""

    key: str = Field(min_length=1, max_length=300)
    cases: list[Annotated[int, Field(ge=1, le=2**31 - 1)]] = Field(min_length=1, max_length=200)
    title: Line = Field(min_length=1, max_length=200)


class ProblemMade(BaseModel):
    """The key of a problem that people made, for `GET /problems/{key}`."""

    key: str


class MadeBy(BaseModel):
    """Who merged or split, and when. `clusters`: of the visible cases, with their numbers."""

    author: str
    created_at: datetime
    clusters: list[ProblemValue]


class ProblemRead(ProblemSummary):
    """A problem with its cases.

    `weeks`: the last 26, without those that have no case. `hosts`, `kernels`, `distros`: of the newest 5,000
    cases. `precision` is of signatures only; `resolved`: cases that are. `newest`: 20 cases. `made`: null
    unless people merged or split.
    """

    resolved: int
    made: MadeBy | None
    weeks: list[ProblemWeek]
    hosts: list[ProblemValue]
    kernels: list[ProblemValue]
    distros: list[ProblemValue]
    precision: Precision | None
    fixes: list[FixOutcome]
    newest: list[CaseListed]
