"""Observations: cached results of conditions on readings."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt


class Observation(HasCreatedAt, Base):
    """The result of a condition (by digest) on a reading (by digest), shared between cases."""

    __tablename__ = "observation"

    reading_digest: Mapped[str] = mapped_column(primary_key=True)
    clause_digest: Mapped[str] = mapped_column(primary_key=True)
    document: Mapped[dict[str, Any]]
