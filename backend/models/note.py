"""Notes of a case, in Markdown, and their versions."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Note(HasId, HasCreatedAt, Base):
    """One note.

    Attributes:
        author: Name of the author, which outlives the account.
        editor: Name of the last editor.
        text: Markdown as typed; sanitised when rendered.
        revision: Incremented with every change, for optimistic locking.
        deleted_at: When it was deleted; restorable.
    """

    __tablename__ = "note"
    DERIVED_FROM: ClassVar[frozenset[str]] = frozenset({"text", "deleted_at"})
    __table_args__ = (Index(None, "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    author: Mapped[str]
    editor: Mapped[str]
    text: Mapped[str]
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    deleted_at: Mapped[datetime | None]


class NoteVersion(HasId, HasCreatedAt, Base):
    """One version of a note, the latest one included.

    Attributes:
        revision: The `Note.revision` whose text it is.
        editor: Name of who wrote it.
    """

    __tablename__ = "note_version"
    __table_args__ = (UniqueConstraint("note_id", "revision"),)

    note_id: Mapped[UUID] = mapped_column(ForeignKey("note.id", ondelete="CASCADE"))
    revision: Mapped[int]
    editor: Mapped[str]
    text: Mapped[str]
