"""The inverted index of cases: which functions and facts each has, and in how many cases a function is.

An audience is who sees a case by its visibility alone: everybody, one team, or nobody (`RESTRICTED`).
Postings and counts are kept for each: an principal reads those of the audiences they belong to and no others.
Triggers of the database keep the audience and the counts with every change of a case or of its postings.
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
"""Not an audience: under which the counts of all are kept once more, for principals who belong to all."""
EVERY_CASE = 0
"""Not a function: the `frame_id` under which the cases themselves are counted."""


class CaseFrame(Base):
    """A function of a case, over all its current profiles; a posting of the inverted index.

    Attributes:
        frame_id: `backend.models.frame.frame_id` of the name.
        audience: `Case.audience`; none when the case was put away.
        has_weights: Whether a profile with weights has it.
        total_share: The largest of those profiles, else the largest of stacks without weights.
        weight: How much it tells of the case, 0..1.
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
    """A fact of a case that is words; a posting of the inverted index.

    Attributes:
        token: A hash of the name and the words.
    """

    __tablename__ = "case_fact"
    __table_args__ = (Index("ix_case_fact_posting", "token", "audience", "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    token: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    audience: Mapped[UUID | None]


class FrameCount(Base):
    """In how many cases of an audience, or of all, a function is, but for the changes not yet added."""

    __tablename__ = "frame_count"

    frame_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    audience: Mapped[UUID] = mapped_column(primary_key=True)
    cases: Mapped[int]


class FrameCountChange(Base):
    """Functions of which an audience has one case more or less.

    Whoever changes a case appends a row and waits for nobody; one transaction at a time adds them up.
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
"""Of a case, in SQL."""
