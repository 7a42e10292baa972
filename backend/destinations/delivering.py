"""Deliveries: at least once, by any number of workers, one at a time for each destination.

A worker leases a destination (SKIP LOCKED), then counts an attempt, sends, and stores the outcome, each in a
transaction of its own. Killed in between, the lease expires and another worker sends again under the same id,
by which a receiver tells a repetition.

A failed attempt is repeated after `RETRY_SECONDS`, spread by a tenth, over more than a day. The first
success sends all that waits. A destination where nothing arrived for `DISABLED_AFTER` is disabled; what waits
for it stays.
"""

from __future__ import annotations

import logging
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from sqlalchemy import and_, delete, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from backend.core import audit, events
from backend.core.audit import AuditAction
from backend.core.outgoing_kinds import DISABLED
from backend.destinations import sending
from backend.destinations.calls import HEAD_CHARACTERS, Answer
from backend.destinations.sending import Call
from backend.models.account import Account
from backend.models.destination import Channel, Delivery, DeliveryState, Destination, Outbox, Posted
from backend.models.event import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

RETRY_SECONDS: tuple[float, ...] = (5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 28_800, 28_800)
"""Pause after each failed attempt, 30 hours together; after the last there is no more."""
JITTER = 0.1
PAUSE_SECONDS, MOST_PAUSE_SECONDS = 5.0, 300.0
"""Pause of a destination after a failure, doubled with each in a row."""
LEASE_SECONDS = 60.0
"""More than an attempt takes (`calls.TOTAL_SECONDS`, `guarded_apprise.SECONDS`, and the resolver)."""
DISABLED_AFTER = timedelta(hours=36)
"""Longer than all attempts at one delivery."""
AT_A_TIME = 50
KEPT = timedelta(days=30)
"""How long the log keeps what was delivered or failed."""

_CHANCE = random.SystemRandom()


def is_due(session: Session) -> bool:
    """Return whether there is an outbox row or a delivery to send now."""
    return bool(session.scalar(select(or_(exists().select_from(Outbox), exists().where(_free())))))


