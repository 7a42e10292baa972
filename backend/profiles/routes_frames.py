"""Functions across cases."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from backend.accounts.access import AccountDep, SessionDep
from backend.profiles import indexing
from backend.profiles.schemas_frames import FrameCases

router = APIRouter(tags=["profiles"])


@router.get("/frames/cases")
def list_cases_of_frame(
    session: SessionDep,
    _: AccountDep,
    name: Annotated[str, Query(min_length=1, max_length=10_000, description="A function, exactly")],
    limit: Annotated[int, Query(ge=1, le=indexing.MAX_CASES)] = 50,
) -> FrameCases:
    """Return the cases in whose profiles a function was seen, those with its largest share first."""
    return indexing.find(session, name, limit)
