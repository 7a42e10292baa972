"""Runs of reprocessing: stored cases read and judged again, and what changed in each."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class RunState(enum.StrEnum):
    """`failed`: a bug of ours, `reason` has its number."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class Change(enum.StrEnum):
    """What changed in a case, the most important first; `failed`: it keeps the verdicts that it had."""

    LOST_MATCH = "lost_match"
    NEW_MATCH = "new_match"
    SUSPECT_TO_MATCH = "suspect_to_match"
    SUSPECT = "suspect"
    HEADLINE = "headline"
    NONE = "none"
    FAILED = "failed"


class ReprocessRun(HasId, HasCreatedAt, Base):
    """One run; at most one is running. What is left of it follows from the cases and from `position`.

    Attributes:
        author: Who began it.
        selection: `takes_all`, `since`, `until`, `case_id`: which cases it is for.
        total: Cases and drafts to do when it began.
        done: Cases and drafts done, with or without success.
        changes: Number of cases by `Change`.
        position: The last case done; cases follow from new to old.
        current: The case that is being done.
        reason: Why it failed, or who cancelled it.
    """

    __tablename__ = "reprocess_run"
    __table_args__ = (
        Index("uq_reprocess_run_running", "state", unique=True, postgresql_where=text("state = 'running'")),
    )

    state: Mapped[RunState] = mapped_column(default=RunState.RUNNING)
    author: Mapped[str]
    selection: Mapped[dict[str, Any]]
    total: Mapped[int]
    done: Mapped[int] = mapped_column(default=0)
    changes: Mapped[dict[str, Any]] = mapped_column(default=dict)
    position: Mapped[UUID | None]
    current: Mapped[UUID | None]
    finished_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(default="")


class ReprocessedCase(HasCreatedAt, Base):
    """What one run changed in one case.

    Attributes:
        files_read: Files that were read again.
        before: Its headline before.
        after: Its headline now.
        verdicts: What became another: `host`, `phase`, `signature`, `title`, `before`, `after`; null where
            the signature was not judged.
        reason: Why it failed, one sentence.
    """

    __tablename__ = "reprocessed_case"
    __table_args__ = (Index(None, "case_id"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("reprocess_run.id", ondelete="CASCADE"), primary_key=True)
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    change: Mapped[Change]
    files_read: Mapped[int] = mapped_column(default=0)
    before: Mapped[str] = mapped_column(default="")
    after: Mapped[str] = mapped_column(default="")
    verdicts: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    reason: Mapped[str] = mapped_column(default="")
