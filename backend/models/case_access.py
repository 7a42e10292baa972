"""Access to one case beyond its visibility: people added to it, and those who opened one of its links."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class CaseLink(HasId, HasCreatedAt, Base):
    """A secret link to a case, stored as its SHA-256 (hex); valid while the case's visibility is `link`."""

    __tablename__ = "case_link"

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), index=True)
    hash: Mapped[str] = mapped_column(unique=True)
    created_by: Mapped[UUID | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), index=True)
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class CasePerson(HasId, HasCreatedAt, Base):
    """An account with access to a case: added to it (`link_id` null), or by a link, then read-only."""

    __tablename__ = "case_person"
    __table_args__ = (
        UniqueConstraint("case_id", "account_id", "link_id", postgresql_nulls_not_distinct=True),
        Index(None, "account_id"),
    )

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    account_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    link_id: Mapped[UUID | None] = mapped_column(ForeignKey("case_link.id", ondelete="CASCADE"))
