"""Findings of a case as one compressed document, and the dictionaries that they are compressed with."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt


class FindingDictionary(HasCreatedAt, Base):
    """What signatures alone determine of findings: titles, conditions, fixes, captures, references.

    Attributes:
        digest: SHA-256 of the text.
        text: Zstandard-compressed JSON text; findings are compressed with it as dictionary.
    """

    __tablename__ = "finding_dictionary"

    digest: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[bytes]


class CaseFindings(Base):
    """All findings of one revision of a case, as `backend.cases.stored_findings` writes them.

    Attributes:
        evidence_rev: The revision of the evidence that they are based on.
        dictionary: Digest of the dictionary; none in cases judged before there were dictionaries.
        document: Zstandard-compressed JSON.
    """

    __tablename__ = "case_findings"

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    evidence_rev: Mapped[int]
    dictionary: Mapped[str | None] = mapped_column(ForeignKey("finding_dictionary.digest"), index=True)
    document: Mapped[bytes]
