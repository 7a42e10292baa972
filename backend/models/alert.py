"""Alerts of monitoring systems: the groups that opened or extended cases, and their alerts."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class AlertGroup(HasId, HasCreatedAt, Base):
    """Alerts of one grouping key, and the case they opened.

    Attributes:
        account_id: The account whose token sent them; groups of two accounts are never one.
        source: `alertmanager`, `grafana` or `generic`.
        key_digest: SHA-256 (hex) of source and grouping key.
        case_id: None while only resolved alerts came, which open no case.
        previous_case_id: The closed case of the same key before this one.
        mitigated_event_id: The incident event written when the last alert resolved.
        severity: The highest severity of its alerts.
        beyond: Alerts received and not kept as rows.
        beyond_firing: Of those, how many fire.
    """

    __tablename__ = "alert_group"
    __table_args__ = (Index(None, "account_id", "key_digest", "id"), Index(None, "case_id"))

    account_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    source: Mapped[str]
    group_key: Mapped[str]
    key_digest: Mapped[str]
    case_id: Mapped[UUID | None] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    previous_case_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("case.id", ondelete="SET NULL"), index=True
    )
    mitigated_event_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("incident_event.id", ondelete="SET NULL"), index=True
    )
    severity: Mapped[str | None]
    beyond: Mapped[int] = mapped_column(BigInteger, default=0)
    beyond_firing: Mapped[int] = mapped_column(BigInteger, default=0)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Alert(HasId, HasCreatedAt, Base):
    """One alert.

    Attributes:
        case_id: The case of its group.
        starts_at: When it began to fire, on the clock of its source; part of its identity.
        ends_at: When it resolved; None while it fires.
        is_fired: Its firing was received; False where the end came first.
        links: `{"label": …, "url": …}`: source, runbook, dashboard.
    """

    __tablename__ = "alert"
    __table_args__ = (UniqueConstraint("group_id", "fingerprint", "starts_at"), Index(None, "case_id"))

    group_id: Mapped[UUID] = mapped_column(ForeignKey("alert_group.id", ondelete="CASCADE"))
    case_id: Mapped[UUID | None] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    fingerprint: Mapped[str]
    name: Mapped[str]
    host: Mapped[str]
    severity: Mapped[str | None]
    text: Mapped[str]
    labels: Mapped[dict[str, str]]
    links: Mapped[list[Any]]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]
    is_fired: Mapped[bool]
