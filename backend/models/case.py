"""Cases: what an incident's evidence and findings belong to."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Computed, ForeignKey, Identity, Index, Integer, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId
from backend.models.case_index import AUDIENCE


class Visibility(enum.StrEnum):
    """Who sees a case, beside its owner, the people named on it and the admins.

    `team` is everybody of its team, and everybody when it has none; `restricted` nobody else; `link` whoever
    opened one of its links while that is valid.
    """

    TEAM = "team"
    RESTRICTED = "restricted"
    LINK = "link"


class Case(HasId, HasCreatedAt, Base):
    """One incident.

    Attributes:
        number: Short name for people; gaps are possible.
        state: `open` or `closed`.
        severity: `critical`, `high`, `medium` or `low`, once a person or a finding says so.
        evidence_rev: Rises with every reading that joins or leaves the case.
        judged_rev: The `evidence_rev` that the findings speak of.
        next_captures: What to collect next, as of `judged_rev`.
        owner_id: Who opened it; none when the service did, or the account is gone.
        closed_at: Since when it is closed.
        cause: What it was, in a person's words.
        cause_signature: The signature that it was.
        fix: What cured it.
        deleted_at: Put away, and when; it can be brought back.
        expires_at: When a case of somebody who has not signed in goes, with its evidence, for good.
        audience: Who sees it by its visibility alone, see `backend.models.case_index`; none when put away.
    """

    __tablename__ = "case"
    __table_args__ = (
        Index(None, "updated_at"),
        Index(None, "created_at"),
        Index(None, "expires_at"),
        Index("ix_case_title", "title", "id"),
        Index("ix_case_owner_id", "owner_id", "audience", "id"),
        Index(
            "ix_case_title_words",
            "title",
            postgresql_using="gin",
            postgresql_ops={"title": "gin_trgm_ops"},
        ),
    )

    number: Mapped[int] = mapped_column(Integer, Identity(always=True), unique=True)
    title: Mapped[str]
    state: Mapped[str] = mapped_column(default="open")
    severity: Mapped[str | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    evidence_rev: Mapped[int] = mapped_column(default=0)
    judged_rev: Mapped[int] = mapped_column(default=0)
    next_captures: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    visibility: Mapped[Visibility] = mapped_column(
        default=Visibility.TEAM, server_default=Visibility.TEAM.value
    )
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    team_id: Mapped[UUID | None] = mapped_column(ForeignKey("team.id", ondelete="RESTRICT"), index=True)
    closed_at: Mapped[datetime | None]
    cause: Mapped[str] = mapped_column(default="", server_default="")
    cause_signature: Mapped[str] = mapped_column(default="", server_default="")
    fix: Mapped[str] = mapped_column(default="", server_default="")
    deleted_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    audience: Mapped[UUID | None] = mapped_column(Computed(AUDIENCE, persisted=True), deferred=True)
