"""Search index of the library: one row per signature with its story, and per published story."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, Computed, Index, Text, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasId

PARTS = ("names", "headings", "conditions", "body")


def weighed(column: str, weight: str) -> str:
    """Return the weighted tsvector of a column; punctuation splits words, so `memory.stat` is two."""
    words = f"regexp_replace({column}, '[^[:alnum:]]+', ' ', 'g')"
    return f"setweight(to_tsvector('english', {words}), '{weight}')"


WORDS = " || ".join(weighed(*pair) for pair in zip(PARTS, "ABCD", strict=True))


class LibraryEntry(HasId, Base):
    """One searchable entry of the library.

    Attributes:
        kind: `signature` or `story`.
        key: Id of the signature (`area/name`) or number of the story.
        headline: First heading of the text.
        status: `stable` or `draft` of a signature; `published` of a story.
        symptoms: Visible symptoms.
        groups: Names of its symptom groups.
        frames: Functions in its conditions, normalised, without patterns.
        signatures: Signatures a story refers to; of a signature, itself.
        names: Title, symptoms and other names: weight A.
        headings: Headings of the text: weight B.
        conditions: Titles of conditions, fixes and references, and functions: weight C.
        body: The text without markup: weight D.
        vocabulary: Distinct words of titles, symptoms, other names and functions, for fuzzy matching.
        digest: SHA-256 of its sources.
    """

    __tablename__ = "library_entry"
    __table_args__ = (
        UniqueConstraint("kind", "key"),
        Index("ix_library_entry_words", "words", postgresql_using="gin"),
        Index("ix_library_entry_frames", "frames", postgresql_using="gin"),
        Index(
            "ix_library_entry_vocabulary",
            "vocabulary",
            postgresql_using="gin",
            postgresql_ops={"vocabulary": "gin_trgm_ops"},
        ),
    )

    kind: Mapped[str]
    key: Mapped[str]
    title: Mapped[str]
    headline: Mapped[str]
    area: Mapped[str]
    severity: Mapped[str]
    status: Mapped[str]
    has_fix: Mapped[bool]
    symptoms: Mapped[list[str]] = mapped_column(ARRAY(Text))
    groups: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list)
    frames: Mapped[list[str]] = mapped_column(ARRAY(Text))
    signatures: Mapped[list[str]] = mapped_column(ARRAY(Text))
    names: Mapped[str]
    headings: Mapped[str]
    conditions: Mapped[str]
    body: Mapped[str]
    vocabulary: Mapped[str]
    digest: Mapped[str]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())
    words: Mapped[Any | None] = mapped_column(TSVECTOR, Computed(WORDS, persisted=True), deferred=True)
