"""Sets of event rows; the rows themselves are in the reading folder."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasId


class RowSet(HasId, Base):
    """One row set of one reading; `duration_s` is what its rows span, when known."""

    __tablename__ = "row_set"
    __table_args__ = (UniqueConstraint("reading_id", "ordinal"), Index(None, "case_id", "name"))

    reading_id: Mapped[UUID] = mapped_column(ForeignKey("reading.id", ondelete="CASCADE"))
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    name: Mapped[str]
    columns: Mapped[list[Any]]
    row_count: Mapped[int] = mapped_column(BigInteger)
    duration_s: Mapped[float | None]
