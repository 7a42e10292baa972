"""What routes ask for: the session, the settings, the store, who is asking, and leave to do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from backend.access import askers, decisions, trail
from backend.access.actions import RULES, Action
from backend.access.askers import Asker
from backend.core import job_sender, senders
from backend.core.database import get_session
from backend.core.errors import NotAllowedError, NotSignedInError
from backend.core.senders import GUEST_COOKIE, SESSION_COOKIE
from backend.core.settings import Settings
from backend.core.storage import Store

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


def get_asker(request: Request, session: SessionDep) -> Asker:
    """Return who is asking, by bearer token or by a cookie: of a browser session, or else of a guest.

    What the request enqueues is done for them.

    Raises:
        NotSignedInError: There is neither, or it is not valid.
        NotAllowedError: Another site had the browser send the cookie along.
    """
    asker = _asker(request, session)
    if asker.signed_in_by == "guest":
        attribute_to_guest(request, session)
    else:
        job_sender.attribute(session, job_sender.account(asker.id))
    return asker


def attribute_to_guest(request: Request, session: Session) -> None:
    """Have what the request enqueues done for its address: whoever sends it has not signed in."""
    job_sender.attribute(
        session, job_sender.guest(senders.network_of(request.client.host if request.client else ""))
    )


def _asker(request: Request, session: Session) -> Asker:
    authorization = request.headers.get("authorization", "")
    if authorization:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise NotSignedInError("the Authorization header must read 'Bearer cbk_…'")
        asker = askers.by_token(session, token.strip())
        senders.note_holds(request.scope, token.strip())
        askers.note_use(request.app.state.sessions, asker)
        return asker
    cookie = request.cookies.get(SESSION_COOKIE, "")
    guest = request.cookies.get(GUEST_COOKIE, "")
    if not cookie and not guest:
        raise NotSignedInError("sign in with the URL that `casebook serve` prints, or send a bearer token")
    require_own_page(request)
    try:
        asker = askers.by_cookie(session, cookie)
    except NotSignedInError:
        if not guest:
            raise
        # Counted for its address: whoever may have any number of cases would have any number of requests.
        return askers.by_guest(session, guest)
    senders.note_holds(request.scope, cookie)
    askers.note_use(request.app.state.sessions, asker)
    return asker


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


AskerDep = Annotated[Asker, Depends(get_asker)]


class Declared:
    """A dependency by which a route declares its action."""

    def __init__(self, action: Action) -> None:
        """Declare `action`."""
        self.action = action


class Needs(Declared):
    """Lets a request through when whoever asks may do the action at all."""

    def __call__(self, request: Request, session: SessionDep, asker: AskerDep) -> None:
        """Refuse, or go on; either is noted in the audit log, what is about a case when it is entered."""
        try:
            decisions.check(asker, self.action)
        except NotAllowedError:
            trail.note_refusal(request, session, asker, self.action)
            raise
        request.state.action = self.action
        if not RULES[self.action].on_case:
            trail.note(request, session, asker, self.action)


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
    asker: Asker
    action: Action

    def enter(self, case_id: UUID, *, absent: str) -> None:
        """Go on only with a case that may be seen and used so, and note that in the audit log.

        Raises:
            NotFoundError: It is not seen; `absent` is what would be told if there were none.
            NotAllowedError: It is seen, but not to be used so.
        """
        try:
            decisions.enter(self.session, self.asker, self.action, case_id, absent=absent)
        except NotAllowedError:
            trail.note_refusal(self.request, self.session, self.asker, self.action, case_id)
            raise
        trail.note(self.request, self.session, self.asker, self.action, case_id)


def get_admission(request: Request, session: SessionDep, asker: AskerDep) -> Admission:
    """Return the leave that the route declared to need."""
    return Admission(request, session, asker, request.state.action)


AdmissionDep = Annotated[Admission, Depends(get_admission)]


def get_base_url(request: Request, settings: SettingsDep) -> str:
    """Return the address people reach us by, without a slash at its end."""
    return (settings.public_url or str(request.base_url)).rstrip("/")


BaseUrlDep = Annotated[str, Depends(get_base_url)]
