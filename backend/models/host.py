"""Hosts of a case, identified from its evidence."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Host(HasId, HasCreatedAt, Base):
    """One host of one case, named by its evidence."""

    __tablename__ = "host"
    __table_args__ = (
        UniqueConstraint("case_id", "name", "machine_id", "boot_id"),
        Index(None, "name", "case_id"),
    )

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    name: Mapped[str]
    machine_id: Mapped[str] = mapped_column(default="")
    boot_id: Mapped[str] = mapped_column(default="")
