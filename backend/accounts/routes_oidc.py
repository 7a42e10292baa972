"""The ways to come in that this instance offers, and the one by an OpenID Connect provider."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from backend.access.actions import Action
from backend.access.dependencies import (
    BaseUrlDep,
    PrincipalDep,
    SessionDep,
    SettingsDep,
    needs,
)
from backend.accounts import login, oidc, service
from backend.accounts.provider import Provider
from backend.core.errors import CasebookError, DeniedByProviderError, NotFoundError
from backend.core.http.problems import code_of
from backend.core.http.rate_limit_keys import SESSION_COOKIE
from backend.models.account import Role

router = APIRouter(tags=["account"])

BROWSER_COOKIE = "casebook_oidc"
PATH = "/api/v1/session/oidc"


class Ways(BaseModel):
    """How to come in besides the printed URL and a password; `oidc` names the provider, if there is one."""

    oidc: str | None


class Ended(BaseModel):
    """Where to end the session at the provider as well; null when there is nothing to end there."""

    url: str | None


def get_provider(request: Request, settings: SettingsDep) -> Provider:
    """Return the provider of this instance.

    Raises:
        NotFoundError: There is none.
    """
    if not settings.oidc_issuer:
        raise NotFoundError("this instance has no OpenID Connect provider")
    if not hasattr(request.app.state, "oidc"):
        request.app.state.oidc = Provider(settings)
    provider: Provider = request.app.state.oidc
    return provider


ProviderDep = Annotated[Provider, Depends(get_provider)]


def _outside(request: Request, error: CasebookError, *, leads_to: str = "/") -> RedirectResponse:
    """Lead a browser back to the page of the sign-in, which has a sentence for each code.

    The code alone goes into the address: a sentence there could be anybody's.

    Raises:
        CasebookError: The `error` itself, to a program.
    """
    if "text/html" not in request.headers.get("accept", ""):
        raise error
    return RedirectResponse(
        f"/sign-in?{urlencode({'refused': code_of(error), 'next': leads_to})}", status_code=303
    )


@router.get("/session/ways", dependencies=[needs(Action.ENTER)])
def list_ways(settings: SettingsDep) -> Ways:
    """Say how to come in."""
    return Ways(oidc=settings.oidc_name if settings.oidc_issuer else None)


@router.get(
    "/session/oidc",
    status_code=303,
    response_class=RedirectResponse,
    dependencies=[needs(Action.ENTER)],
)
def leave_for_provider(
    request: Request,
    session: SessionDep,
    provider: ProviderDep,
    base_url: BaseUrlDep,
    leads_to: Annotated[str, Query(max_length=2000, description="Path of the page to open afterwards")] = "/",
) -> RedirectResponse:
    """Send the browser to the provider."""
    try:
        way = oidc.leave(session, provider, redirect_uri=f"{base_url}{PATH}/callback", leads_to=leads_to)
    except CasebookError as error:
        return _outside(request, error, leads_to=leads_to)
    answer = RedirectResponse(way.url, status_code=303)
    answer.set_cookie(
        BROWSER_COOKIE,
        way.browser,
        max_age=int(oidc.LIFETIME.total_seconds()),
        path=PATH,
        httponly=True,
        samesite="lax",
        secure=base_url.startswith("https://") or request.scope["scheme"] == "https",
    )
    return answer


@router.get(
    "/session/oidc/callback",
    status_code=303,
    response_class=RedirectResponse,
    dependencies=[needs(Action.ENTER)],
)
def come_back_from_provider(
    request: Request,
    session: SessionDep,
    settings: SettingsDep,
    provider: ProviderDep,
    base_url: BaseUrlDep,
    code: Annotated[str, Query(max_length=4000)] = "",
    state: Annotated[str, Query(max_length=200)] = "",
    error: Annotated[str, Query(max_length=200)] = "",
) -> RedirectResponse:
    """Let the browser in that comes back from the provider with a proof."""
    try:
        with login.refusals_noted(request, session, "OpenID Connect"):
            if error or not code:
                raise DeniedByProviderError(f"the provider let nobody in: {error or 'it sent no code'}")
            account_id, leads_to = oidc.come_back(
                session,
                provider,
                Role(settings.oidc_role),
                redirect_uri=f"{base_url}{PATH}/callback",
                code=code,
                state=state,
                browser=request.cookies.get(BROWSER_COOKIE, ""),
            )
    except CasebookError as refusal:
        return _outside(request, refusal)
    answer = RedirectResponse(leads_to, status_code=303)
    login.let_in(request, answer, session, settings, account_id, how="OpenID Connect")
    answer.delete_cookie(BROWSER_COOKIE, path=PATH, httponly=True, samesite="lax")
    return answer


@router.post("/session/oidc/end", dependencies=[needs(Action.ACCOUNT)])
def sign_out_everywhere(
    request: Request,
    response: Response,
    session: SessionDep,
    provider: ProviderDep,
    base_url: BaseUrlDep,
    _: PrincipalDep,
) -> Ended:
    """End this browser session, and say where to end the one at the provider."""
    service.sign_out(session, request.cookies.get(SESSION_COOKIE, ""))
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax")
    return Ended(url=provider.end_url(redirect_uri=f"{base_url}/sign-in"))
