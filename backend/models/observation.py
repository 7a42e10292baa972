"""Observations: cached results of conditions on readings."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt
from ingest.model.json_value import JsonValue


class Observation(HasCreatedAt, Base):
    """The result of a condition on a reading, shared between cases.

    Attributes:
        reading_digest: Digest of the reading.
        clause_digest: Version of the kind of condition and digest of the condition, `version:digest`.
        document: The match results (`signatures.judging.observation_cache.ResultsDocument`).
    """

    __tablename__ = "observation"

    reading_digest: Mapped[str] = mapped_column(primary_key=True)
    clause_digest: Mapped[str] = mapped_column(primary_key=True)
    document: Mapped[dict[str, JsonValue]]
