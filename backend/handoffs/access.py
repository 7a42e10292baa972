"""FastAPI dependencies of shared handoffs: the handoff opened by a recipient's pass."""

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
    """The share, handoff and client address of a recipient's request."""

    session: Session
    share: Share
    handoff: Handoff
    address: str

    def note(self, what: str, *, by: str = "") -> None:
        """Record an action of the recipient in the audit log."""
        sharing.note(self.session, self.handoff, self.share, what, address=self.address, by=by)


def get_opened(
    request: Request,
    session: SessionDep,
    casebook_pass: Annotated[str, Header(max_length=200, description="The pass from opening the link")] = "",
) -> Opened:
    """Return the share opened by the pass.

    Raises:
        GoneError: The link has expired or was revoked.
    """
    share, handoff = sharing.by_pass(session, casebook_pass)
    return Opened(session, share, handoff, address_of(request))


OpenedDep = Annotated[Opened, Depends(get_opened)]
