"""Findings: a signature judged against one host and phase of a case."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasId


class Finding(HasId, Base):
    """A match or suspect, for queries over cases; `case_findings` has all findings of a case.

    Attributes:
        host: Name of the host; "" when unknown.
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
    title: Mapped[str]
    verdict: Mapped[str]
    score: Mapped[float] = mapped_column(default=0.0)
    case_rev: Mapped[int]
