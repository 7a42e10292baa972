"""Functions across cases."""

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
    name: Annotated[str, Query(min_length=1, max_length=4000, description="A function, exactly")],
    page: Annotated[Page, paged(50)],
) -> FrameCases:
    """Return the cases one sees in whose profiles a function was seen, those with its largest share first."""
    return indexing.find(session, principal, name, page)
