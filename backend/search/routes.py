"""Search: facets and completion of a query, and saved searches."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.search import completion, retrieval, saved
from backend.search.language import parse, quoted
from backend.search.schemas import (
    MAX_QUERY,
    CompletionRead,
    Facet,
    FacetsRead,
    FacetValue,
    SavedSearchRead,
    SavedSearchWrite,
)

router = APIRouter(tags=["search"])

QueryText = Annotated[str, Query(max_length=MAX_QUERY, description="Query, as `q` of the list of cases")]


@router.get("/search/facets", dependencies=[needs(Action.CASES_LIST)])
def read_facets(session: SessionDep, principal: PrincipalDep, q: QueryText = "") -> FacetsRead:
    """Return how many cases a query finds, and their most frequent values."""
    found = retrieval.facets_of(session, principal, parse(q))
    facets = [
        Facet(
            field=field,
            values=[
                FacetValue(value=value, count=count, term=f"{field}:{quoted(value)}")
                for value, count in values[: retrieval.MAX_VALUES]
            ],
        )
        for field, values in found.values.items()
    ]
    return FacetsRead(total=found.total, counted=found.counted, facets=facets)


@router.get("/search/completion", dependencies=[needs(Action.CASES_LIST)])
def read_completion(
    session: SessionDep,
    principal: PrincipalDep,
    q: QueryText = "",
    at: Annotated[int | None, Query(ge=0, le=MAX_QUERY, description="Cursor; the end without it")] = None,
) -> CompletionRead:
    """Suggest fields, values and facts for the term at the cursor."""
    return completion.complete(session, principal, q, len(q) if at is None else min(at, len(q)))


@router.get("/search/saved", dependencies=[needs(Action.CASES_LIST)])
def list_saved(session: SessionDep, principal: PrincipalDep, page: PageDep) -> Listed[SavedSearchRead]:
    """List the saved searches of the caller and of their teams."""
    return page.envelope(saved.listed(session, principal, page))


@router.post("/search/saved", status_code=201, dependencies=[needs(Action.SEARCH_SAVE)])
def save_search(body: SavedSearchWrite, session: SessionDep, principal: PrincipalDep) -> SavedSearchRead:
    """Save a query under a name."""
    return saved.save(session, principal, body)


@router.delete("/search/saved/{search_id}", status_code=204, dependencies=[needs(Action.SEARCH_SAVE)])
def delete_saved(search_id: UUID, session: SessionDep, principal: PrincipalDep) -> None:
    """Delete a saved search."""
    saved.remove(session, principal, search_id)
