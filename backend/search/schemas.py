"""Responses of search: facets, completion and saved searches."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import Line, RequestBody

MAX_QUERY = 1000


class FacetValue(BaseModel):
    """A value of a field, how many of the counted cases have it, and the term that asks for it."""

    value: str
    count: int
    term: str


class Facet(BaseModel):
    """The most frequent values of a field."""

    field: str
    values: list[FacetValue]


class FacetsRead(BaseModel):
    """Values of the found cases; `counted`: the newest of the `total`, whose values are counted."""

    total: int
    counted: int
    facets: list[Facet]


class Suggestion(BaseModel):
    """A text that replaces the one at the cursor; `count`: cases of a value, null for a field or a name."""

    text: str
    says: str
    count: int | None


class CompletionRead(BaseModel):
    """Suggestions for characters `start` to `end` of the query."""

    start: int
    end: int
    items: list[Suggestion]


class SavedSearchWrite(RequestBody):
    """A query under a name; with `team_id` it is the team's."""

    name: Line = Field(min_length=1, max_length=100)
    query: Line = Field(min_length=1, max_length=MAX_QUERY)
    team_id: UUID | None = None


class SavedSearchRead(BaseModel):
    """A saved search; `team`: who shares it, null for a search of its owner only."""

    id: UUID
    name: str
    query: str
    team: str | None
    owner: str
    is_mine: bool
    created_at: datetime
