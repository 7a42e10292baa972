"""Events of an incident that people record: start, detection, actions, mitigation, resolution."""

from __future__ import annotations

import enum
from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class IncidentEventKind(enum.StrEnum):
    """What happened; all but `action` are the times of the incident."""

    STARTED = "started"
    DETECTED = "detected"
    ACTION = "action"
    MITIGATED = "mitigated"
    RESOLVED = "resolved"


class IncidentEvent(HasId, HasCreatedAt, Base):
    """One event.

    Attributes:
        at: When it happened, as stated by people.
        text: One sentence; "" for none.
        author: Name of the author, which outlives the account.
        editor: Name of the last editor.
        revision: Incremented with every change, for optimistic locking.
        deleted_at: When it was deleted; restorable.
    """

    __tablename__ = "incident_event"
    __table_args__ = (Index(None, "case_id", "at"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    kind: Mapped[IncidentEventKind]
    at: Mapped[datetime]
    text: Mapped[str] = mapped_column(default="")
    author: Mapped[str]
    editor: Mapped[str]
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    deleted_at: Mapped[datetime | None]
