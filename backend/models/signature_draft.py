"""Signature drafts: folders of the library drafted from closed cases."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class DraftState(enum.StrEnum):
    """`failed`: nothing could be drafted, `reason` says why."""

    DRAFTING = "drafting"
    READY = "ready"
    FAILED = "failed"


class SignatureDraft(HasId, HasCreatedAt, Base):
    """One draft.

    Attributes:
        signature_id: `area/name` of the signature.
        title: Title for its story, "" for that of the case.
        author: Name of the author, which outlives the account.
        replacements: Open tokens that the author chose to replace: `name` of the class, `text`.
        stage: What the job does now.
        progress_share: Share of that stage, 0..1.
        reason: Why it failed, or why this version cannot read its folder, one sentence; "" otherwise.
        engine: Version of the engine that judged it last.
        report: Verdict, conditions, look-alikes, problems, and what is to be reviewed.
        zip_sha256: The folder as a ZIP archive.
        zip_bytes: Its size.
    """

    __tablename__ = "signature_draft"
    __table_args__ = (Index(None, "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    state: Mapped[DraftState] = mapped_column(default=DraftState.DRAFTING)
    signature_id: Mapped[str]
    title: Mapped[str] = mapped_column(default="")
    author: Mapped[str]
    replacements: Mapped[list[Any]] = mapped_column(default=list)
    stage: Mapped[str] = mapped_column(default="waiting")
    progress_share: Mapped[float] = mapped_column(default=0.0)
    reason: Mapped[str] = mapped_column(default="")
    engine: Mapped[str] = mapped_column(default="", server_default="")
    report: Mapped[dict[str, Any]] = mapped_column(default=dict)
    zip_sha256: Mapped[str | None]
    zip_bytes: Mapped[int | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())
