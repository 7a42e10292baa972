"""Readings: the output of one format version on one section."""

from __future__ import annotations

import enum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Stage(enum.StrEnum):
    """`provisional` while more of the evidence is expected."""

    PROVISIONAL = "provisional"
    FINAL = "final"


class Reading(HasId, HasCreatedAt, Base):
    """One reading folder and its metadata.

    Attributes:
        reader: Version of the code that read it (`ingest.format_versions`); "" before versions were kept.
        stage: `provisional` while more is expected, else `final`.
        digest: Digest of the folder, the key of cached observations.
        store_key: Key of the folder in the object store.
        quality: `{name, detail, line}`.
        skipped: `{reason, count, first_line}`.
        is_current: Whether it is the reading in use for its section.
    """

    __tablename__ = "reading"
    __table_args__ = (
        UniqueConstraint("section_id", "format_version"),
        Index("uq_reading_current", "section_id", unique=True, postgresql_where=text("is_current")),
        Index(None, "case_id"),
        Index(None, "digest"),
    )

    section_id: Mapped[UUID] = mapped_column(ForeignKey("section.id", ondelete="CASCADE"))
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    format_version: Mapped[int]
    reader: Mapped[str] = mapped_column(default="", server_default="")
    stage: Mapped[str] = mapped_column(default=Stage.FINAL.value)
    digest: Mapped[str]
    store_key: Mapped[str]
    quality: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    skipped: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    is_current: Mapped[bool] = mapped_column(default=True)
