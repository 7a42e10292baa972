"""Findings: a signature judged against one host and phase of a case."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Finding(HasId, HasCreatedAt, Base):
    """A match or suspect, for queries over cases; `case_findings` has all findings of a case.

    Attributes:
        host: Name of the host; "" when unknown.
        digest: SHA-256 of the signature's file.
        verdict: `match` or `suspect`.
        case_rev: The `evidence_rev` it is based on.
    """

    __tablename__ = "finding"
    __table_args__ = (
        UniqueConstraint("case_id", "host", "phase", "signature"),
        Index(None, "signature", "verdict"),
    )

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    host: Mapped[str]
    phase: Mapped[str]
    signature: Mapped[str]
    version: Mapped[int]
    digest: Mapped[str]
    title: Mapped[str]
    severity: Mapped[str]
    verdict: Mapped[str]
    score: Mapped[float] = mapped_column(default=0.0)
    confidence: Mapped[float | None]
    coverage: Mapped[float]
    is_near_miss: Mapped[bool] = mapped_column(default=False)
    is_provisional: Mapped[bool] = mapped_column(default=False)
    case_rev: Mapped[int]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())
