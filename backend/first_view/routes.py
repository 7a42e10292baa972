"""Endpoint of the first view."""

from __future__ import annotations

from fastapi import APIRouter, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep, StoreDep, needs
from backend.cases.access import CaseDep
from backend.first_view import view
from backend.first_view.schemas import FirstViewRead

router = APIRouter(tags=["cases"])


@router.get("/cases/{case_id}/view", response_model=FirstViewRead, dependencies=[needs(Action.CASE_READ)])
def read_first_view(
    case: CaseDep, session: SessionDep, store: StoreDep, settings: SettingsDep, principal: PrincipalDep
) -> Response:
    """Return all that the page of the case shows at once, as of one moment."""
    found = view.json_of(session, store, settings, principal, case)
    return Response(found, media_type="application/json")
