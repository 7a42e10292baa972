"""What a sender does with a handoff: begin, offer, end a link, write, close, open again.

preparing → ready → offered → accepted → answered → closed
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from backend.access.secrets import digest
from backend.core import events
from backend.core.errors import ConflictError, InvalidRequestError, NotFoundError
from backend.core.jobs.queue import enqueue
from backend.models import Evidence, EvidenceState, Handoff, HandoffMessage, HandoffState, Share

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.handoffs.schemas import HandoffCreate, HandoffOffer
    from backend.models import Case

PREPARE_JOB = "handoffs.prepare"
SECRET_BYTES = 32
OPEN = frozenset({HandoffState.OFFERED, HandoffState.ACCEPTED, HandoffState.ANSWERED})
SHAREABLE = OPEN | {HandoffState.READY}


def begin(session: Session, settings: Settings, case: Case, told: HandoffCreate, *, actor: str) -> Handoff:
    """Note what is to be handed over, and queue its making.

    Raises:
        InvalidRequestError: Evidence of another case, or there is none that was read.
        ConflictError: Some of it is still being read.
    """
    chosen = _chosen(session, case, told.evidence_ids)
    if any(one.state in {EvidenceState.RECEIVED, EvidenceState.READING} for one in chosen):
        raise ConflictError("some of this evidence is still being read; hand it over when that is done")
    handoff = Handoff(
        case_id=case.id,
        recipient=told.recipient,
        question=told.question.strip(),
        author=actor,
        choice=[str(one.id) for one in chosen],
        with_notes=told.with_notes,
    )
    session.add(handoff)
    session.flush()
    session.refresh(handoff)
    size = sum(one.size_bytes for one in chosen)
    queue = "heavy" if size >= settings.heavy_from_bytes else "light"
    enqueue(session, PREPARE_JOB, key=f"handoff:{handoff.id}", queue=queue, subject_id=handoff.id)
    _tell(session, handoff, "handoff.begun", actor, recipient=handoff.recipient)
    return handoff


def _chosen(session: Session, case: Case, wanted: list[UUID]) -> list[Evidence]:
    found = select(Evidence).where(Evidence.case_id == case.id, Evidence.deleted_at.is_(None))
    if wanted:
        found = found.where(Evidence.id.in_(wanted))
    chosen = list(session.scalars(found.order_by(Evidence.id)))
    missing = set(wanted) - {one.id for one in chosen}
    if missing:
        raise InvalidRequestError(f"this case has no evidence {min(missing)}")
    if not any(one.state is EvidenceState.READ and one.line_count for one in chosen):
        raise InvalidRequestError("there is no text in what was chosen; only text can be redacted")
    return chosen


def offer(session: Session, handoff: Handoff, told: HandoffOffer, *, actor: str) -> str:
    """Make a link to the handoff and return its secret, which is not told again.

    Raises:
        ConflictError: It is not ready or closed, or places that may tell a name were not looked at.
    """
    if handoff.state not in SHAREABLE:
        raise ConflictError(
            f"this handoff is {handoff.state.value}; only one that is ready and open has links"
        )
    leaks = handoff.report.get("leaks", [])
    if leaks and not told.is_reviewed:
        raise ConflictError(
            f"{len(leaks)} places may still tell a name; look at them, then offer it with `is_reviewed`"
        )
    secret = secrets.token_urlsafe(SECRET_BYTES)
    share = Share(
        handoff_id=handoff.id,
        hash=digest(secret),
        created_by=actor,
        expires_at=datetime.now(UTC) + timedelta(days=told.days),
        views_left=told.views,
    )
    session.add(share)
    if handoff.state is HandoffState.READY:
        handoff.state = HandoffState.OFFERED
    session.flush()
    _tell(session, handoff, "handoff.offered", actor, recipient=handoff.recipient)
    return secret


def revoke(session: Session, handoff: Handoff, share_id: UUID, *, actor: str) -> None:
    """End a link at once, also for whoever has opened it.

    Raises:
        NotFoundError: The handoff has no such link.
    """
    ended = update(Share).where(Share.id == share_id, Share.handoff_id == handoff.id)
    ended = ended.values(revoked_at=func.coalesce(Share.revoked_at, func.now()))
    if session.scalar(ended.returning(Share.id)) is None:
        raise NotFoundError(f"there is no link {share_id}")
    _tell(session, handoff, "handoff.link-ended", actor)


def write(
    session: Session, handoff: Handoff, text: str, *, author: str, from_recipient: bool = False
) -> None:
    """Add a message.

    Raises:
        ConflictError: Nobody is on the other side.
    """
    if handoff.state not in OPEN:
        raise ConflictError(f"this handoff is {handoff.state.value}; there is nobody to write to")
    session.add(
        HandoffMessage(handoff_id=handoff.id, author=author, from_recipient=from_recipient, text=text)
    )
    session.flush()
    _tell(session, handoff, "handoff.message", author, from_recipient=from_recipient)


def move(session: Session, handoff: Handoff, state: HandoffState, *, actor: str) -> None:
    """Bring the handoff to `state`.

    Raises:
        ConflictError: That is not what comes after the state it is in.
    """
    if handoff.state is state:
        return
    if handoff.state not in MOVES[state]:
        words = " or ".join(sorted(one.value for one in MOVES[state]))
        raise ConflictError(
            f"this handoff is {handoff.state.value}; only one that is {words} becomes {state.value}"
        )
    handoff.state = state
    session.flush()
    _tell(session, handoff, f"handoff.{state.value}", actor, recipient=handoff.recipient)


MOVES = {
    HandoffState.ACCEPTED: frozenset({HandoffState.OFFERED, HandoffState.CLOSED}),
    HandoffState.ANSWERED: frozenset({HandoffState.OFFERED, HandoffState.ACCEPTED}),
    HandoffState.CLOSED: OPEN,
}


def _tell(session: Session, handoff: Handoff, kind: str, actor: str, **details: object) -> None:
    payload = {"handoff_id": str(handoff.id), **details}
    events.record(session, kind, case_id=handoff.case_id, actor=actor, payload=payload)
