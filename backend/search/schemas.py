"""Requests and responses of search: facets, completion, saved searches, and columns of the list."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema

from backend.core.http.request_body import Line, RequestBody
from signatures.rendering.case_columns import COLUMNS, named_in

MAX_QUERY = 1000


def _known(names: str) -> str:
    named_in(names)
    return names


def _each(names: list[str]) -> list[str]:
    """Return known names, each once; none is the default."""
    return [column.name for column in named_in(",".join(names))] if names else []


ColumnNames = Annotated[
    list[str],
    AfterValidator(_each),
    WithJsonSchema(
        {"type": "array", "items": {"type": "string", "enum": list(COLUMNS)}, "maxItems": len(COLUMNS)}
    ),
]
"""Names of columns, in their order."""

ColumnList = Annotated[
    str,
    AfterValidator(_known),
    Query(
        max_length=500,
        description=f"Columns separated by commas, of {', '.join(COLUMNS)}",
    ),
]
"""Query parameter of the columns of a table."""


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
    """A query under a name; with `team_id` it is the team's. `columns`: of the list, in their order."""

    name: Line = Field(min_length=1, max_length=100)
    query: Line = Field(min_length=1, max_length=MAX_QUERY)
    team_id: UUID | None = None
    columns: ColumnNames = Field(default_factory=list)


class SavedSearchRead(BaseModel):
    """A saved search.

    `team`: who shares it, null for a search of its owner only. `columns`: of the list, in their order; empty
    leaves them as they are.
    """

    id: UUID
    name: str
    query: str
    columns: ColumnNames
    team: str | None
    owner: str
    is_mine: bool
    created_at: datetime
