"""Dependencies of the routes: session, settings, store, principal, and permission."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from backend.access import audit_trail, decisions, principals
from backend.access.actions import RULES, Action
from backend.access.principals import Principal
from backend.core.errors import NotAllowedError, NotFoundError, NotSignedInError
from backend.core.http import rate_limit_keys
from backend.core.http.rate_limit_keys import GUEST_COOKIE, SESSION_COOKIE
from backend.core.jobs import job_sender
from backend.core.sessions import get_session
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.models.case import Case

if TYPE_CHECKING:
    from sqlalchemy import Select

Found = TypeVar("Found")

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


def get_principal(request: Request, session: SessionDep) -> Principal:
    """Return the principal, by bearer token or by a cookie: of a browser session, else of a guest.

    Jobs that the request enqueues are attributed to them.

    Raises:
        NotSignedInError: Neither is present, or it is not valid.
        NotAllowedError: The cookie came with a cross-site request.
    """
    principal = _principal_of(request, session)
    if principal.signed_in_by == "guest":
        attribute_to_guest(request, session)
    else:
        job_sender.attribute(session, job_sender.account(principal.id))
    return principal


def attribute_to_guest(request: Request, session: Session) -> None:
    """Attribute the jobs of the request to its IP address: the sender has not signed in."""
    job_sender.attribute(
        session, job_sender.guest(rate_limit_keys.network_of(request.client.host if request.client else ""))
    )


def _principal_of(request: Request, session: Session) -> Principal:
    authorization = request.headers.get("authorization", "")
    if authorization:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise NotSignedInError("the Authorization header must read 'Bearer cbk_…'")
        principal = principals.by_token(session, token.strip())
        rate_limit_keys.mark_valid(request.scope, token.strip())
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
        # Counted per IP: one guest may have any number of cases, and each would have its own budget.
        return principals.by_guest(session, guest)
    rate_limit_keys.mark_valid(request.scope, cookie)
    principals.note_use(request.app.state.sessions, principal)
    return principal


def require_own_page(request: Request) -> None:
    """Refuse a cross-site request that changes something.

    Raises:
        NotAllowedError: It is one.
    """
    if request.method not in SAFE_METHODS and not is_same_origin(request):
        raise NotAllowedError("cross-site requests may not change anything")


def is_same_origin(request: Request) -> bool:
    """Return whether our own page sent this request, as far as the browser states.

    `Sec-Fetch-Site` decides where present; else `Origin` must name this host. Neither: not a browser that
    attaches cookies (https://web.dev/articles/fetch-metadata).
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("origin")
    if origin is None:
        return True
    return origin.partition("://")[2] == request.headers.get("host", "")


PrincipalDep = Annotated[Principal, Depends(get_principal)]


class Declared:
    """A dependency by which a route declares its action."""

    def __init__(self, action: Action) -> None:
        """Declare `action`."""
        self.action = action


class Needs(Declared):
    """Admits a request when the role and scope of its principal suffice."""

    def __call__(self, request: Request, session: SessionDep, principal: PrincipalDep) -> None:
        """Check and record in the audit log; actions on a case are recorded by `Admission.find`."""
        try:
            decisions.check(principal, self.action)
        except NotAllowedError:
            audit_trail.note_refusal(request, session, principal, self.action)
            raise
        request.state.action = self.action
        if not RULES[self.action].on_case:
            audit_trail.note(request, session, principal, self.action)


class Open(Declared):
    """Admits everyone."""

    async def __call__(self) -> None:
        """Check nothing; a coroutine needs no thread."""


def needs(action: Action) -> Any:
    """Return the dependency by which a route declares its action."""
    return Depends(Open(action) if RULES[action].role is None else Needs(action))


@dataclass(frozen=True, slots=True)
class Admission:
    """Permission for the declared action of this request, checked case by case."""

    request: Request
    session: Session
    principal: Principal
    action: Action

    def find(self, query: Select[Found], *, absent: str) -> Found:
        """Return the row of `query`, which joins its case, and record the access in the audit log.

        Visibility is a condition of that one query, so that a hidden row takes the work of an absent one.

        Raises:
            NotFoundError: There is none, or its case is not visible; `absent` is the message of both.
            NotAllowedError: The case is visible, but the action is not allowed on it.
        """
        visible = query.add_columns(Case.id).where(decisions.visible(self.principal))
        row: tuple[Found, UUID] | None = self.session.execute(visible).one_or_none()
        if row is None:
            raise NotFoundError(absent)
        found, case_id = row
        self._enter(case_id)
        return found

    def _enter(self, case_id: UUID) -> None:
        try:
            decisions.check_on(self.session, self.principal, self.action, case_id)
        except NotAllowedError:
            audit_trail.note_refusal(self.request, self.session, self.principal, self.action, case_id)
            raise
        audit_trail.note(self.request, self.session, self.principal, self.action, case_id)


def get_admission(request: Request, session: SessionDep, principal: PrincipalDep) -> Admission:
    """Return the permission check for the action that the route declares."""
    return Admission(request, session, principal, request.state.action)


AdmissionDep = Annotated[Admission, Depends(get_admission)]


def get_base_url(request: Request, settings: SettingsDep) -> str:
    """Return the public URL of the service, without a trailing slash."""
    return (settings.public_url or str(request.base_url)).rstrip("/")


BaseUrlDep = Annotated[str, Depends(get_base_url)]
