"""Destinations: create, change, rotate the secret of, disable, delete and restore."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update

from backend.core.domain_events import publish
from backend.core.errors import ConflictError, InvalidRequestError, NotFoundError
from backend.core.outbox import SendingDue
from backend.core.outgoing_kinds import TEST
from backend.destinations import channels, credentials, queries, signing
from backend.destinations.channels import Entered
from backend.destinations.messages import texts
from backend.destinations.schemas import DestinationRead, EventData, Message, as_json
from backend.models.base import uuid7
from backend.models.destination import Channel, Delivery, DeliveryState, Destination
from backend.search import saved

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.core.settings import Settings
    from backend.destinations.schemas import DestinationCreate

MAX_DESTINATIONS = 50
"""Destinations of one account."""


def listed(session: Session, principal: Principal, page: Page) -> list[DestinationRead]:
    """Return a page of the destinations that a principal manages, by name."""
    rows = page.of(session, queries.described(principal), Destination.name, Destination.id)
    return [_read(principal, *row) for row in rows]


def described(session: Session, principal: Principal, destination_id: UUID) -> DestinationRead:
    """Return one of them.

    Raises:
        NotFoundError: The principal manages no such destination.
    """
    query = queries.described(principal).where(Destination.id == destination_id)
    row = session.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(_absent(destination_id))
    return _read(principal, *row)


def managed(
    session: Session, principal: Principal, destination_id: UUID, *, with_deleted: bool = False
) -> Destination:
    """Return a destination, locked.

    Raises:
        NotFoundError: The principal manages no such destination.
    """
    query = queries.destination_of_id(principal, destination_id).with_for_update()
    row = session.scalar(query)
    if row is None or (row.deleted_at is not None and not with_deleted):
        raise NotFoundError(_absent(destination_id))
    return row


def create(
    session: Session, settings: Settings, principal: Principal, body: DestinationCreate, *, base_url: str
) -> tuple[DestinationRead, str | None]:
    """Create a destination; return it and the signing secret of a webhook.

    Raises:
        InvalidRequestError: The URL may not be called.
        NotFoundError: The principal is in no such team, or sees no such search.
        ConflictError: The principal has too many.
    """
    own = select(func.count()).where(Destination.owner_id == principal.id, Destination.deleted_at.is_(None))
    if (session.scalar(own) or 0) >= MAX_DESTINATIONS:
        raise ConflictError(f"you have {MAX_DESTINATIONS} destinations; delete one first")
    entered = channels.check(settings, body.channel, Entered(body.url, body.token, body.target))
    _check_template(body.template)
    _check_filters(session, principal, body.model_dump())
    row = Destination(
        id=uuid7(),
        owner_id=principal.id,
        name=body.name,
        channel=body.channel,
        url=channels.shown(body.channel, entered),
        template=body.template,
        base_url=base_url,
        kinds=list(body.kinds),
        team_id=body.team_id,
        severity=body.severity,
        search_id=body.search_id,
    )
    secret = None
    if body.channel is Channel.WEBHOOK:
        secret = signing.mint()
        row.sealed = signing.seal(settings, row.id, signing.Secrets(secret))
    else:
        row.sealed = credentials.seal(settings, row.id, entered)
    session.add(row)
    session.flush()
    return described(session, principal, row.id), secret


def change(
    session: Session, settings: Settings, principal: Principal, row: Destination, changes: dict[str, Any]
) -> None:
    """Apply `changes`, the fields of `DestinationUpdate` that were sent.

    Raises:
        InvalidRequestError: The URL may not be called.
        NotFoundError: The principal is in no such team, or sees no such search.
    """
    _enter_again(settings, row, changes)
    _check_template(changes.get("template") or "")
    _check_filters(session, principal, changes)
    for name in ("name", "template", "kinds"):
        if changes.get(name) is not None:
            setattr(row, name, changes[name])
    for name in {"team_id", "severity", "search_id"} & changes.keys():
        setattr(row, name, changes[name])
    is_enabled = changes.get("is_enabled")
    if is_enabled is not None and is_enabled is not row.is_enabled:
        row.is_enabled, row.disabled_reason = is_enabled, ""
        if is_enabled:
            _resume(session, row)
    session.flush()


def _enter_again(settings: Settings, row: Destination, changes: dict[str, Any]) -> None:
    """Check and store a new URL, token or target."""
    new = {name: changes[name] for name in Entered._fields if changes.get(name)}
    if not new:
        return
    is_webhook = row.channel is Channel.WEBHOOK
    old = Entered(row.url, "", "") if is_webhook else credentials.unseal(settings, row.id, row.sealed)
    entered = channels.check(settings, row.channel, old._replace(**new))
    row.url = channels.shown(row.channel, entered)
    if not is_webhook:
        row.sealed = credentials.seal(settings, row.id, entered)


def _check_template(template: str) -> None:
    unknown = texts.unknown_in(template)
    if unknown:
        names = ", ".join(texts.PLACEHOLDERS)
        raise InvalidRequestError(f"`template` has no placeholder {unknown[0]!r}; it has {names}")


def rotate(session: Session, settings: Settings, row: Destination) -> str:
    """Return a new secret of a webhook; the old one signs beside it for a day.

    Raises:
        ConflictError: It is none.
    """
    if row.channel is not Channel.WEBHOOK:
        raise ConflictError("only webhooks have a signing secret; enter a new `url` or `token` instead")
    found = signing.unseal(settings, row.id, row.sealed).rotated()
    row.sealed = signing.seal(settings, row.id, found)
    session.flush()
    return found.secret


def remove(row: Destination) -> None:
    """Mark the destination as deleted: nothing is sent any more."""
    row.deleted_at = datetime.now(UTC)


def restore(row: Destination) -> None:
    """Restore the destination; no effect if it is not deleted."""
    row.deleted_at = None


def send_test(session: Session, row: Destination) -> Delivery:
    """Queue a test message.

    Raises:
        ConflictError: The destination is disabled.
    """
    if not row.is_enabled:
        raise ConflictError("this destination is disabled; enable it first")
    data = EventData(event=None, actor=None, changed=[], case=None)
    body = as_json(Message(type=TEST, timestamp=datetime.now(UTC), data=data))
    delivery = Delivery(destination_id=row.id, kind=TEST, body=body)
    session.add(delivery)
    row.resume_at = None
    session.flush()
    session.refresh(delivery)
    publish(session, SendingDue())
    return delivery


def replay(session: Session, delivery: Delivery) -> None:
    """Send a delivery again, under the same id."""
    delivery.state, delivery.attempts, delivery.next_at = DeliveryState.PENDING, 0, datetime.now(UTC)
    session.flush()
    publish(session, SendingDue())


def replay_failed(session: Session, row: Destination) -> int:
    """Send every failed delivery of the destination again; return their number."""
    again = update(Delivery).where(Delivery.destination_id == row.id, Delivery.state == DeliveryState.FAILED)
    again = again.values(state=DeliveryState.PENDING, attempts=0, next_at=func.clock_timestamp())
    count = len(session.execute(again.returning(Delivery.id)).all())
    if count:
        publish(session, SendingDue())
    return count


def _resume(session: Session, row: Destination) -> None:
    row.failures, row.failing_since, row.resume_at = 0, None, None
    waiting = update(Delivery).where(
        Delivery.destination_id == row.id, Delivery.state == DeliveryState.PENDING
    )
    session.execute(waiting.values(next_at=func.clock_timestamp()))
    publish(session, SendingDue())


def _check_filters(session: Session, principal: Principal, changes: dict[str, Any]) -> None:
    team_id, search_id = changes.get("team_id"), changes.get("search_id")
    if team_id is not None and session.scalar(queries.team_of_id(principal, team_id)) is None:
        raise NotFoundError("you are in no such team")
    if search_id is not None and not saved.exists(session, principal, search_id):
        raise NotFoundError(f"there is no saved search {search_id}")


def _absent(destination_id: UUID) -> str:
    return f"there is no destination {destination_id}"


def _read(  # noqa: PLR0917 - a row of the query
    principal: Principal,
    row: Destination,
    owner: str,
    team: str | None,
    search: str | None,
    pending: int,
    failed: int,
) -> DestinationRead:
    return DestinationRead(
        id=row.id,
        name=row.name,
        channel=row.channel,
        url=row.url,
        template=row.template,
        owner=owner,
        is_mine=row.owner_id == principal.id,
        kinds=row.kinds,
        team_id=row.team_id,
        team=team,
        severity=row.severity,
        search_id=row.search_id,
        search=search,
        is_enabled=row.is_enabled,
        disabled_reason=row.disabled_reason,
        failing_since=row.failing_since,
        pending=pending,
        failed=failed,
        created_at=row.created_at,
    )
