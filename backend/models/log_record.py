"""Classified kernel log records."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base


class LogRecord(Base):
    """One record of one reading.

    Attributes:
        uptime_s: Seconds since boot, when printed.
        at_s: Epoch seconds UTC, when printed with a date.
        level: 0 (emergency) to 7 (debug), when printed.
        subsystem: "" when the record is of no class.
        severity: "" when the record is of no class.
    """

    __tablename__ = "log_record"
    __table_args__ = (
        Index(None, "case_id", "kind"),
        Index(None, "kind", "case_id"),
        Index(None, "reading_id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    reading_id: Mapped[UUID] = mapped_column(ForeignKey("reading.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    kind: Mapped[str]
    message: Mapped[str]
    fields: Mapped[dict[str, Any]] = mapped_column(default=dict)
    uptime_s: Mapped[float | None]
    at_s: Mapped[float | None]
    level: Mapped[int | None] = mapped_column(SmallInteger)
    subsystem: Mapped[str] = mapped_column(default="", server_default="")
    severity: Mapped[str] = mapped_column(default="", server_default="")
    first_line: Mapped[int] = mapped_column(BigInteger)
    last_line: Mapped[int] = mapped_column(BigInteger)
