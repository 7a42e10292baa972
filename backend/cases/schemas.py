"""Requests and responses of the case endpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, StringConstraints

from backend.cases.schemas_access import PersonRead, TeamRead
from backend.core.event_kinds import Resource
from backend.core.http import wire_models  # noqa: F401 - configures wire values
from backend.core.http.envelope import Listed
from backend.core.http.request_body import Line, RequestBody
from backend.models.case import Status, Visibility
from signatures.documents.overview import CaseHeadlineDocument

CaseState = Literal["open", "closed"]
Severity = Literal["critical", "high", "medium", "low"]
Tag = Annotated[Line, StringConstraints(strip_whitespace=True, to_lower=True, min_length=1, max_length=40)]
MAX_TAGS = 20
CaseSort = Literal["relevance", "-created_at", "created_at", "-updated_at", "updated_at", "title", "-number"]


class CaseCreate(RequestBody):
    """A new case; without a title it is named after its first evidence."""

    title: Line = Field(default="", max_length=300)


class Resolution(RequestBody):
    """Resolution of a case: cause, its signature if in the library, and the fix."""

    cause: str = Field(default="", max_length=2000)
    signature: Line = Field(default="", max_length=200)
    fix: str = Field(default="", max_length=2000)


class CaseUpdate(RequestBody):
    """Changes to a case; absent fields are unchanged.

    `status: resolved` closes the case. `state` is the older form: `closed` is resolved, `open` investigating.
    `assignee`: name of an account that sees the case; null for nobody. `tags` replaces all tags.
    """

    title: Line | None = Field(default=None, min_length=1, max_length=300)
    status: Status | None = None
    state: CaseState | None = None
    assignee: Line | None = Field(default=None, max_length=200)
    tags: list[Tag] | None = Field(default=None, max_length=MAX_TAGS)
    severity: Severity | None = None
    resolution: Resolution | None = None


class CaseRead(BaseModel):
    """One case, with its counts and headline.

    `judged`: the findings cover all evidence that has arrived, and nothing is being read. `arriving_count`:
    files that are partly uploaded. `unread_count`: files that were not read (rejected, failed or cancelled).
    `resolution` survives reopening until changed. `expires_at`: when a guest's case is deleted permanently.
    `headline`: null before the first judgement. `name`: the title, or the headline of a case whose title is
    that of its files.
    `version` covers only the fields people edit (`title`, `status`, `severity`, `assignee`, `tags`,
    `resolution`): use it for `If-Match` while evidence is still being read. `state` is `closed` once the
    status is `resolved`.
    """

    id: UUID
    number: int
    version: str
    title: str
    status: Status
    name: str
    state: CaseState
    severity: Severity | None
    assignee: PersonRead | None
    team: TeamRead | None
    tags: list[str]
    created_at: datetime
    updated_at: datetime
    evidence_count: int
    reading_count: int
    unread_count: int
    arriving_count: int
    judged: bool
    visibility: Visibility
    closed_at: datetime | None
    expires_at: datetime | None
    resolution: Resolution | None
    hosts: list[str]
    headline: CaseHeadlineDocument | None


class CaseListed(CaseRead):
    """A case of a list.

    `seen_before`: visible earlier cases that are the same problem, of the newest of each team. `problems`:
    signatures that match, else the cluster. `kernels`: releases of the hosts. `classes`: of kernel log
    records. `labels`: opinions of people on findings.
    """

    seen_before: int
    problems: list[str]
    kernels: list[str]
    distros: list[str]
    classes: list[str]
    labels: list[str]


class CasePage(Listed[CaseListed]):
    """A page of cases; `total`: how many meet the query, null without one."""

    total: int | None


class ServiceEventRead(BaseModel):
    """One event of any visible case; `case_number` is null for events of the service, which admins receive.

    `team_id` is the team of the case at the time.
    """

    id: int
    at: datetime
    kind: str
    case_number: int | None
    team_id: UUID | None
    actor: str
    is_system: bool
    payload: dict[str, Any]


class EventRead(BaseModel):
    """One entry of the event log of a case; `id` resumes a stream as `Last-Event-ID`.

    `changes` lists the sub-resources of the case to fetch again, by the last segment of their path; `case` is
    the case itself.
    """

    id: int
    at: datetime
    kind: str
    actor: str
    is_system: bool
    payload: dict[str, Any]
    changes: list[Resource]
