"""Case tokens: they add evidence to one case and read nothing."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.accounts import tokens
from backend.accounts.schemas_tokens import CaseTokenCreate, TokenCreated, TokenRead
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep

router = APIRouter(prefix="/cases", tags=["cases"])


@router.get("/{case_id}/tokens", dependencies=[needs(Action.CASE_SHARE)])
def list_case_tokens(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[TokenRead]:
    """List the active tokens of the case, newest first."""
    return page.envelope(
        [TokenRead.model_validate(token) for token in tokens.of_case(session, case.id, page)]
    )


@router.post("/{case_id}/tokens", status_code=201, dependencies=[needs(Action.CASE_SHARE)])
def create_case_token(
    body: CaseTokenCreate, case: CaseDep, session: SessionDep, principal: PrincipalDep
) -> TokenCreated:
    """Create a token for `PUT /drop/{filename}`, safe to use on the affected host."""
    lifetime = timedelta(days=body.days)
    token, secret = tokens.make_for_case(session, principal, case.id, name=body.name, lifetime=lifetime)
    return TokenCreated(token=TokenRead.model_validate(token), secret=secret)


@router.delete("/{case_id}/tokens/{token_id}", status_code=204, dependencies=[needs(Action.CASE_SHARE)])
def revoke_case_token(case: CaseDep, token_id: UUID, session: SessionDep) -> None:
    """Revoke a token of the case, effective immediately."""
    tokens.revoke(session, tokens.one(session, token_id, tokens.of_case(session, case.id)))
