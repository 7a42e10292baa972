"""The table `event`: the append-only log of domain events; docs/events.md states its schema."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.base import Base


class Event(Base):
    """One event.

    Attributes:
        id: Ascends in commit order within a case, so a reader resumes after the last id it received.
        team_id: The team of the case at the time; no foreign key, so that an event outlives its team.
        kind: `case.created`, `evidence.read`, `findings.judged`…
        actor: Name of the account, or of the component of the service.
        is_system: Not requested by a user directly.
    """

    __tablename__ = "event"
    __table_args__ = (Index(None, "case_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    case_id: Mapped[UUID | None] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    kind: Mapped[str]
    actor: Mapped[str]
    is_system: Mapped[bool]
    payload: Mapped[dict[str, Any]]
    team_id: Mapped[UUID | None]
