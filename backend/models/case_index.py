"""The inverted index of cases: functions and facts of each case, and the number of cases per function.

An audience is the set of accounts that see a case by visibility alone: everybody, one team, or nobody
(`RESTRICTED`). Postings and counts are stored per audience: a principal reads those of their own audiences
only. Database triggers update audience and counts with every change of a case or of its postings.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, Double, ForeignKey, Identity, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base

EVERYBODY = UUID(int=0)
RESTRICTED = UUID(int=(1 << 128) - 1)
ALL_AUDIENCES = UUID(int=1)
"""Pseudo-audience with the counts over all audiences, for principals who belong to all."""
EVERY_CASE = 0
"""Pseudo-function: the `frame_id` under which the cases themselves are counted."""


class CaseFrame(Base):
    """A function of a case, over all its current profiles; a posting of the inverted index.

    Attributes:
        frame_id: `backend.models.frame.frame_id` of the name.
        audience: `Case.audience`; none when the case is deleted.
        has_weights: Whether a profile with weights contains it.
        total_share: The largest of those profiles, else the largest of stacks without weights.
        weight: How characteristic it is of the case, 0..1.
    """

    __tablename__ = "case_frame"
    __table_args__ = (
        Index(
            "ix_case_frame_posting",
            "frame_id",
            "audience",
            "has_weights",
            "total_share",
            "case_id",
            postgresql_include=["weight"],
        ),
    )

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    frame_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    audience: Mapped[UUID | None]
    has_weights: Mapped[bool]
    total_share: Mapped[float] = mapped_column(Double)
    weight: Mapped[float] = mapped_column(Double)


class CaseFact(Base):
    """A text fact of a case; a posting of the inverted index.

    Attributes:
        token: Hash of the name and the text.
    """

    __tablename__ = "case_fact"
    __table_args__ = (Index("ix_case_fact_posting", "token", "audience", "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    token: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    audience: Mapped[UUID | None]


class FrameCount(Base):
    """Number of cases of an audience, or of all, with a function, without pending changes."""

    __tablename__ = "frame_count"

    frame_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    audience: Mapped[UUID] = mapped_column(primary_key=True)
    cases: Mapped[int]


class FrameCountChange(Base):
    """Pending changes of the counts: functions with one case more or less in an audience.

    Writers append a row and never wait; one transaction at a time adds them up.
    """

    __tablename__ = "frame_count_change"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    audience: Mapped[UUID]
    frames: Mapped[list[Any]] = mapped_column(ARRAY(BigInteger))
    change: Mapped[int] = mapped_column(SmallInteger)


AUDIENCE = (
    "case when deleted_at is not null then null::uuid"
    f" when visibility = 'team' then coalesce(team_id, '{EVERYBODY}'::uuid)"
    f" else '{RESTRICTED}'::uuid end"
)
"""Audience of a case, as an SQL expression."""
