"""Histograms as printed by their tool."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasId


class Histogram(HasId, Base):
    """One histogram of one reading; the lists have one entry per bucket, an open end is the text `inf`."""

    __tablename__ = "histogram"
    __table_args__ = (UniqueConstraint("reading_id", "ordinal"), Index(None, "case_id", "name"))

    reading_id: Mapped[UUID] = mapped_column(ForeignKey("reading.id", ondelete="CASCADE"))
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    name: Mapped[str]
    key: Mapped[str] = mapped_column(default="")
    unit: Mapped[str] = mapped_column(default="")
    probe: Mapped[str] = mapped_column(default="")
    lows: Mapped[list[Any]]
    highs: Mapped[list[Any]]
    counts: Mapped[list[Any]]
    bucket_lines: Mapped[list[Any]]
