"""Frames: function names across all cases, and the weights of the heaviest in each profile."""

from __future__ import annotations

import hashlib
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, clean_text


class Frame(Base):
    """One normalised function name, in any number of profiles; it stays when they are deleted.

    Attributes:
        id: `frame_id` of the name: C++ names may exceed the size limit of a text index.
    """

    __tablename__ = "frame"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str]


class ProfileFrame(Base):
    """Weight of a function in a profile, as shares of the total.

    Attributes:
        total_share: Samples that contain it, counted once each.
        self_share: Samples that end in it.
    """

    __tablename__ = "profile_frame"
    __table_args__ = (Index(None, "profile_id"),)

    frame_id: Mapped[int] = mapped_column(ForeignKey("frame.id", ondelete="CASCADE"), primary_key=True)
    profile_id: Mapped[UUID] = mapped_column(ForeignKey("profile.id", ondelete="CASCADE"), primary_key=True)
    total_share: Mapped[float]
    self_share: Mapped[float]


def frame_id(name: str) -> int:
    """Return the number of a name: the first 64 bits of its BLAKE2b digest, signed."""
    digest = hashlib.blake2b(clean_text(name).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
