"""Captures that were run: the requested capture, the time, and the resulting evidence."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.wire_json import WireValues
from backend.models.base import Base, HasCreatedAt, HasId
from signatures.documents.capture import SettledDocument


class CaptureRun(HasId, HasCreatedAt, Base):
    """One run of a capture, with the request as it was then.

    Attributes:
        capture: Its name in the capture catalogue.
        command: The command to run.
        settles: Conditions it was meant to decide.
        author: Who reported the run.
        ran_at: Reported time of the run.
        deleted_at: When the report was withdrawn; restorable.
    """

    __tablename__ = "capture_run"
    __table_args__ = (Index(None, "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    capture: Mapped[str]
    title: Mapped[str]
    command: Mapped[str]
    settles: Mapped[tuple[SettledDocument, ...]] = mapped_column(WireValues(SettledDocument), default=())
    author: Mapped[str]
    ran_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]


class CaptureResult(Base):
    """Evidence produced by a run."""

    __tablename__ = "capture_result"
    __table_args__ = (Index(None, "evidence_id"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("capture_run.id", ondelete="CASCADE"), primary_key=True)
    evidence_id: Mapped[UUID] = mapped_column(ForeignKey("evidence.id", ondelete="CASCADE"), primary_key=True)
