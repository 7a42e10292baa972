"""Stories that people here write: what they were at every saving, and which of it everybody reads."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, Identity, Index, Integer, Text, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Story(HasId, HasCreatedAt, Base):
    """One story; what it says is in its revisions.

    Attributes:
        number: Short name for people, and the key of its entry in the library; gaps are possible.
        author_id: Who began it; none when the account is gone. `author` is the name, which outlives it.
        team_id: Who sees the draft, beside its author.
        evidence_id: The evidence it was begun with, when it was sent as evidence: once each.
        version: Rises with every saving, so that nobody overwrites what they have not read.
        revision: Number of the latest revision.
        published_revision: The revision that everybody reads; none while it is a draft.
        offered_at: Since when a curator is asked to publish it.
        deleted_at: Put away, and when; it can be brought back.
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
    """What a story said once.

    Savings of one sitting are one revision: what somebody writes in one go, not every pause in it.

    Attributes:
        editor: Who wrote it.
        sitting: What the savings of one open editor have in common; "" is never gone on with.
        symptoms: What somebody notices first.
        signatures: Ids of signatures it speaks of.
        cases: Numbers of cases it speaks of; whoever reads it is told those they see.
        fix: What cured it.
        text: Markdown as typed; whoever shows it sanitises it.
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
