"""Profiles: weighted call stacks of one event, as lists show them; the columns are in the reading folder."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasId


class Profile(HasId, Base):
    """One profile of one reading.

    Attributes:
        ordinal: Its place in `Reading.profiles`.
        what: `cpu`, `offcpu`, `event` or `bare`.
        from_s: First sample's time in seconds, when it has times.
        to_s: Last sample's time in seconds.
        has_frames: Whether its heaviest functions are indexed by name.
    """

    __tablename__ = "profile"
    __table_args__ = (
        UniqueConstraint("reading_id", "ordinal"),
        Index(None, "case_id"),
        Index("ix_profile_unindexed", "case_id", postgresql_where=text("not has_frames")),
    )

    reading_id: Mapped[UUID] = mapped_column(ForeignKey("reading.id", ondelete="CASCADE"))
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    event: Mapped[str]
    unit: Mapped[str]
    what: Mapped[str]
    samples: Mapped[float]
    weight: Mapped[float]
    nodes: Mapped[int] = mapped_column(BigInteger)
    is_ordered: Mapped[bool]
    has_weights: Mapped[bool]
    has_time: Mapped[bool]
    has_cpu: Mapped[bool]
    from_s: Mapped[float | None]
    to_s: Mapped[float | None]
    has_frames: Mapped[bool] = mapped_column(default=False, server_default=text("false"))
