"""Invitations, and failed sign-in attempts."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.account import Role
from backend.models.base import Base, HasCreatedAt, HasId


class Invitation(HasId, HasCreatedAt, Base):
    """A single-use link that creates one account with a role, maybe in a team; stored as SHA-256 (hex)."""

    __tablename__ = "invitation"

    note: Mapped[str] = mapped_column(default="")
    hash: Mapped[str] = mapped_column(unique=True)
    role: Mapped[Role]
    team_id: Mapped[UUID | None] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    created_by: Mapped[UUID | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class LoginAttempts(Base):
    """Failed sign-in attempts of one `backend.accounts.login_throttle.Limit`; cleared by the next success."""

    __tablename__ = "sign_in_attempts"

    key: Mapped[str] = mapped_column(primary_key=True)
    failures: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(index=True)
