"""Filters of the list of cases, as query parameters."""

from __future__ import annotations

# Pydantic needs it at run time.
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from backend.cases.schemas import CaseSort, CaseState, Severity
from backend.models.case import Status

Text = Annotated[str | None, Field(min_length=1, max_length=200)]


class CaseFilter(BaseModel):
    """Filters of cases, of which all must hold, and their order."""

    q: str = Field(default="", max_length=200, description="Words of the title or of findings, or the number")
    sort: CaseSort = "-created_at"
    status: Status | None = None
    state: CaseState | None = None
    assignee: Text = Field(default=None, description="Name of the account that works on it")
    tag: Text = Field(default=None, description="A tag")
    severity: Severity | None = None
    signature: Text = Field(default=None, description="Id of a signature that matches or is suspected")
    verdict: Literal["match", "suspect"] | None = Field(
        default=None, description="Verdict of some finding, or of the finding of `signature`"
    )
    host: Text = Field(default=None, description="Name of a host")
    kernel: Text = Field(default=None, description="Kernel release, or its beginning, such as `6.1.`")
    frame: Text = Field(default=None, description="Function in a profile")
    log_class: Text = Field(default=None, description="Class of a kernel log record, such as `oom_kill`")
    since: datetime | None = Field(default=None, description="Opened at this time or later")
    until: datetime | None = Field(default=None, description="Opened before this time")
