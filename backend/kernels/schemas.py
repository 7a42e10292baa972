"""Responses of kernels and inventories."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel

from backend.core.http.envelope import Listed

Status = Literal[
    "affected",
    "probably_affected",
    "affected_unless_backported",
    "probably_not_affected",
    "not_affected",
    "fixed",
    "version_independent",
    "unknown",
]
Sort = Literal["-hosts", "-affecting", "release"]


class FleetProblem(BaseModel):
    """A problem of a kernel: its status by the release, and on how many hosts of cases it was found."""

    key: str
    status: Status
    found_on: int


class ClearingRead(BaseModel):
    """What another release does for the problems that affect a kernel.

    `release`: one of the fleet when `is_in_fleet`, else the first that records of fixes name: a release, or
    `linux-stable 6.1.178` for any build that contains it. `cleared`: it has the fix. `left`: it is affected,
    too. `undecided`: its release does not tell. `added`: affects only the other.
    """

    release: str
    is_in_fleet: bool
    cleared: list[str]
    left: list[str]
    undecided: list[str]
    added: list[str]


class KernelRead(BaseModel):
    """A kernel of the fleet.

    `package`: as the evidence names it, "" otherwise. `says`: whose build it is and what it contains.
    `listed_hosts`: in inventories; `case_hosts`: in the counted cases. `affecting`: affected, very probably
    affected, or unless the vendor backported the fix. `best`: what clears most, null when nothing does.
    """

    release: str
    package: str
    family: str
    says: str
    listed_hosts: int
    case_hosts: int
    affecting: int
    problems: list[FleetProblem]
    best: ClearingRead | None


class ProblemTitle(BaseModel):
    """A problem that the kernels of a page have."""

    key: str
    title: str


class KernelsRead(Listed[KernelRead]):
    """Kernels with the problems of this page.

    `counted_cases`: the newest visible ones, whose kernels are read; `has_more_cases`: there are older ones.
    """

    titles: list[ProblemTitle]
    families: list[str]
    clusters: list[str]
    counted_cases: int
    has_more_cases: bool
    total: int


class KernelProblemRead(BaseModel):
    """Status of a problem on a kernel: `basis`: why; `capture`: command that decides, "" without one."""

    key: str
    title: str
    status: Status
    basis: str
    capture: str
    found_on: int


class KernelDetailRead(KernelRead):
    """A kernel with the basis of every status and all releases that clear something."""

    statuses: list[KernelProblemRead]
    clearings: list[ClearingRead]


class FleetHostRead(BaseModel):
    """A host and its kernel, of an inventory or of a case: one of `source` and `case` is set."""

    host: str
    release: str
    distro: str
    instance_type: str
    cluster: str
    source: str | None
    case: int | None


class InventoryRead(BaseModel):
    """An uploaded list of hosts; `rejected`: rows that could not be read; `team`: null for everybody's."""

    id: UUID
    source: str
    team: str | None
    team_id: UUID | None
    author: str
    hosts: int
    rejected: int
    updated_at: datetime


class RejectedRow(BaseModel):
    """A row that was not taken: its line in the file, or its place in the array, from 1."""

    row: int
    reason: str


class InventoryWritten(InventoryRead):
    """A replaced inventory with the first rows that were not taken."""

    first_rejected: list[RejectedRow]
