"""Endpoint of functions across cases."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.core.http.pagination import Page, paged
from backend.profiles import indexing
from backend.profiles.schemas_frames import FrameCases

router = APIRouter(tags=["profiles"])


@router.get("/frames/cases", dependencies=[needs(Action.CASES_LIST)])
def list_cases_of_frame(
    session: SessionDep,
    principal: PrincipalDep,
    name: Annotated[str, Query(min_length=1, max_length=4000, description="Exact name of a function")],
    page: Annotated[Page, paged(50)],
) -> FrameCases:
    """List the visible cases whose profiles contain a function, largest share first."""
    return indexing.find(session, principal, name, page)
