"""Cases that are alike: traits of each case, pairs that are the same problem, and labels of pairs."""

from __future__ import annotations

import enum
from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, Double, ForeignKey, Index, Text, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class CaseTraits(Base):
    """Traits of a case with their weights (`backend.search.traits`).

    Attributes:
        digest: Checksum of the traits.
    """

    __tablename__ = "case_traits"

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    digest: Mapped[int] = mapped_column(BigInteger)
    traits: Mapped[dict[str, float]] = mapped_column(JSONB)


class TraitPosting(Base):
    """One of the most telling traits of a case; a posting of an inverted index.

    Attributes:
        token: Hash of the trait.
        audience: `Case.audience`; none when the case is deleted. A trigger keeps it current.
    """

    __tablename__ = "trait_posting"
    __table_args__ = (Index("ix_trait_posting_token", "token", "audience", "case_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    token: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    audience: Mapped[UUID | None]


class CasePair(Base):
    """Another case, earlier or later, that is the same problem as a case by their traits.

    Attributes:
        other_digest: `CaseTraits.digest` of the other case as it was compared.
        share: `backend.search.likeness.Likeness.share`.
    """

    __tablename__ = "case_pair"
    __table_args__ = (Index(None, "other_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    other_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    other_digest: Mapped[int] = mapped_column(BigInteger)
    share: Mapped[float] = mapped_column(Double)


class PairOpinion(enum.StrEnum):
    """What somebody says of two cases."""

    SAME = "same"
    DIFFERENT = "different"


class PairLabel(HasId, HasCreatedAt, Base):
    """One person's label of two cases; survives later judging.

    Attributes:
        earlier_id: The case that was opened first.
        account_id: The author's account; none once it is deleted.
        author: Name of the author at the time.
        kinds: Kinds of traits in which the cases agreed at the time.
        updated_at: Last change.
    """

    __tablename__ = "pair_label"
    __table_args__ = (UniqueConstraint("later_id", "earlier_id", "account_id"), Index(None, "earlier_id"))

    later_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    earlier_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    account_id: Mapped[UUID | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), index=True)
    author: Mapped[str]
    opinion: Mapped[PairOpinion]
    kinds: Mapped[list[str]] = mapped_column(ARRAY(Text))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
