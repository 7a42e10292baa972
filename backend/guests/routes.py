"""The doors for whoever has not signed in: send a little, look at it in the same browser, keep or end it.

What opens the case is a cookie of this browser, never part of an address. A page of another site can neither
send nor end anything here (`require_own_page`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Request, Response
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from backend.access import audit_trail, principals
from backend.access.actions import Action
from backend.access.dependencies import (
    BaseUrlDep,
    PrincipalDep,
    SessionDep,
    SettingsDep,
    StoreDep,
    attribute_to_guest,
    needs,
    require_own_page,
)
from backend.core.http.rate_limit_keys import GUEST_COOKIE
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.evidence import staging
from backend.evidence.routes_receive import MULTIPART
from backend.evidence.schemas import Paste
from backend.guests import service
from backend.guests.schemas import GuestCase, GuestKept, GuestRead
from backend.uploads.space import reserved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backend.evidence.staging import Staged
    from backend.models.case import Case

router = APIRouter(prefix="/guest", tags=["guests"])
OPEN = [needs(Action.GUEST_SEND), Depends(require_own_page)]


@dataclass(frozen=True)
class GuestSubmission:
    """Where somebody hands in evidence who has not signed in."""

    request: Request
    response: Response
    session: Session
    store: Store
    settings: Settings
    base_url: str

    @property
    def secret(self) -> str:
        """What opens the case of this browser; "" when it has none."""
        return self.request.cookies.get(GUEST_COOKIE, "")

    async def files(self) -> GuestCase:
        """Take the files of a multipart body."""
        limits = service.limits(self.settings)
        overhead = staging.MULTIPART_OVERHEAD_BYTES
        async with staging.reserving(self.request, self.session, limits, overhead_bytes=overhead) as space:
            staged = await staging.receive_multipart(self.request, space, limits)
            return await run_in_threadpool(self._take, staged)

    def text(self, text: str, *, captured_path: str) -> GuestCase:
        """Take pasted text."""
        limits = service.limits(self.settings)
        content = staging.content_of(limits, text)
        with reserved(self.session, limits, len(content)):
            return self._take(staging.keep_text(limits, content, captured_path=captured_path))

    def told(self, case: Case) -> GuestCase:
        """Return what the browser is told of its case."""
        assert case.expires_at is not None  # noqa: S101 - every case that a guest sends has an end
        return GuestCase(
            number=case.number,
            title=case.title,
            expires_at=case.expires_at,
            permalink=f"{self.base_url}/cases/{case.number}",
        )

    def forget(self) -> None:
        """Have the browser forget what opened its case."""
        self.response.delete_cookie(GUEST_COOKIE, httponly=True, samesite="lax")

    def _take(self, staged: Sequence[Staged]) -> GuestCase:
        """Keep what came, and give the browser what opens it for as long as it is there."""
        _, secret = service.receive(
            self.session,
            self.store,
            self.settings,
            staged,
            secret=self.secret,
            base_url=self.base_url,
        )
        principal = principals.by_guest(self.session, secret)
        audit_trail.note(self.request, self.session, principal, Action.GUEST_SEND, principal.case_id)
        case = service.case_of(self.session, secret)
        assert case is not None  # noqa: S101 - it was just made or found
        told = self.told(case)
        self.response.set_cookie(
            GUEST_COOKIE,
            secret,
            max_age=max(1, int((told.expires_at - datetime.now(UTC)).total_seconds())),
            httponly=True,
            samesite="lax",
            secure=self.request.scope["scheme"] == "https" or self.settings.public_url.startswith("https://"),
        )
        return told


def get_door(
    request: Request,
    response: Response,
    session: SessionDep,
    store: StoreDep,
    settings: SettingsDep,
    base_url: BaseUrlDep,
) -> GuestSubmission:
    """Return the door for whoever has not signed in, open or not."""
    attribute_to_guest(request, session)
    return GuestSubmission(request, response, session, store, settings, base_url)


GuestDoorDep = Annotated[GuestSubmission, Depends(get_door)]


def get_open_door(door: GuestDoorDep) -> GuestSubmission:
    """Return the door where it is open.

    Raises:
        NotAllowedError: This instance takes nothing without signing in.
    """
    service.require_let_in(door.settings)
    return door


OpenDoorDep = Annotated[GuestSubmission, Depends(get_open_door)]


@router.get("", dependencies=OPEN)
def read_guest(door: GuestDoorDep) -> GuestRead:
    """Say whether one may send something without signing in, and what this browser sent so."""
    case = service.case_of(door.session, door.secret)
    door.response.headers["Cache-Control"] = "no-store"
    return GuestRead(
        is_open=service.are_let_in(door.settings),
        lifetime_seconds=int(door.settings.guest_lifetime.total_seconds()),
        max_bytes=door.settings.guest_max_bytes,
        case=None if case is None else door.told(case),
    )


@router.post("/paste", status_code=202, dependencies=OPEN)
def paste_as_guest(body: Paste, door: OpenDoorDep) -> GuestCase:
    """Read and judge pasted text in a case that this browser alone opens, for a short time."""
    return door.text(body.text, captured_path=body.captured_path)


@router.post("/evidence", status_code=202, openapi_extra=MULTIPART, dependencies=OPEN)
async def send_as_guest(door: OpenDoorDep) -> GuestCase:
    """Read and judge small files in a case that this browser alone opens, for a short time."""
    return await door.files()


@router.post("/keep", dependencies=[needs(Action.GUEST_KEEP)])
def keep_guest_case(door: GuestDoorDep, principal: PrincipalDep) -> GuestKept:
    """Make what this browser sent before signing in a case of one's own, which stays."""
    case = service.keep(door.session, principal, door.secret)
    audit_trail.note(door.request, door.session, principal, Action.GUEST_KEEP, case.id)
    door.forget()
    return GuestKept(number=case.number)


@router.delete("", status_code=204, dependencies=OPEN)
def end_guest_case(door: GuestDoorDep) -> None:
    """End the case that this browser sent without signing in; it is cleared away with all that was in it."""
    if service.case_of(door.session, door.secret) is not None:
        principal = principals.by_guest(door.session, door.secret)
        audit_trail.note(door.request, door.session, principal, Action.GUEST_SEND, principal.case_id)
    service.end(door.session, door.secret)
    door.forget()
