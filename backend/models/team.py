"""Teams: people who see the same cases."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Team(HasId, HasCreatedAt, Base):
    """One team."""

    __tablename__ = "team"

    name: Mapped[str] = mapped_column(unique=True)


class TeamMember(HasCreatedAt, Base):
    """One account in one team."""

    __tablename__ = "team_member"

    team_id: Mapped[UUID] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[UUID] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, index=True
    )
