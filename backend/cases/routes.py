"""Cases: list, create, change, delete and restore."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases import long_poll, overview, queries, service
from backend.cases.access import CaseIdDep, CaseName, DeletedCaseDep, UnchangedCaseDep
from backend.cases.schemas import CaseCreate, CasePage, CaseRead, CaseUpdate
from backend.cases.schemas_filter import CaseFilter
from backend.core.errors import NotFoundError
from backend.core.http import conditional_requests
from backend.core.http.locations import locate
from backend.core.http.pagination import Page, paged

router = APIRouter(prefix="/cases", tags=["cases"])


@router.get("", dependencies=[needs(Action.CASES_LIST)])
def list_cases(
    session: SessionDep,
    principal: PrincipalDep,
    page: Annotated[Page, paged(50, 200)],
    by: Annotated[CaseFilter, Query()],
) -> CasePage:
    """List cases that meet every filter, by relevance unless `sort` says otherwise."""
    case_ids, total = queries.found(session, principal, page, by)
    listed = overview.describe_listed(session, principal, case_ids)
    return CasePage(items=listed, next_cursor=page.next_cursor, total=total)


@router.post("", status_code=201, dependencies=[needs(Action.CASE_OPEN)])
def create_case(
    body: CaseCreate, response: Response, session: SessionDep, account: PrincipalDep, _claimed: ClaimedDep
) -> CaseRead:
    """Open a case."""
    case = service.create(session, title=body.title, actor=account.name, owner=account)
    locate(response, "cases", case.number)
    return overview.describe_one(session, case.id)


@router.get("/{case_id}", dependencies=[needs(Action.CASE_READ)])
async def read_case(
    request: Request,
    response: Response,
    principal: PrincipalDep,
    case_id: CaseName,
    found_id: CaseIdDep,
    wait: Annotated[
        int,
        Query(ge=0, le=long_poll.MAX_SECONDS, description="Seconds to wait for it to be read and judged"),
    ] = 0,
) -> CaseRead:
    """Return one case; with `wait`, once all its evidence is judged or the time has passed."""
    case_read = await long_poll.until_judged(request, principal, found_id, seconds=wait)
    if case_read is None:
        raise NotFoundError(queries.absent(case_id))
    response.headers["ETag"] = conditional_requests.tag_of(case_read)
    return case_read


@router.patch("/{case_id}", dependencies=[needs(Action.CASE_CHANGE)])
def update_case(
    body: CaseUpdate, response: Response, case: UnchangedCaseDep, session: SessionDep, account: PrincipalDep
) -> CaseRead:
    """Change title, status, severity, assignee, tags or resolution; absent fields are unchanged."""
    service.update(session, case, body.model_dump(exclude_unset=True), actor=account.name)
    case_read = overview.describe_one(session, case.id)
    response.headers["ETag"] = conditional_requests.tag_of(case_read)
    return case_read


@router.delete("/{case_id}", status_code=204, dependencies=[needs(Action.CASE_CHANGE)])
def delete_case(case: UnchangedCaseDep, session: SessionDep, account: PrincipalDep) -> None:
    """Delete a case; `restore` undoes it."""
    service.delete(session, case, actor=account.name)


@router.post("/{case_id}/restore", dependencies=[needs(Action.CASE_CHANGE)])
def restore_case(case: DeletedCaseDep, session: SessionDep, account: PrincipalDep) -> CaseRead:
    """Restore a deleted case."""
    service.restore(session, case, actor=account.name)
    return overview.describe_one(session, case.id)
