"""Guest endpoints: paste, view in the same browser, claim or delete.

A cookie of this browser opens the case, never a URL. `require_own_page` blocks cross-site requests.
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
from backend.guests.schemas import GuestCase, GuestCaseClaimed, GuestRead
from backend.uploads.space import reserved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backend.evidence.staging import Staged
    from backend.models.case import Case

router = APIRouter(prefix="/guest", tags=["guests"])
OPEN = [needs(Action.GUEST_SEND), Depends(require_own_page)]


@dataclass(frozen=True)
class GuestSubmission:
    """Accepts evidence of a guest."""

    request: Request
    response: Response
    session: Session
    store: Store
    settings: Settings
    base_url: str

    @property
    def secret(self) -> str:
        """The secret of this browser's cookie; "" without one."""
        return self.request.cookies.get(GUEST_COOKIE, "")

    async def files(self) -> GuestCase:
        """Accept the files of a multipart body."""
        limits = service.limits(self.settings)
        overhead = staging.MULTIPART_OVERHEAD_BYTES
        async with staging.reserving(self.request, self.session, limits, overhead_bytes=overhead) as space:
            staged = await staging.receive_multipart(self.request, space, limits)
            return await run_in_threadpool(self._take, staged)

    def text(self, text: str, *, captured_path: str) -> GuestCase:
        """Accept pasted text."""
        limits = service.limits(self.settings)
        content = staging.content_of(limits, text)
        with reserved(self.session, limits, len(content)):
            return self._take(staging.keep_text(limits, content, captured_path=captured_path))

    def guest_read(self, case: Case) -> GuestCase:
        """Return the guest case of the browser."""
        assert case.expires_at is not None  # noqa: S101 - every case that a guest sends has an end
        return GuestCase(
            number=case.number,
            title=case.title,
            expires_at=case.expires_at,
            permalink=f"{self.base_url}/cases/{case.number}",
        )

    def forget(self) -> None:
        """Delete the cookie."""
        self.response.delete_cookie(GUEST_COOKIE, httponly=True, samesite="lax")

    def _take(self, staged: Sequence[Staged]) -> GuestCase:
        """Store the files and set the cookie for the lifetime of the case."""
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
        guest = self.guest_read(case)
        self.response.set_cookie(
            GUEST_COOKIE,
            secret,
            max_age=max(1, int((guest.expires_at - datetime.now(UTC)).total_seconds())),
            httponly=True,
            samesite="lax",
            secure=self.request.scope["scheme"] == "https" or self.settings.public_url.startswith("https://"),
        )
        return guest


def get_submission(
    request: Request,
    response: Response,
    session: SessionDep,
    store: StoreDep,
    settings: SettingsDep,
    base_url: BaseUrlDep,
) -> GuestSubmission:
    """Return the guest submission, whether or not guests are allowed."""
    attribute_to_guest(request, session)
    return GuestSubmission(request, response, session, store, settings, base_url)


GuestSubmissionDep = Annotated[GuestSubmission, Depends(get_submission)]


def get_allowed_submission(submission: GuestSubmissionDep) -> GuestSubmission:
    """Return the guest submission if guests are allowed.

    Raises:
        NotAllowedError: This instance requires an account.
    """
    service.require_let_in(submission.settings)
    return submission


AllowedGuestSubmissionDep = Annotated[GuestSubmission, Depends(get_allowed_submission)]


@router.get("", dependencies=OPEN)
def read_guest(submission: GuestSubmissionDep) -> GuestRead:
    """Return whether guests may paste here, the limits, and the case of this browser."""
    case = service.case_of(submission.session, submission.secret)
    submission.response.headers["Cache-Control"] = "no-store"
    return GuestRead(
        is_open=service.are_let_in(submission.settings),
        lifetime_seconds=int(submission.settings.guest_lifetime.total_seconds()),
        max_bytes=submission.settings.guest_max_bytes,
        case=None if case is None else submission.guest_read(case),
    )


@router.post("/paste", status_code=202, dependencies=OPEN)
def paste_as_guest(body: Paste, submission: AllowedGuestSubmissionDep) -> GuestCase:
    """Analyse pasted text in a temporary case visible to this browser only."""
    return submission.text(body.text, captured_path=body.captured_path)


@router.post("/evidence", status_code=202, openapi_extra=MULTIPART, dependencies=OPEN)
async def send_as_guest(submission: AllowedGuestSubmissionDep) -> GuestCase:
    """Analyse small files in a temporary case visible to this browser only."""
    return await submission.files()


@router.post("/keep", dependencies=[needs(Action.GUEST_KEEP)])
def claim_guest_case(submission: GuestSubmissionDep, principal: PrincipalDep) -> GuestCaseClaimed:
    """Claim the guest case of this browser for the signed-in account, permanently."""
    case = service.keep(submission.session, principal, submission.secret)
    audit_trail.note(submission.request, submission.session, principal, Action.GUEST_KEEP, case.id)
    submission.forget()
    return GuestCaseClaimed(number=case.number)


@router.delete("", status_code=204, dependencies=OPEN)
def delete_guest_case(submission: GuestSubmissionDep) -> None:
    """Delete the guest case of this browser with all its content."""
    if service.case_of(submission.session, submission.secret) is not None:
        principal = principals.by_guest(submission.session, submission.secret)
        audit_trail.note(
            submission.request, submission.session, principal, Action.GUEST_SEND, principal.case_id
        )
    service.end(submission.session, submission.secret)
    submission.forget()