def send_to_next(sessions: sessionmaker[Session], settings: Settings, *, goes_on: Callable[[], bool]) -> int:
    """Send what is due to one destination, while `goes_on`; return the number of attempts.

    Returns 0 when nothing is due to a destination that no other worker has.
    """
    holder = uuid4()
    with sessions.begin() as session:
        row = session.scalar(
            select(Destination)
            .where(_free())
            .order_by(Destination.busy_until.asc().nulls_first(), Destination.id)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        if row is None:
            return 0
        row.holder, row.busy_until = holder, _in(LEASE_SECONDS)
        destination_id = row.id
    attempts = 0
    try:
        while attempts < AT_A_TIME and goes_on():
            with sessions.begin() as session:
                call = _begin(session, destination_id, holder)
            if call is None:
                break
            attempts += 1
            answer = sending.send(settings, call)
            with sessions.begin() as session:
                _settle(session, call, holder, answer)
    finally:
        with sessions.begin() as session:
            _release(session, destination_id, holder)
    return max(attempts, 1)


def clear_old(session: Session) -> None:
    """Delete what was delivered or failed long ago from the log."""
    old = Delivery.created_at < func.now() - KEPT
    session.execute(delete(Delivery).where(old, Delivery.state != DeliveryState.PENDING))


def _free() -> ColumnElement[bool]:
    """Return the condition on `Destination` that something is due and may be sent now."""
    now = func.clock_timestamp()
    owner = select(Account.id).where(Account.id == Destination.owner_id, Account.disabled_at.is_(None))
    return and_(
        Destination.is_enabled,
        Destination.deleted_at.is_(None),
        or_(Destination.busy_until.is_(None), Destination.busy_until < now),
        or_(Destination.resume_at.is_(None), Destination.resume_at <= now),
        owner.exists(),
        exists().where(Delivery.destination_id == Destination.id, *_due()),
    )


def _due() -> tuple[ColumnElement[bool], ...]:
    return (Delivery.state == DeliveryState.PENDING, Delivery.next_at <= func.clock_timestamp())


def _begin(session: Session, destination_id: UUID, holder: UUID) -> Call | None:
    """Count an attempt at the next delivery; None when nothing is due, or the lease is lost."""
    held = _held(session, destination_id, holder)
    if held is None or not held.is_enabled or held.deleted_at is not None:
        return None
    if held.resume_at is not None and held.resume_at > datetime.now(UTC):
        return None
    due = select(Delivery).where(Delivery.destination_id == destination_id, *_due())
    delivery = session.scalar(due.order_by(Delivery.next_at, Delivery.id).limit(1).with_for_update())
    if delivery is None:
        return None
    delivery.attempts += 1
    held.busy_until = _in(LEASE_SECONDS)
    posted = session.get(Posted, (held.id, case_id)) if (case_id := _case_of(session, delivery)) else None
    return Call(
        held.id,
        delivery.id,
        held.url,
        held.sealed,
        delivery.body.encode(),
        channel=held.channel,
        template=held.template,
        reference=posted.reference if posted else "",
        posted_status=posted.status if posted else "",
    )


def _case_of(session: Session, delivery: Delivery) -> UUID | None:
    if delivery.event_id is None:
        return None
    return session.scalar(select(Event.case_id).where(Event.id == delivery.event_id))


def _note_posted(session: Session, call: Call, delivery: Delivery, answer: Answer) -> None:
    """Remember the message of the case, so that the next event changes it or is left out."""
    case_id = _case_of(session, delivery)
    if call.channel is Channel.WEBHOOK or case_id is None or call.message.data.case is None:
        return
    values = {"reference": answer.reference or call.reference, "status": call.message.data.case.status}
    row = insert(Posted).values(destination_id=call.destination_id, case_id=case_id, **values)
    session.execute(row.on_conflict_do_update(index_elements=["destination_id", "case_id"], set_=values))


def _settle(session: Session, call: Call, holder: UUID, answer: Answer) -> None:
    """Store the outcome of an attempt; of one whose lease was lost, only that it arrived."""
    held = _held(session, call.destination_id, holder)
    delivery = session.scalar(select(Delivery).where(Delivery.id == call.delivery_id).with_for_update())
    if delivery is None or (held is None and answer.error):
        return
    delivery.status, delivery.error = answer.status, answer.error
    delivery.response = answer.head[:HEAD_CHARACTERS]
    delivery.duration_ms, delivery.ended_at = answer.duration_ms, datetime.now(UTC)
    if not answer.error:
        delivery.state = DeliveryState.DELIVERED
        _note_posted(session, call, delivery, answer)
        if held is not None:
            _recover(session, held)
    elif held is not None:
        _postpone(session, held, delivery, answer)


def _recover(session: Session, row: Destination) -> None:
    """Send everything that waits for a receiver that failed and now works."""
    if row.failures == 0:
        return
    row.failures, row.failing_since, row.resume_at = 0, None, None
    session.execute(
        update(Delivery)
        .where(Delivery.destination_id == row.id, Delivery.state == DeliveryState.PENDING)
        .values(next_at=func.clock_timestamp())
    )


def _postpone(session: Session, row: Destination, delivery: Delivery, answer: Answer) -> None:
    now = datetime.now(UTC)
    pause = min(PAUSE_SECONDS * 2.0 ** min(row.failures, 16), MOST_PAUSE_SECONDS)
    row.failures += 1
    row.failing_since = row.failing_since or now
    row.resume_at = now + timedelta(seconds=max(_spread(pause), answer.wait_seconds))
    if delivery.attempts <= len(RETRY_SECONDS):
        seconds = max(_spread(RETRY_SECONDS[delivery.attempts - 1]), answer.wait_seconds)
        delivery.next_at = now + timedelta(seconds=seconds)
    else:
        delivery.state = DeliveryState.FAILED
    if answer.is_gone:
        _disable(session, row, "The receiver answered 410: it wants no more")
    elif now - row.failing_since >= DISABLED_AFTER:
        since = f"{row.failing_since:%Y-%m-%d %H:%M} UTC"
        _disable(session, row, f"Every attempt failed since {since}; {answer.error}")


def _disable(session: Session, row: Destination, reason: str) -> None:
    """Disable a destination, and tell those who can enable it again, once."""
    if not row.is_enabled:
        return
    row.is_enabled, row.disabled_reason = False, reason
    payload = {"destination_id": str(row.id), "name": row.name, "reason": reason}
    events.record(session, DISABLED, payload=payload)
    logger.warning("destination %s is disabled: %s", row.id, reason)
    subject = f"destination {row.name}: {reason}"
    audit.record(session, AuditAction(action="destination.disable", subject=subject, via="service"))


def _held(session: Session, destination_id: UUID, holder: UUID) -> Destination | None:
    query = select(Destination).where(Destination.id == destination_id, Destination.holder == holder)
    return session.scalar(query.with_for_update())


def _release(session: Session, destination_id: UUID, holder: UUID) -> None:
    free = update(Destination).where(Destination.id == destination_id, Destination.holder == holder)
    session.execute(free.values(holder=None, busy_until=None))


def _spread(seconds: float) -> float:
    return seconds * _CHANCE.uniform(1 - JITTER, 1 + JITTER)


def _in(seconds: float) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)
