"""What routes ask for: the session, the settings, the store, and who is asking."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from backend.accounts import service
from backend.accounts.service import SignedIn
from backend.core.database import get_session
from backend.core.errors import NotAllowedError, NotSignedInError
from backend.core.settings import Settings
from backend.core.storage import Store

SESSION_COOKIE = "casebook_session"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def get_settings(request: Request) -> Settings:
    """Return the settings the application was made with."""
    settings: Settings = request.app.state.settings
    return settings


def get_store(request: Request) -> Store:
    """Return the object store the application was made with."""
    store: Store = request.app.state.store
    return store


SessionDep = Annotated[Session, Depends(get_session, scope="function")]
SettingsDep = Annotated[Settings, Depends(get_settings)]
StoreDep = Annotated[Store, Depends(get_store)]


def get_signed_in(request: Request, session: SessionDep) -> SignedIn:
    """Return who is asking, by bearer token or by the cookie of a browser session.

    Raises:
        NotSignedInError: There is neither, or it is not valid.
        NotAllowedError: Another site had the browser send the cookie along.
    """
    authorization = request.headers.get("authorization", "")
    if authorization:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise NotSignedInError("the Authorization header must read 'Bearer cbk_…'")
        return service.by_token(session, token.strip())
    cookie = request.cookies.get(SESSION_COOKIE, "")
    if not cookie:
        raise NotSignedInError("sign in with the URL that `casebook serve` prints, or send a bearer token")
    if request.method not in SAFE_METHODS and not is_same_origin(request):
        raise NotAllowedError("a request from another site may not change anything here")
    return service.by_cookie(session, cookie)


def is_same_origin(request: Request) -> bool:
    """Say whether our own page sent this request, as far as the browser tells.

    `Sec-Fetch-Site` decides where it is sent; else `Origin` must name this host. Neither: not a browser
    that would send a cookie unasked (https://web.dev/articles/fetch-metadata).
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("origin")
    if origin is None:
        return True
    return origin.partition("://")[2] == request.headers.get("host", "")


AccountDep = Annotated[SignedIn, Depends(get_signed_in)]


def get_base_url(request: Request, settings: SettingsDep) -> str:
    """Return the address people reach us by, without a slash at its end."""
    return (settings.public_url or str(request.base_url)).rstrip("/")


BaseUrlDep = Annotated[str, Depends(get_base_url)]
