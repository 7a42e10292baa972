"""Observations: cached results of conditions on readings."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt


class Observation(HasCreatedAt, Base):
    """The result of a condition on a reading, shared between cases.

    Attributes:
        reading_digest: Digest of the reading.
        clause_digest: Version of the kind of condition and digest of the condition, `version:digest`.
        document: The match results.
    """

    __tablename__ = "observation"

    reading_digest: Mapped[str] = mapped_column(primary_key=True)
    clause_digest: Mapped[str] = mapped_column(primary_key=True)
    document: Mapped[dict[str, Any]]
