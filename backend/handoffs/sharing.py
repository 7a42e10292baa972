"""Recipient actions on a link: open, accept, message, answer, download.

Opening consumes one view and returns a pass for one browser, valid as long as the link. Without a signed-in
account, the audit log records every step under the link.
"""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import or_, select, update

from backend.access.actions import Action
from backend.access.secrets import digest
from backend.core import audit, events
from backend.core.audit import AuditAction
from backend.core.errors import GoneError, NotFoundError
from backend.handoffs import queries
from backend.handoffs.schemas import PictureRead, RedactedFileRead, SharedHandoff
from backend.handoffs.service import SECRET_BYTES
from backend.models import Case, Handoff, Share, SharePass

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

PASS_HOURS = 12
ENDED = "this link has ended; ask whoever sent it for another"
OPENED_LONG_AGO = f"this was opened more than {PASS_HOURS} hours ago; open the link again"
UNKNOWN = "this link opens nothing; it may have been copied only in part"


def open_link(session: Session, secret: str, *, address: str) -> tuple[str, Share, Handoff]:
    """Consume one view of a link; return the pass, the link and the handoff.

    Raises:
        NotFoundError: Unknown link.
        GoneError: It was revoked, has expired, or has no views left.
    """
    now = datetime.now(UTC)
    hashed = digest(secret)
    share = session.scalar(select(Share).where(Share.hash == hashed))
    if share is None:
        raise NotFoundError(UNKNOWN)
    # One atomic statement: concurrent openings cannot exceed the remaining views.
    used = update(Share).where(Share.id == share.id, Share.revoked_at.is_(None), Share.expires_at > now)
    used = used.where(or_(Share.views_left.is_(None), Share.views_left > 0))
    used = used.values(views_left=Share.views_left - 1, views=Share.views + 1, opened_at=now)
    used = used.execution_options(synchronize_session=False)
    if session.scalar(used.returning(Share.id)) is None:
        raise GoneError(ENDED)
    session.refresh(share)
    handoff = _handoff(session, share)
    word = secrets.token_urlsafe(SECRET_BYTES)
    ends = min(share.expires_at, now + timedelta(hours=PASS_HOURS))
    session.add(SharePass(share_id=share.id, hash=digest(word), expires_at=ends))
    note(session, handoff, share, "opened", address=address)
    events.record(
        session,
        "handoff.opened",
        case_id=handoff.case_id,
        actor=handoff.recipient,
        payload={"handoff_id": str(handoff.id)},
    )
    return word, share, handoff


def by_pass(session: Session, word: str) -> tuple[Share, Handoff]:
    """Return link and handoff of a pass.

    Raises:
        GoneError: The link or the pass has expired; open the link again.
    """
    now = datetime.now(UTC)
    found = session.execute(
        select(Share, SharePass.expires_at)
        .join(SharePass, SharePass.share_id == Share.id)
        .where(SharePass.hash == digest(word), Share.expires_at > now, Share.revoked_at.is_(None))
        .execution_options(populate_existing=True)
    ).one_or_none()
    if found is None:
        raise GoneError(ENDED)
    share, pass_ends = found
    if pass_ends <= now:
        raise GoneError(OPENED_LONG_AGO)
    return share, _handoff(session, share)


def _handoff(session: Session, share: Share) -> Handoff:
    found = select(Handoff).join(Case, Case.id == Handoff.case_id)
    handoff = session.scalar(found.where(Handoff.id == share.handoff_id, Case.deleted_at.is_(None)))
    if handoff is None:
        raise GoneError(ENDED)
    return handoff


def describe(session: Session, share: Share, handoff: Handoff) -> SharedHandoff:
    """Return the handoff for a recipient: redacted, except the names and messages of both sides."""
    shared = handoff.shared
    return SharedHandoff(
        state=handoff.state.value,
        title=shared["title"],
        sender=handoff.author,
        recipient=handoff.recipient,
        summary=shared["summary"],
        pieces=[RedactedFileRead.model_validate(piece) for piece in shared["pieces"]],
        pictures=[
            PictureRead(number=number, title=one["title"]) for number, one in enumerate(shared["pictures"])
        ],
        bundle_sha256=handoff.bundle_sha256 or "",
        bundle_bytes=handoff.bundle_bytes or 0,
        expires_at=share.expires_at,
        messages=queries.messages_of(session, handoff),
    )


def piece_of(handoff: Handoff, number: int) -> RedactedFileRead:
    """Return one redacted file.

    Raises:
        NotFoundError: No such number.
    """
    for piece in handoff.shared["pieces"]:
        if piece["number"] == number:
            return RedactedFileRead.model_validate(piece)
    raise NotFoundError(f"no file {number} in this handoff")


def picture_of(handoff: Handoff, number: int) -> str:
    """Return the digest of one flame graph.

    Raises:
        NotFoundError: No such number.
    """
    pictures = handoff.shared["pictures"]
    if not 0 <= number < len(pictures):
        raise NotFoundError(f"no picture {number} in this handoff")
    return str(pictures[number]["sha256"])


def note(session: Session, handoff: Handoff, share: Share, what: str, *, address: str, by: str = "") -> None:
    """Record a recipient's action in the audit log.

    Nobody checked the name `by` that they state, so it is quoted in the subject and is not the actor.
    """
    stated = json.dumps(by or handoff.recipient, ensure_ascii=False)
    audit.record(
        session,
        AuditAction(
            action=Action.SHARE_OPEN.value,
            subject=f"handoff {handoff.id} {what} by link {share.id} {'as' if by else 'for'} {stated}",
            via="link",
            case_id=handoff.case_id,
            address=address,
        ),
    )
