"""The handoff that a pass opens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request
from sqlalchemy.orm import Session

from backend.access.audit_trail import address_of
from backend.access.dependencies import SessionDep
from backend.handoffs import sharing
from backend.models import Handoff, Share


@dataclass(frozen=True, slots=True)
class Opened:
    """What whoever sent the request may see, and where they sent it from."""

    session: Session
    share: Share
    handoff: Handoff
    address: str

    def note(self, what: str, *, by: str = "") -> None:
        """Note in the audit log what is done."""
        sharing.note(self.session, self.handoff, self.share, what, address=self.address, by=by)


def get_opened(
    request: Request,
    session: SessionDep,
    casebook_pass: Annotated[str, Header(max_length=200, description="What opening the link gave")] = "",
) -> Opened:
    """Return what the pass opens.

    Raises:
        GoneError: Its link has ended.
    """
    share, handoff = sharing.by_pass(session, casebook_pass)
    return Opened(session, share, handoff, address_of(request))


OpenedDep = Annotated[Opened, Depends(get_opened)]
