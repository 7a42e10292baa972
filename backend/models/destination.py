"""Destinations: where events are sent, and the log of what was sent there."""

from __future__ import annotations

import enum
from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, ForeignKey, Index, Text, UniqueConstraint, func, text, true
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.outbox import Outbox
from backend.models.base import Base, HasCreatedAt, HasId

__all__ = ["Channel", "Delivery", "DeliveryState", "Destination", "Outbox", "Posted"]


class Channel(enum.StrEnum):
    """How events are sent to a destination."""

    WEBHOOK = "webhook"
    SLACK = "slack"
    TEAMS = "teams"
    GITHUB = "github"
    APPRISE = "apprise"


class DeliveryState(enum.StrEnum):
    """State of a delivery; `failed` after the last attempt, it can be replayed."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Destination(HasId, HasCreatedAt, Base):
    """Where events of some cases are sent.

    It receives events of the cases that its owner sees, if all filters admit them.

    Attributes:
        url: URL that is called, as the page shows it: of a webhook whole, of others without credentials.
        base_url: Public URL of the service, for links in what is sent.
        sealed: Its credentials, encrypted, as JSON; see `backend.destinations.signing` and `credentials`.
        template: Text of messages with placeholders; "" for the default. Not of webhooks.
        kinds: Kinds of events, see `backend.core.outgoing_kinds`; empty for all.
        team_id: Only events of cases of this team; no foreign key: a team that is gone admits none.
        severity: Only cases of this severity or a higher one.
        search_id: Only cases that this saved search finds; no foreign key, as above.
        disabled_reason: Why the service disabled it, one sentence; "" when its owner did.
        failures: Failed attempts in a row.
        failing_since: When the first of these was.
        resume_at: No attempt is made before.
        holder: The worker that sends to it, by a random id; `busy_until`: expiry of its lease.
        deleted_at: When it was deleted; restorable.
    """

    __tablename__ = "destination"
    __table_args__ = (Index(None, "owner_id"),)

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str]
    channel: Mapped[Channel]
    url: Mapped[str]
    base_url: Mapped[str]
    sealed: Mapped[str]
    template: Mapped[str] = mapped_column(default="", server_default="")
    kinds: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list, server_default="{}")
    team_id: Mapped[UUID | None]
    severity: Mapped[str | None]
    search_id: Mapped[UUID | None]
    is_enabled: Mapped[bool] = mapped_column(default=True, server_default=true())
    disabled_reason: Mapped[str] = mapped_column(default="", server_default="")
    failures: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    failing_since: Mapped[datetime | None]
    resume_at: Mapped[datetime | None]
    holder: Mapped[UUID | None]
    busy_until: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]


class Delivery(HasId, HasCreatedAt, Base):
    """One event for one destination; its id is the same in every attempt.

    Attributes:
        event_id: None for a test.
        body: What is sent, JSON; the same bytes in every attempt.
        next_at: Earliest next attempt.
        status: HTTP status of the last response; None without one.
        response: The beginning of its body.
        error: Why the last attempt failed, one sentence; "" otherwise.
        duration_ms: Duration of the last attempt.
        ended_at: When the last attempt ended.
    """

    __tablename__ = "delivery"
    __table_args__ = (
        UniqueConstraint("destination_id", "event_id"),
        Index(None, "destination_id", "id"),
        Index(None, "event_id"),
        Index("ix_delivery_due", "destination_id", "next_at", postgresql_where=text("state = 'pending'")),
    )

    destination_id: Mapped[UUID] = mapped_column(ForeignKey("destination.id", ondelete="CASCADE"))
    event_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("event.id", ondelete="CASCADE"))
    kind: Mapped[str]
    body: Mapped[str]
    state: Mapped[DeliveryState] = mapped_column(
        default=DeliveryState.PENDING, server_default=DeliveryState.PENDING.value
    )
    attempts: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    next_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    status: Mapped[int | None]
    response: Mapped[str] = mapped_column(default="", server_default="")
    error: Mapped[str] = mapped_column(default="", server_default="")
    duration_ms: Mapped[int | None]
    ended_at: Mapped[datetime | None]


class Posted(Base):
    """The message of a case at a destination that keeps one: later events change it.

    Attributes:
        reference: Its name there, such as the number of an issue; "" where it cannot be changed.
        status: Status of the case when it was last posted.
    """

    __tablename__ = "posted"
    __table_args__ = (Index(None, "case_id"),)

    destination_id: Mapped[UUID] = mapped_column(
        ForeignKey("destination.id", ondelete="CASCADE"), primary_key=True
    )
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    reference: Mapped[str]
    status: Mapped[str]
