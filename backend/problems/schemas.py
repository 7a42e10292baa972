"""Responses of problems."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from backend.cases.schemas import CaseListed
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


class ProblemRead(ProblemSummary):
    """A problem with its cases.

    `weeks`: the last 26, without those that have no case. `hosts`, `kernels`, `distros`: of the newest 5,000
    cases. `precision` and `fixes` are of signatures only; `resolved`: cases that are. `newest`: 20 cases.
    """

    resolved: int
    weeks: list[ProblemWeek]
    hosts: list[ProblemValue]
    kernels: list[ProblemValue]
    distros: list[ProblemValue]
    precision: Precision | None
    fixes: list[FixOutcome]
    newest: list[CaseListed]
