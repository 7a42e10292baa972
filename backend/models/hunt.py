"""Retro-hunts: a version of a library judged on the stored readings of past cases."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId
from backend.models.reprocessing import Change, RunState


class Hunt(HasId, HasCreatedAt, Base):
    """One hunt; at most one is running. Cases follow from new to old, `position` is the last one done.

    Attributes:
        author: Who began it.
        applies: Cases whose verdicts change are judged again; otherwise it is a preview.
        signatures: Ids of the signatures that are judged: those that the version changes.
        total: Cases when it began.
        done: Cases done, judged or without the evidence that the signatures need.
        judged: Cases that were judged.
        gained: Cases in which a signature newly matches or is suspected, or matches and was suspected.
        lost: Cases in which one no longer does.
        failed: Cases that could not be judged; they keep their verdicts.
        reason: Why it failed, or who cancelled it.
    """

    __tablename__ = "hunt"
    __table_args__ = (
        Index("uq_hunt_running", "state", unique=True, postgresql_where=text("state = 'running'")),
        Index(None, "version_id"),
    )

    version_id: Mapped[UUID] = mapped_column(ForeignKey("library_version.id", ondelete="CASCADE"))
    state: Mapped[RunState] = mapped_column(default=RunState.RUNNING)
    author: Mapped[str]
    applies: Mapped[bool]
    signatures: Mapped[list[Any]] = mapped_column(default=list)
    total: Mapped[int]
    done: Mapped[int] = mapped_column(default=0)
    judged: Mapped[int] = mapped_column(default=0)
    gained: Mapped[int] = mapped_column(default=0)
    lost: Mapped[int] = mapped_column(default=0)
    failed: Mapped[int] = mapped_column(default=0)
    position: Mapped[UUID | None]
    finished_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(default="")


class HuntedCase(HasCreatedAt, Base):
    """A case whose verdicts a hunt changes, or would change.

    Attributes:
        verdicts: What becomes another: `host`, `phase`, `signature`, `title`, `before`, `after` (null where
            nothing is seen), and `lines`: what decides it now.
        reason: Why it failed, one sentence.
    """

    __tablename__ = "hunted_case"
    __table_args__ = (Index(None, "case_id"),)

    hunt_id: Mapped[UUID] = mapped_column(ForeignKey("hunt.id", ondelete="CASCADE"), primary_key=True)
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    change: Mapped[Change]
    verdicts: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    reason: Mapped[str] = mapped_column(default="")
