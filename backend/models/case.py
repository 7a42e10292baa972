"""Cases: the evidence and findings of one incident."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ARRAY, Computed, ForeignKey, Identity, Index, Integer, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.wire_json import WireValue, WireValues
from backend.models.base import Base, HasCreatedAt, HasId
from backend.models.case_index import AUDIENCE
from signatures.documents.alarm import AlarmDocument
from signatures.documents.capture import NextCaptureDocument
from signatures.documents.overview import CaseHeadlineDocument


class Visibility(enum.StrEnum):
    """Who sees a case, besides its owner, the people added to it and the admins.

    `team`: its team, or everyone without a team; `restricted`: nobody else; `link`: whoever opened one of its
    active links.
    """

    TEAM = "team"
    RESTRICTED = "restricted"
    LINK = "link"


class Status(enum.StrEnum):
    """Progress of an incident; `resolved` closes its case."""

    INVESTIGATING = "investigating"
    MITIGATED = "mitigated"
    RESOLVED = "resolved"


class Case(HasId, HasCreatedAt, Base):
    """One incident.

    Attributes:
        number: Display number; gaps are possible.
        status: Progress of the incident.
        state: `closed` once the incident is resolved, else `open`.
        severity: `critical`, `high`, `medium` or `low`, once set by a person or a finding.
        evidence_rev: Incremented with every reading added to or removed from the case.
        judged_rev: The `evidence_rev` that the findings cover.
        next_captures: Recommended captures, as of `judged_rev`.
        headline: The first sentence of its page, as of `judged_rev`; None before the first judgement.
        alarms: Its alarms, as of `judged_rev`.
        owner_id: Who created it; none for the service or a deleted account.
        assignee_id: Who works on it.
        tags: Words that people filed it under, in lower case, sorted.
        closed_at: When it was closed.
        cause: The cause, as free text.
        cause_signature: The signature of the cause.
        fix: The fix that worked.
        cleared: Signatures that fired and are gone after the fix, as of `judged_rev`.
        deleted_at: When it was deleted; restorable.
        expires_at: When a guest's case is deleted permanently, with its evidence.
        audience: Who sees it by visibility alone, see `backend.models.case_index`; none when deleted.
    """

    __tablename__ = "case"
    DERIVED_FROM: ClassVar[frozenset[str]] = frozenset(
        {
            "title",
            "status",
            "assignee_id",
            "tags",
            "severity",
            "owner_id",
            "team_id",
            "visibility",
            "deleted_at",
            "updated_at",
            "cause",
            "fix",
            "headline",
            "judged_rev",
        }
    )
    __table_args__ = (
        Index(None, "updated_at"),
        Index(None, "created_at"),
        Index(None, "expires_at"),
        Index("ix_case_title", "title", "id"),
        Index("ix_case_owner_id", "owner_id", "audience", "id"),
    )

    number: Mapped[int] = mapped_column(Integer, Identity(always=True), unique=True)
    title: Mapped[str]
    status: Mapped[Status] = mapped_column(
        default=Status.INVESTIGATING, server_default=Status.INVESTIGATING.value
    )
    severity: Mapped[str | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    evidence_rev: Mapped[int] = mapped_column(default=0)
    judged_rev: Mapped[int] = mapped_column(default=0)
    next_captures: Mapped[tuple[NextCaptureDocument, ...]] = mapped_column(
        WireValues(NextCaptureDocument), default=()
    )
    headline: Mapped[CaseHeadlineDocument | None] = mapped_column(
        WireValue(CaseHeadlineDocument), default=None, server_default=text("'{}'"), nullable=False
    )
    alarms: Mapped[tuple[AlarmDocument, ...]] = mapped_column(
        WireValues(AlarmDocument), default=(), server_default=text("'[]'"), deferred=True
    )
    visibility: Mapped[Visibility] = mapped_column(
        default=Visibility.TEAM, server_default=Visibility.TEAM.value
    )
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    team_id: Mapped[UUID | None] = mapped_column(ForeignKey("team.id", ondelete="RESTRICT"), index=True)
    closed_at: Mapped[datetime | None]
    cause: Mapped[str] = mapped_column(default="", server_default="")
    cause_signature: Mapped[str] = mapped_column(default="", server_default="")
    fix: Mapped[str] = mapped_column(default="", server_default="")
    cleared: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list, server_default="{}")
    deleted_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    assignee_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("account.id", ondelete="SET NULL"), index=True
    )
    tags: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list, server_default=text("'{}'"))
    state: Mapped[str] = mapped_column(
        Computed("case when status = 'resolved' then 'closed' else 'open' end", persisted=True)
    )
    audience: Mapped[UUID | None] = mapped_column(Computed(AUDIENCE, persisted=True), deferred=True)
