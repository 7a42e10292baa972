"""Facts: named, typed values with their source lines."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Identity, Index
from sqlalchemy import text as sql_text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base


class Fact(Base):
    """One value of one reading; one of `number`, `text` and `truth` is set.

    Attributes:
        ordinal: Its place in `Reading.facts`.
        snapshot: Ordinal of the snapshot inside the section.
        at_s: Seconds on the evidence's own clock, when present.
    """

    __tablename__ = "fact"
    __table_args__ = (
        Index(None, "case_id", "name"),
        Index(None, "name", "number"),
        Index(None, "reading_id"),
        Index(
            "ix_fact_kernel_release",
            "text",
            "case_id",
            postgresql_where=sql_text("name = 'kernel.release'"),
            postgresql_ops={"text": "text_pattern_ops"},
        ),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    reading_id: Mapped[UUID] = mapped_column(ForeignKey("reading.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    name: Mapped[str]
    labels: Mapped[dict[str, str]] = mapped_column(default=dict)
    number: Mapped[float | None]
    text: Mapped[str | None]
    truth: Mapped[bool | None]
    unit: Mapped[str] = mapped_column(default="")
    snapshot: Mapped[int] = mapped_column(default=0)
    at_s: Mapped[float | None]
    first_line: Mapped[int] = mapped_column(BigInteger)
    last_line: Mapped[int] = mapped_column(BigInteger)
