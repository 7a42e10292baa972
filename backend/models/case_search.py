"""The search index: one row per case, and its numbers.

A lexeme of `terms` is a word, or has a prefix that says what it is (`backend.search.words`).
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, Double, ForeignKey, Index, Integer, Text
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class CaseSearch(Base):
    """What a case is found by.

    The row is narrow: `terms` is stored out of line and only its index is read.

    Attributes:
        audience: `Case.audience`; none when the case is deleted. A trigger keeps it and `owner_id` current.
        problem: Signature, else the cluster or what people made of it, that the case belongs to first; "" for
            none.
        cluster: The cluster of a case without a signature, whatever people made of it.
        facets: `field:value` of the values that facets count.
        terms: Lexemes, without positions.
        settled_at: When the row was written, all evidence judged; none while some is not.
    """

    __tablename__ = "case_search"
    __table_args__ = (
        Index("ix_case_search_terms", "terms", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
        Index(None, "created_at", "case_id"),
        Index(None, "problem", "created_at", "case_id"),
    )

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer)
    audience: Mapped[UUID | None]
    owner_id: Mapped[UUID | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    problem: Mapped[str]
    cluster: Mapped[str] = mapped_column(default="", server_default="")
    facets: Mapped[list[str]] = mapped_column(ARRAY(Text))
    terms: Mapped[str] = mapped_column(TSVECTOR)
    settled_at: Mapped[datetime | None]


class CaseNumber(Base):
    """The least and greatest number that a fact of a case has; a posting of the search index."""

    __tablename__ = "case_number"
    __table_args__ = (Index(None, "name", "greatest", "case_id"), Index(None, "name", "least", "case_id"))

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    least: Mapped[float] = mapped_column(Double)
    greatest: Mapped[float] = mapped_column(Double)


class SavedSearch(HasId, HasCreatedAt, Base):
    """A query under a name, of one account or of a team.

    Attributes:
        owner_id: Who saved it.
        team_id: The team that shares it; none for a search of its owner only.
        columns: Names of the columns of the list, in their order; none for the default.
    """

    __tablename__ = "saved_search"
    __table_args__ = (Index(None, "owner_id"), Index(None, "team_id"))

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    team_id: Mapped[UUID | None] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    name: Mapped[str]
    query: Mapped[str]
    columns: Mapped[list[str]] = mapped_column(ARRAY(Text), default=list, server_default="{}")


class SearchMatch(Base):
    """A case that a saved search has found: it is no news to it any more."""

    __tablename__ = "search_match"
    __table_args__ = (Index(None, "case_id"),)

    search_id: Mapped[UUID] = mapped_column(
        ForeignKey("saved_search.id", ondelete="CASCADE"), primary_key=True
    )
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
