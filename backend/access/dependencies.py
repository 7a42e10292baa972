"""What routes ask for: the session, the settings, the store, who is asking, and leave to do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from backend.access import audit_trail, decisions, principals
from backend.access.actions import RULES, Action
from backend.access.principals import Principal
from backend.core.errors import NotAllowedError, NotSignedInError
from backend.core.http import rate_limit_keys
from backend.core.http.rate_limit_keys import GUEST_COOKIE, SESSION_COOKIE
from backend.core.jobs import job_sender
from backend.core.sessions import get_session
from backend.core.settings import Settings
from backend.core.storage.object_store import Store

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


def get_asker(request: Request, session: SessionDep) -> Principal:
    """Return who is asking, by bearer token or by a cookie: of a browser session, or else of a guest.

    What the request enqueues is done for them.

    Raises:
        NotSignedInError: There is neither, or it is not valid.
        NotAllowedError: Another site had the browser send the cookie along.
    """
    principal = _asker(request, session)
    if principal.signed_in_by == "guest":
        attribute_to_guest(request, session)
    else:
        job_sender.attribute(session, job_sender.account(principal.id))
    return principal


def attribute_to_guest(request: Request, session: Session) -> None:
    """Have what the request enqueues done for its address: whoever sends it has not signed in."""
    job_sender.attribute(
        session, job_sender.guest(rate_limit_keys.network_of(request.client.host if request.client else ""))
    )


def _asker(request: Request, session: Session) -> Principal:
    authorization = request.headers.get("authorization", "")
    if authorization:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise NotSignedInError("the Authorization header must read 'Bearer cbk_…'")
        principal = principals.by_token(session, token.strip())
        rate_limit_keys.note_holds(request.scope, token.strip())
        principals.note_use(request.app.state.sessions, principal)
        return principal
    cookie = request.cookies.get(SESSION_COOKIE, "")
    guest = request.cookies.get(GUEST_COOKIE, "")
    if not cookie and not guest:
        raise NotSignedInError("sign in with the URL that `casebook serve` prints, or send a bearer token")
    require_own_page(request)
    try:
        principal = principals.by_cookie(session, cookie)
    except NotSignedInError:
        if not guest:
            raise
        # Counted for its address: whoever may have any number of cases would have any number of requests.
        return principals.by_guest(session, guest)
    rate_limit_keys.note_holds(request.scope, cookie)
    principals.note_use(request.app.state.sessions, principal)
    return principal


def require_own_page(request: Request) -> None:
    """Go on unless another site had a browser send a change.

    Raises:
        NotAllowedError: It did.
    """
    if request.method not in SAFE_METHODS and not is_same_origin(request):
        raise NotAllowedError("a request from another site may not change anything here")


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


PrincipalDep = Annotated[Principal, Depends(get_asker)]


class Declared:
    """A dependency by which a route declares its action."""

    def __init__(self, action: Action) -> None:
        """Declare `action`."""
        self.action = action


class Needs(Declared):
    """Lets a request through when whoever asks may do the action at all."""

    def __call__(self, request: Request, session: SessionDep, principal: PrincipalDep) -> None:
        """Refuse, or go on; either is noted in the audit log, what is about a case when it is entered."""
        try:
            decisions.check(principal, self.action)
        except NotAllowedError:
            audit_trail.note_refusal(request, session, principal, self.action)
            raise
        request.state.action = self.action
        if not RULES[self.action].on_case:
            audit_trail.note(request, session, principal, self.action)


class Open(Declared):
    """Lets everybody through."""

    async def __call__(self) -> None:
        """Ask nothing; as a coroutine, which needs no thread."""


def needs(action: Action) -> Any:
    """Return the dependency by which a route declares its action."""
    return Depends(Open(action) if RULES[action].role is None else Needs(action))


@dataclass(frozen=True, slots=True)
class Admission:
    """Leave to do the declared action of this request with a case, given case by case."""

    request: Request
    session: Session
    principal: Principal
    action: Action

    def enter(self, case_id: UUID, *, absent: str) -> None:
        """Go on only with a case that may be seen and used so, and note that in the audit log.

        Raises:
            NotFoundError: It is not seen; `absent` is what would be told if there were none.
            NotAllowedError: It is seen, but not to be used so.
        """
        try:
            decisions.enter(self.session, self.principal, self.action, case_id, absent=absent)
        except NotAllowedError:
            audit_trail.note_refusal(self.request, self.session, self.principal, self.action, case_id)
            raise
        audit_trail.note(self.request, self.session, self.principal, self.action, case_id)


def get_admission(request: Request, session: SessionDep, principal: PrincipalDep) -> Admission:
    """Return the leave that the route declared to need."""
    return Admission(request, session, principal, request.state.action)


AdmissionDep = Annotated[Admission, Depends(get_admission)]


def get_base_url(request: Request, settings: SettingsDep) -> str:
    """Return the address people reach us by, without a slash at its end."""
    return (settings.public_url or str(request.base_url)).rstrip("/")


BaseUrlDep = Annotated[str, Depends(get_base_url)]
