"""Sign in with a one-time token, sign out, and the current account."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep, needs, require_own_page
from backend.accounts import login, service
from backend.accounts.schemas import AccountRead, SignIn
from backend.core.http.rate_limit_keys import SESSION_COOKIE

router = APIRouter(tags=["account"])


@router.post("/session", dependencies=[needs(Action.ENTER), Depends(require_own_page)])
def sign_in(
    body: SignIn, request: Request, response: Response, session: SessionDep, settings: SettingsDep
) -> AccountRead:
    """Exchange a one-time token for a browser session (a cookie)."""
    with login.audit_refusals(request, session, "one-time link"):
        account_id = service.use_sign_in_token(session, body.token)
    return login.start_session(request, response, session, settings, account_id, how="one-time link")


@router.delete("/session", status_code=204, dependencies=[needs(Action.ACCOUNT)])
def sign_out(request: Request, response: Response, session: SessionDep, _: PrincipalDep) -> None:
    """End this browser session."""
    service.sign_out(session, request.cookies.get(SESSION_COOKIE, ""))
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax")


@router.get("/me", dependencies=[needs(Action.WHO_AM_I)])
def read_me(account: PrincipalDep) -> AccountRead:
    """Return the current account."""
    return AccountRead.model_validate(account, from_attributes=True)
