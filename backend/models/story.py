"""User-written stories: their revisions, and the published one."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, Identity, Index, Integer, Text, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Story(HasId, HasCreatedAt, Base):
    """One story; its content is in its revisions.

    Attributes:
        number: Display number, and the key of its library entry; gaps are possible.
        author_id: The author; none when the account is deleted. `author` is the name, which outlives it.
        team_id: Team that sees the draft, besides its author.
        evidence_id: The evidence it was created from, if any; one story each.
        version: Incremented with every save, for optimistic locking.
        revision: Number of the latest revision.
        published_revision: The public revision; none for a draft.
        offered_at: When publication was requested from a curator.
        deleted_at: When it was deleted; restorable.
    """

    __tablename__ = "story"
    __table_args__ = (Index(None, "author_id"), Index(None, "team_id"))

    number: Mapped[int] = mapped_column(Integer, Identity(always=True), unique=True)
    author_id: Mapped[UUID | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    author: Mapped[str]
    team_id: Mapped[UUID | None] = mapped_column(ForeignKey("team.id", ondelete="SET NULL"))
    evidence_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("evidence.id", ondelete="SET NULL"), unique=True
    )
    version: Mapped[int] = mapped_column(default=1)
    revision: Mapped[int] = mapped_column(default=1)
    published_revision: Mapped[int | None]
    published_at: Mapped[datetime | None]
    published_by: Mapped[str] = mapped_column(default="")
    offered_at: Mapped[datetime | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    deleted_at: Mapped[datetime | None]


class StoryRevision(HasId, HasCreatedAt, Base):
    """One revision of a story.

    Saves of one editing session are one revision.

    Attributes:
        editor: Name of the editor.
        sitting: Id of the editing session; "" is never continued.
        symptoms: Visible symptoms.
        signatures: Ids of the signatures it refers to.
        cases: Numbers of the cases it refers to; a reader gets the visible ones.
        fix: The fix that worked.
        text: Markdown as typed; sanitised when rendered.
    """

    __tablename__ = "story_revision"
    __table_args__ = (UniqueConstraint("story_id", "number"),)

    story_id: Mapped[UUID] = mapped_column(ForeignKey("story.id", ondelete="CASCADE"))
    number: Mapped[int]
    editor: Mapped[str]
    sitting: Mapped[str] = mapped_column(default="")
    title: Mapped[str]
    area: Mapped[str]
    symptoms: Mapped[list[str]] = mapped_column(ARRAY(Text))
    signatures: Mapped[list[str]] = mapped_column(ARRAY(Text))
    cases: Mapped[list[int]] = mapped_column(ARRAY(Integer))
    fix: Mapped[str]
    text: Mapped[str]
