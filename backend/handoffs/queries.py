"""Queries for handoffs, and their description for the sender."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.errors import ConflictError, NotFoundError
from backend.handoffs.schemas import HandoffRead, MessageRead, ReplacementRead, ShareRead, redaction_of
from backend.models import Handoff, HandoffMessage, Share

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.models import Case


def of_case(session: Session, case: Case, page: Page) -> list[HandoffRead]:
    """Return a page of the handoffs of the case, newest first."""
    query = select(Handoff).where(Handoff.case_id == case.id)
    found = page.of(session, query, Handoff.id, is_descending=True)
    return [describe(session, handoff) for (handoff,) in found]


def one(session: Session, case: Case, handoff_id: UUID, *, for_update: bool = False) -> Handoff:
    """Return one handoff of the case.

    Raises:
        NotFoundError: The case has no such handoff.
    """
    query = select(Handoff).where(Handoff.id == handoff_id, Handoff.case_id == case.id)
    handoff = session.scalar(query.with_for_update() if for_update else query)
    if handoff is None:
        raise NotFoundError(f"no handoff {handoff_id} in this case")
    return handoff


def made(session: Session, case: Case, handoff_id: UUID) -> Handoff:
    """Return one prepared handoff.

    Raises:
        NotFoundError: The case has no such handoff.
        ConflictError: It is not ready, or its preparation failed.
    """
    handoff = one(session, case, handoff_id)
    if handoff.bundle_sha256 is None:
        raise ConflictError(f"this handoff is {handoff.state.value}; its contents are not available")
    return handoff


def describe(session: Session, handoff: Handoff) -> HandoffRead:
    """Return the handoff as seen by its sender."""
    shares = select(Share).where(Share.handoff_id == handoff.id).order_by(Share.id)
    return HandoffRead(
        id=handoff.id,
        state=handoff.state.value,
        recipient=handoff.recipient,
        question=handoff.question,
        author=handoff.author,
        reason=handoff.reason,
        created_at=handoff.created_at,
        title=handoff.shared.get("title", ""),
        summary=handoff.shared.get("summary", ""),
        bundle_sha256=handoff.bundle_sha256,
        bundle_bytes=handoff.bundle_bytes,
        redaction=redaction_of(handoff.report),
        replacements=[ReplacementRead(**token) for token in handoff.replacements],
        shares=[ShareRead.model_validate(share, from_attributes=True) for share in session.scalars(shares)],
        messages=messages_of(session, handoff),
    )


def messages_of(session: Session, handoff: Handoff) -> list[MessageRead]:
    """Return the messages of both sides, oldest first."""
    found = select(HandoffMessage).where(HandoffMessage.handoff_id == handoff.id).order_by(HandoffMessage.id)
    return [
        MessageRead(
            id=message.id,
            author=message.author,
            from_recipient=message.from_recipient,
            text=message.text,
            at=message.created_at,
        )
        for message in session.scalars(found)
    ]
