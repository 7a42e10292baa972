"""Cases: list, make, change, delete and bring back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query

from backend.accounts.access import AccountDep, SessionDep
from backend.cases import overview, queries, service
from backend.cases.access import CaseDep
from backend.cases.schemas import CaseCreate, CasePage, CaseRead, CaseSort, CaseState, CaseUpdate
from backend.models.case import Case

router = APIRouter(prefix="/cases", tags=["cases"])


@router.get("")
def list_cases(
    session: SessionDep,
    _: AccountDep,
    q: Annotated[str, Query(max_length=200, description="Words of the title, or the number")] = "",
    state: CaseState | None = None,
    sort: CaseSort = "-created_at",
    cursor: Annotated[str | None, Query(max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> CasePage:
    """Return one page of cases, newest first unless `sort` says otherwise."""
    cases, next_cursor = queries.page(session, q=q, state=state, sort=sort, cursor=cursor, limit=limit)
    return CasePage(items=overview.describe(session, cases), next_cursor=next_cursor)


@router.post("", status_code=201)
def create_case(body: CaseCreate, session: SessionDep, account: AccountDep) -> CaseRead:
    """Open a case."""
    case = service.create(session, title=body.title, actor=account.name)
    return overview.describe_one(session, case)


@router.get("/{case_id}")
def read_case(case: CaseDep, session: SessionDep) -> CaseRead:
    """Return one case."""
    return overview.describe_one(session, case)


@router.patch("/{case_id}")
def update_case(body: CaseUpdate, case: CaseDep, session: SessionDep, account: AccountDep) -> CaseRead:
    """Change title, state or severity; absent fields stay, `severity: null` clears it."""
    service.update(session, case, body.model_dump(exclude_unset=True), actor=account.name)
    return overview.describe_one(session, case)


@router.delete("/{case_id}", status_code=204)
def delete_case(case: CaseDep, session: SessionDep, account: AccountDep) -> None:
    """Put a case away; `restore` brings it back."""
    service.delete(session, case, actor=account.name)


def get_deleted_case(
    session: SessionDep, _: AccountDep, case_id: Annotated[str, Path(max_length=36)]
) -> Case:
    """Return the case that `case_id` names, deleted or not."""
    return queries.case_named(session, case_id, with_deleted=True)


@router.post("/{case_id}/restore")
def restore_case(
    case: Annotated[Case, Depends(get_deleted_case)], session: SessionDep, account: AccountDep
) -> CaseRead:
    """Bring a deleted case back."""
    service.restore(session, case, actor=account.name)
    return overview.describe_one(session, case)
