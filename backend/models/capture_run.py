"""Captures that somebody ran: which of those asked for, when, and the evidence that came of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class CaptureRun(HasId, HasCreatedAt, Base):
    """One capture, as it was asked for when somebody ran it.

    Attributes:
        capture: Its name in the catalogue of captures.
        command: What was to be run.
        settles: Conditions it was to settle: `{signature, clause, title}`.
        author: Who says that it was run.
        ran_at: When, as they say.
        deleted_at: Taken back, and when; it can be brought back.
    """

    __tablename__ = "capture_run"
    __table_args__ = (Index(None, "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    capture: Mapped[str]
    title: Mapped[str]
    command: Mapped[str]
    settles: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    author: Mapped[str]
    ran_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]


class CaptureResult(Base):
    """Evidence that a run brought."""

    __tablename__ = "capture_result"
    __table_args__ = (Index(None, "evidence_id"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("capture_run.id", ondelete="CASCADE"), primary_key=True)
    evidence_id: Mapped[UUID] = mapped_column(ForeignKey("evidence.id", ondelete="CASCADE"), primary_key=True)
