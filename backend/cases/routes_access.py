"""Access to a case: visibility, people, links; and opening a link."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import APIRouter, Response

from backend.access.actions import Action
from backend.access.dependencies import BaseUrlDep, PrincipalDep, SessionDep, needs
from backend.cases import queries, sharing
from backend.cases.access import CaseDep
from backend.cases.schemas_access import (
    CaseAccess,
    CaseAccessUpdate,
    LinkCreate,
    LinkCreated,
    LinkOpen,
    LinkOpened,
)
from backend.core.http import conditional_requests

router = APIRouter(tags=["cases"])


@router.get("/cases/{case_id}/access", dependencies=[needs(Action.CASE_READ)])
def read_case_access(
    response: Response, case: CaseDep, session: SessionDep, principal: PrincipalDep
) -> CaseAccess:
    """Return who has access to the case, and your permissions on it."""
    access = sharing.describe(session, principal, case)
    response.headers["ETag"] = conditional_requests.tag_of(access)
    return access


@router.put("/cases/{case_id}/access", dependencies=[needs(Action.CASE_SHARE)])
def change_case_access(
    body: CaseAccessUpdate,
    case: CaseDep,
    session: SessionDep,
    principal: PrincipalDep,
    if_match: conditional_requests.IfMatch = None,
) -> CaseAccess:
    """Set the visibility and the team of the case."""
    if if_match is not None:
        queries.hold(session, case.id)
        conditional_requests.check(if_match, sharing.describe(session, principal, case))
    sharing.change(session, principal, case, visibility=body.visibility, team_id=body.team_id)
    return sharing.describe(session, principal, case)


@router.put("/cases/{case_id}/people/{account_id}", dependencies=[needs(Action.CASE_SHARE)])
def grant_case_access(
    case: CaseDep, account_id: UUID, session: SessionDep, principal: PrincipalDep
) -> CaseAccess:
    """Give an account access to the case, whatever its visibility."""
    sharing.add_person(session, principal, case, account_id)
    return sharing.describe(session, principal, case)


@router.delete("/cases/{case_id}/people/{account_id}", dependencies=[needs(Action.CASE_SHARE)])
def revoke_case_access(
    case: CaseDep, account_id: UUID, session: SessionDep, principal: PrincipalDep
) -> CaseAccess:
    """Remove an account from the case."""
    sharing.remove_person(session, principal, case, account_id)
    return sharing.describe(session, principal, case)


@router.post("/cases/{case_id}/links", status_code=201, dependencies=[needs(Action.CASE_SHARE)])
def create_case_link(
    body: LinkCreate, case: CaseDep, session: SessionDep, principal: PrincipalDep, base_url: BaseUrlDep
) -> LinkCreated:
    """Create a link to the case, shown once; it works while the visibility is `link`."""
    lifetime = timedelta(days=body.days) if body.days else None
    link_id, secret = sharing.create_link(session, principal, case, lifetime=lifetime)
    # After `#` the secret never reaches a server, proxy or log by itself; the page sends it as a POST.
    return LinkCreated(id=link_id, url=f"{base_url}/open#{secret}")


@router.delete("/cases/{case_id}/links/{link_id}", status_code=204, dependencies=[needs(Action.CASE_SHARE)])
def delete_case_link(case: CaseDep, link_id: UUID, session: SessionDep, principal: PrincipalDep) -> None:
    """Revoke a link, and the access of everyone who opened it."""
    sharing.revoke_link(session, principal, case, link_id)


@router.post("/links/open", dependencies=[needs(Action.LINK_OPEN)])
def open_case_link(body: LinkOpen, session: SessionDep, principal: PrincipalDep) -> LinkOpened:
    """Open a case by its link: read access for as long as the link is active."""
    return LinkOpened(number=sharing.open_link(session, principal, body.secret).number)
