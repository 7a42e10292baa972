"""Sender actions on a handoff: create, replace open tokens, share, revoke a link, message, close, reopen.

preparing → ready → offered → accepted → answered → closed
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import func, select, update

from backend.access.secrets import digest
from backend.core import events
from backend.core.domain_events import publish
from backend.core.errors import ConflictError, InvalidRequestError, NotFoundError
from backend.handoffs.domain_events import HandoffCreated
from backend.models import Evidence, EvidenceState, Handoff, HandoffMessage, HandoffState, Share

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.settings import Settings
    from backend.handoffs.schemas import HandoffCreate, HandoffOffer
    from backend.models import Case

SECRET_BYTES = 32
OPEN = frozenset({HandoffState.OFFERED, HandoffState.ACCEPTED, HandoffState.ANSWERED})
SHAREABLE = OPEN | {HandoffState.READY}

HEAVY_FROM_BYTES = 1 << 20


def begin(session: Session, settings: Settings, case: Case, body: HandoffCreate, *, actor: str) -> Handoff:
    """Create a handoff and queue its preparation.

    Raises:
        InvalidRequestError: Evidence of another case, or no evidence was read.
        ConflictError: Some evidence is still being read.
    """
    chosen = _chosen(session, case, body.evidence_ids)
    if any(one.state in {EvidenceState.RECEIVED, EvidenceState.READING} for one in chosen):
        raise ConflictError("some of this evidence is still being read; hand it over when that is done")
    handoff = Handoff(
        case_id=case.id,
        recipient=body.recipient,
        question=body.question.strip(),
        author=actor,
        choice=[str(one.id) for one in chosen],
        with_notes=body.with_notes,
    )
    session.add(handoff)
    session.flush()
    session.refresh(handoff)
    queue = _queue_of(settings, sum(one.size_bytes for one in chosen))
    publish(session, HandoffCreated(handoff.id, queue))
    _record_event(session, handoff, "handoff.begun", actor, recipient=handoff.recipient)
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
        raise InvalidRequestError("the chosen evidence contains no text; only text can be redacted")
    return chosen


def replace_tokens(
    session: Session, settings: Settings, handoff: Handoff, tokens: list[dict[str, str]], *, actor: str
) -> None:
    """Set the open tokens that the handoff replaces, and queue its preparation anew.

    Raises:
        ConflictError: It is not ready: links show what was reviewed.
    """
    if handoff.state is not HandoffState.READY:
        raise ConflictError(
            f"this handoff is {handoff.state.value}; tokens are replaced in one that is ready and has no "
            "links yet; create another handoff"
        )
    handoff.replacements = tokens
    _queue_again(session, settings, handoff)
    _record_event(
        session, handoff, "handoff.redacted-again", actor, recipient=handoff.recipient, tokens=len(tokens)
    )


def cancel(session: Session, handoff_id: UUID, *, by: str) -> None:
    """Mark a handoff whose preparation `by` cancelled."""
    handoff = session.get(Handoff, handoff_id, with_for_update=True)
    if handoff is None or handoff.state is not HandoffState.PREPARING:
        return
    handoff.state = HandoffState.CANCELLED
    handoff.reason = f"preparation was cancelled by {by}; nothing was shared"
    session.flush()
    _record_event(session, handoff, "handoff.cancelled", by)


def prepare_again(session: Session, settings: Settings, handoff: Handoff, *, actor: str) -> None:
    """Queue the preparation of a failed or cancelled handoff again.

    Raises:
        ConflictError: It is neither.
    """
    if handoff.state not in {HandoffState.FAILED, HandoffState.CANCELLED}:
        raise ConflictError(
            f"this handoff is {handoff.state.value}; only one that failed or was cancelled is prepared again"
        )
    handoff.reason = ""
    _queue_again(session, settings, handoff)
    _record_event(session, handoff, "handoff.begun", actor, recipient=handoff.recipient)


def _queue_again(session: Session, settings: Settings, handoff: Handoff) -> None:
    """Queue the preparation of a handoff, without what an earlier one made."""
    chosen = session.scalars(select(Evidence.size_bytes).where(Evidence.id.in_(map(UUID, handoff.choice))))
    handoff.state = HandoffState.PREPARING
    handoff.report, handoff.shared = {}, {}
    handoff.bundle_sha256 = handoff.bundle_bytes = None
    session.flush()
    publish(session, HandoffCreated(handoff.id, _queue_of(settings, sum(chosen))))


def _queue_of(settings: Settings, size_bytes: int) -> str:
    """Return the queue of a preparation: no paste should wait for the redaction of megabytes."""
    return "heavy" if size_bytes >= min(HEAVY_FROM_BYTES, settings.heavy_from_bytes) else "light"


def offer(session: Session, handoff: Handoff, body: HandoffOffer, *, by: Principal) -> str:
    """Create a link to the handoff and return its secret, which is not stored.

    Raises:
        ConflictError: It is not ready or closed, or possible leaks or open tokens were not reviewed.
    """
    if handoff.state not in SHAREABLE:
        raise ConflictError(
            f"this handoff is {handoff.state.value}; only one that is ready and open has links"
        )
    leaks = handoff.report.get("leaks", [])
    if leaks and not body.is_reviewed:
        raise ConflictError(
            f"{len(leaks)} possible leaks remain; review them, then offer it with `is_reviewed`"
        )
    open_classes = {one["name"] for one in handoff.report.get("open_classes", [])}
    missing = sorted(open_classes - set(body.reviewed_classes))
    if missing:
        raise ConflictError(
            f"open tokens may be names, classes: {', '.join(missing)}; review them, then offer the handoff "
            "with their classes in `reviewed_classes`"
        )
    secret = secrets.token_urlsafe(SECRET_BYTES)
    share = Share(
        handoff_id=handoff.id,
        hash=digest(secret),
        created_by=by.name,
        created_by_id=by.id,
        expires_at=datetime.now(UTC) + timedelta(days=body.days),
        views_left=body.views,
    )
    session.add(share)
    if handoff.state is HandoffState.READY:
        handoff.state = HandoffState.OFFERED
    session.flush()
    _record_event(
        session,
        handoff,
        "handoff.offered",
        by.name,
        recipient=handoff.recipient,
        reviewed_classes=sorted(open_classes),
    )
    return secret


def revoke(session: Session, handoff: Handoff, share_id: UUID, *, actor: str) -> None:
    """Revoke a link at once, including passes already issued.

    Raises:
        NotFoundError: The handoff has no such link.
    """
    ended = update(Share).where(Share.id == share_id, Share.handoff_id == handoff.id)
    ended = ended.values(revoked_at=func.coalesce(Share.revoked_at, func.now()))
    if session.scalar(ended.returning(Share.id)) is None:
        raise NotFoundError(f"no link {share_id} in this handoff")
    _record_event(session, handoff, "handoff.link-ended", actor)


def revoke_links_of(session: Session, account_id: UUID, *, maker: str, by: str) -> None:
    """Revoke all links that an account made, including passes already issued; the event log states why."""
    ended = update(Share).where(Share.created_by_id == account_id, Share.revoked_at.is_(None))
    of_handoffs = set(session.scalars(ended.values(revoked_at=func.now()).returning(Share.handoff_id)))
    for handoff in session.scalars(select(Handoff).where(Handoff.id.in_(of_handoffs)).order_by(Handoff.id)):
        _record_event(session, handoff, "handoff.link-ended", by, disabled=maker)


def write(
    session: Session, handoff: Handoff, text: str, *, author: str, from_recipient: bool = False
) -> None:
    """Add a message.

    Raises:
        ConflictError: It is not shared, or closed.
    """
    if handoff.state not in OPEN:
        raise ConflictError(f"this handoff is {handoff.state.value}; it has no recipient to write to")
    session.add(
        HandoffMessage(handoff_id=handoff.id, author=author, from_recipient=from_recipient, text=text)
    )
    session.flush()
    _record_event(session, handoff, "handoff.message", author, from_recipient=from_recipient)


def move(
    session: Session, handoff: Handoff, state: HandoffState, *, actor: str, by_link: bool = False
) -> None:
    """Set the handoff to `state`; `by_link` tells that `actor` is the name that a reader of a link states.

    Raises:
        ConflictError: The transition is not allowed from the current state.
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
    details: dict[str, object] = {"recipient": handoff.recipient, **({"by_link": True} if by_link else {})}
    _record_event(session, handoff, f"handoff.{state.value}", actor, **details)


MOVES = {
    HandoffState.ACCEPTED: frozenset({HandoffState.OFFERED, HandoffState.CLOSED}),
    HandoffState.ANSWERED: frozenset({HandoffState.OFFERED, HandoffState.ACCEPTED}),
    HandoffState.CLOSED: OPEN,
}


def _record_event(session: Session, handoff: Handoff, kind: str, actor: str, **details: object) -> None:
    payload = {"handoff_id": str(handoff.id), **details}
    events.record(session, kind, case_id=handoff.case_id, actor=actor, payload=payload)
