"""Notes: what people write about a case, in Markdown, as it was last saved."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Note(HasId, HasCreatedAt, Base):
    """One note.

    Attributes:
        author: Who wrote it; the name, which outlives the account.
        editor: Who saved it last.
        text: Markdown as typed; whoever shows it sanitises it.
        revision: Rises with every change, so that nobody overwrites what they have not read.
        deleted_at: Put away, and when; it can be brought back.
    """

    __tablename__ = "note"
    __table_args__ = (Index(None, "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    author: Mapped[str]
    editor: Mapped[str]
    text: Mapped[str]
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    deleted_at: Mapped[datetime | None]
