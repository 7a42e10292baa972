"""Sign-in methods of this instance, and login by OpenID Connect."""

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
from backend.core.http.query_parameters import takes_any
from backend.core.http.rate_limit_keys import SESSION_COOKIE
from backend.models.account import Role

router = APIRouter(tags=["account"])

BROWSER_COOKIE = "casebook_oidc"
PATH = "/api/v1/session/oidc"


class LoginMethods(BaseModel):
    """Sign-in methods besides the printed URL and a password; `oidc` is the name of the provider, if any."""

    oidc: str | None


class ProviderLogout(BaseModel):
    """Logout URL of the provider; null when there is none."""

    url: str | None


def get_provider(request: Request, settings: SettingsDep) -> Provider:
    """Return the provider of this instance.

    Raises:
        NotFoundError: None is configured.
    """
    if not settings.oidc_issuer:
        raise NotFoundError("no OpenID Connect provider is configured")
    if not hasattr(request.app.state, "oidc"):
        request.app.state.oidc = Provider(settings)
    provider: Provider = request.app.state.oidc
    return provider


ProviderDep = Annotated[Provider, Depends(get_provider)]


def _redirect_to_sign_in(request: Request, error: CasebookError, *, leads_to: str = "/") -> RedirectResponse:
    """Redirect a browser to the sign-in page, which shows a message for each error code.

    Only the code goes into the URL: a message there could be forged.

    Raises:
        CasebookError: The `error` itself, for a client that is no browser.
    """
    if "text/html" not in request.headers.get("accept", ""):
        raise error
    return RedirectResponse(
        f"/sign-in?{urlencode({'refused': code_of(error), 'next': leads_to})}", status_code=303
    )


@router.get("/session/ways", dependencies=[needs(Action.ENTER)])
def list_login_methods(settings: SettingsDep) -> LoginMethods:
    """List sign-in methods."""
    return LoginMethods(oidc=settings.oidc_name if settings.oidc_issuer else None)


@router.get(
    "/session/oidc",
    status_code=303,
    response_class=RedirectResponse,
    dependencies=[needs(Action.ENTER)],
)
def start_oidc_login(
    request: Request,
    session: SessionDep,
    provider: ProviderDep,
    base_url: BaseUrlDep,
    leads_to: Annotated[str, Query(max_length=2000, description="Path of the page to open afterwards")] = "/",
    *,
    confirm: Annotated[
        bool, Query(description="Whether the provider must authenticate the person anew")
    ] = False,
) -> RedirectResponse:
    """Redirect the browser to the OpenID Connect provider."""
    try:
        redirect = oidc.start_login(
            session,
            provider,
            redirect_uri=f"{base_url}{PATH}/callback",
            leads_to=leads_to,
            is_confirmation=confirm,
        )
    except CasebookError as error:
        return _redirect_to_sign_in(request, error, leads_to=leads_to)
    response = RedirectResponse(redirect.url, status_code=303)
    response.set_cookie(
        BROWSER_COOKIE,
        redirect.browser,
        max_age=int(oidc.LIFETIME.total_seconds()),
        path=PATH,
        httponly=True,
        samesite="lax",
        secure=base_url.startswith("https://") or request.scope["scheme"] == "https",
    )
    return response


@router.get(
    "/session/oidc/callback",
    status_code=303,
    response_class=RedirectResponse,
    dependencies=[needs(Action.ENTER)],
)
@takes_any
def finish_oidc_login(
    request: Request,
    session: SessionDep,
    settings: SettingsDep,
    provider: ProviderDep,
    base_url: BaseUrlDep,
    code: Annotated[str, Query(max_length=4000)] = "",
    state: Annotated[str, Query(max_length=200)] = "",
    error: Annotated[str, Query(max_length=200)] = "",
) -> RedirectResponse:
    """Complete the login after the redirect back from the provider."""
    try:
        with login.audit_refusals(request, session, "OpenID Connect"):
            if error or not code:
                raise DeniedByProviderError(f"the login provider refused: {error or 'no code sent'}")
            done = oidc.complete_login(
                session,
                provider,
                Role(settings.oidc_role),
                redirect_uri=f"{base_url}{PATH}/callback",
                code=code,
                state=state,
                browser=request.cookies.get(BROWSER_COOKIE, ""),
            )
    except CasebookError as refusal:
        return _redirect_to_sign_in(request, refusal)
    response = RedirectResponse(done.leads_to, status_code=303)
    login.start_session(
        request,
        response,
        session,
        settings,
        done.account_id,
        how="OpenID Connect",
        authenticated_at=done.authenticated_at,
    )
    response.delete_cookie(BROWSER_COOKIE, path=PATH, httponly=True, samesite="lax")
    return response


@router.post("/session/oidc/end", dependencies=[needs(Action.ACCOUNT)])
def sign_out_everywhere(
    request: Request,
    response: Response,
    session: SessionDep,
    provider: ProviderDep,
    base_url: BaseUrlDep,
    _: PrincipalDep,
) -> ProviderLogout:
    """End this browser session, and return the logout URL of the provider."""
    service.sign_out(session, request.cookies.get(SESSION_COOKIE, ""))
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax")
    return ProviderLogout(url=provider.end_url(redirect_uri=f"{base_url}/sign-in"))
