"""Endpoints of the library: search and fixtures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, SettingsDep, needs
from backend.core.http.pagination import Page, paged
from backend.library import fixtures, search
from backend.library.schemas import ExhibitsRead, SearchQuery, SearchRead

router = APIRouter(tags=["library"])


@router.post("/library/search", dependencies=[needs(Action.STORIES_READ)])
def search_library(
    body: SearchQuery, session: SessionDep, settings: SettingsDep, page: Annotated[Page, paged(30)]
) -> SearchRead:
    """Search signatures and stories by words or pasted terminal output, by rank.

    The text is parsed and judged like evidence and never stored. Follow the `Link` header with the same body.
    """
    return search.search(session, settings, body, page.concerning(body.model_dump_json()))


@router.get(
    "/signatures/{area}/{name}/evidence/{proof}",
    response_model=ExhibitsRead,
    dependencies=[needs(Action.LIBRARY_READ)],
)
def read_signature_evidence(
    area: Annotated[str, Path(max_length=50)],
    name: Annotated[str, Path(max_length=100)],
    proof: Annotated[str, Path(max_length=100)],
) -> Response:
    """Return the charts of a fixture folder of a signature: flame graphs and histograms."""
    return Response(fixtures.of_proof(f"{area}/{name}", proof), media_type="application/json")
