"""Requests and responses of a change of several cases."""

from __future__ import annotations

from pydantic import BaseModel, Field

from backend.cases.schemas import MAX_TAGS, CaseRead, Severity, Tag
from backend.core.http.request_body import Line, RequestBody
from backend.models.case import Status


class CasesUpdate(RequestBody):
    """A change of several cases; absent fields are unchanged, `assignee: null` is nobody."""

    status: Status | None = None
    severity: Severity | None = None
    assignee: Line | None = Field(default=None, max_length=200)
    add_tags: list[Tag] = Field(default=[], max_length=MAX_TAGS)
    remove_tags: list[Tag] = Field(default=[], max_length=MAX_TAGS)


class CasesUpdated(BaseModel):
    """The cases after the change, in the order of the request."""

    items: list[CaseRead]
