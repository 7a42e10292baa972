"""Sections: the recognised outputs inside one evidence."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasId


class Section(HasId, Base):
    """Lines of one evidence that one format reads; `path` and `command` are from the text above them."""

    __tablename__ = "section"
    __table_args__ = (UniqueConstraint("evidence_id", "ordinal"),)

    evidence_id: Mapped[UUID] = mapped_column(ForeignKey("evidence.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    format: Mapped[str]
    first_line: Mapped[int] = mapped_column(BigInteger)
    last_line: Mapped[int] = mapped_column(BigInteger)
    path: Mapped[str] = mapped_column(default="")
    command: Mapped[str] = mapped_column(default="")
