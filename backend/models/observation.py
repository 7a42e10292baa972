"""Observations: what one reading says about one clause, kept so that it is looked at once."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt


class Observation(HasCreatedAt, Base):
    """The answer of a reading (by digest) to a clause (by digest), whichever case asks."""

    __tablename__ = "observation"

    reading_digest: Mapped[str] = mapped_column(primary_key=True)
    clause_digest: Mapped[str] = mapped_column(primary_key=True)
    document: Mapped[dict[str, Any]]
