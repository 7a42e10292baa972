"""Personal tokens and browser sessions, and service tokens."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import APIRouter

from backend.access.actions import Action, Scope
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.reauthentication import needs_recent_sign_in
from backend.accounts import tokens
from backend.accounts.schemas_tokens import (
    ServiceTokenCreate,
    SessionRead,
    TokenCreate,
    TokenCreated,
    TokenRead,
    TokenRotate,
)
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.models.account import Token

router = APIRouter(tags=["account"])


def made(token: Token, secret: str) -> TokenCreated:
    """Return a new token with its secret, which is shown once."""
    return TokenCreated(token=TokenRead.model_validate(token), secret=secret)


@router.get("/tokens", dependencies=[needs(Action.ACCOUNT)])
def list_tokens(session: SessionDep, principal: PrincipalDep, page: PageDep) -> Listed[TokenRead]:
    """List your active tokens, newest first."""
    return page.envelope(
        [TokenRead.model_validate(token) for token in tokens.personal(session, principal, page)]
    )


@router.post("/tokens", status_code=201, dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()])
def create_token(body: TokenCreate, session: SessionDep, principal: PrincipalDep) -> TokenCreated:
    """Create a personal token; it never exceeds your own permissions."""
    scopes = {Scope(scope) for scope in body.scopes}
    lifetime = timedelta(days=body.days)
    return made(*tokens.make_personal(session, principal, name=body.name, scopes=scopes, lifetime=lifetime))


@router.post(
    "/tokens/{token_id}/rotate", status_code=201, dependencies=[needs(Action.ACCOUNT), needs_recent_sign_in()]
)
def rotate_token(
    token_id: UUID, body: TokenRotate, session: SessionDep, principal: PrincipalDep
) -> TokenCreated:
    """Rotate one of your tokens; the old secret expires after the overlap."""
    old = tokens.one(session, token_id, tokens.personal(session, principal))
    return made(*tokens.rotate(session, old, overlap=timedelta(hours=body.overlap_hours)))


@router.delete("/tokens/{token_id}", status_code=204, dependencies=[needs(Action.ACCOUNT)])
def revoke_token(token_id: UUID, session: SessionDep, principal: PrincipalDep) -> None:
    """Revoke one of your tokens, effective immediately."""
    tokens.revoke(session, tokens.one(session, token_id, tokens.personal(session, principal)))


@router.get("/service-tokens", dependencies=[needs(Action.ADMINISTER)])
def list_service_tokens(session: SessionDep, page: PageDep) -> Listed[TokenRead]:
    """List active service tokens, newest first."""
    return page.envelope([TokenRead.model_validate(token) for token in tokens.of_services(session, page)])


@router.post(
    "/service-tokens", status_code=201, dependencies=[needs(Action.ADMINISTER), needs_recent_sign_in()]
)
def create_service_token(body: ServiceTokenCreate, session: SessionDep) -> TokenCreated:
    """Create a service token; it belongs to no person."""
    scopes = {Scope(scope) for scope in body.scopes}
    lifetime = timedelta(days=body.days)
    return made(
        *tokens.make_service(session, name=body.name, role=body.role, scopes=scopes, lifetime=lifetime)
    )


@router.post(
    "/service-tokens/{token_id}/rotate",
    status_code=201,
    dependencies=[needs(Action.ADMINISTER), needs_recent_sign_in()],
)
def rotate_service_token(token_id: UUID, body: TokenRotate, session: SessionDep) -> TokenCreated:
    """Rotate a service token; the old secret expires after the overlap."""
    old = tokens.one(session, token_id, tokens.of_services(session))
    return made(*tokens.rotate(session, old, overlap=timedelta(hours=body.overlap_hours)))


@router.delete("/service-tokens/{token_id}", status_code=204, dependencies=[needs(Action.ADMINISTER)])
def revoke_service_token(token_id: UUID, session: SessionDep) -> None:
    """Revoke a service token, effective immediately."""
    tokens.revoke(session, tokens.one(session, token_id, tokens.of_services(session)))


@router.get("/sessions", dependencies=[needs(Action.ACCOUNT)])
def list_sessions(session: SessionDep, principal: PrincipalDep, page: PageDep) -> Listed[SessionRead]:
    """List your browser sessions, newest first."""
    return page.envelope(
        [
            SessionRead(
                id=one.id,
                client=one.client,
                created_at=one.created_at,
                expires_at=one.expires_at,
                last_used_at=one.last_used_at,
                is_this=one.id == principal.token_id,
            )
            for one in tokens.browsers(session, principal, page)
        ]
    )


@router.delete("/sessions/{session_id}", status_code=204, dependencies=[needs(Action.ACCOUNT)])
def end_session(session_id: UUID, session: SessionDep, principal: PrincipalDep) -> None:
    """End one of your browser sessions, effective immediately."""
    tokens.revoke(session, tokens.one(session, session_id, tokens.browsers(session, principal)))
