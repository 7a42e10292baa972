"""Labels: feedback of people on findings; the judge never writes here, and labels never change a verdict."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Opinion(enum.StrEnum):
    """Feedback on a verdict."""

    RIGHT = "right"
    WRONG = "wrong"
    UNSURE = "unsure"


class Label(HasId, HasCreatedAt, Base):
    """One person's label on one signature for one host and phase of a case; survives later judging.

    Attributes:
        host: Name of the host in findings; "" if unknown.
        account_id: The author's account; none once it is deleted.
        author: Name of the author at the time.
        misled_clause: Id of the misleading condition; "" for none.
        remark: A sentence.
        version: Version of the labelled signature.
        verdict: The verdict at the time.
        updated_at: Last change.
    """

    __tablename__ = "label"
    DERIVED_FROM: ClassVar[frozenset[str]] = frozenset({"opinion"})
    __table_args__ = (UniqueConstraint("case_id", "signature", "host", "phase", "account_id"),)

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    signature: Mapped[str]
    host: Mapped[str]
    phase: Mapped[str]
    account_id: Mapped[UUID | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    author: Mapped[str]
    opinion: Mapped[Opinion]
    misled_clause: Mapped[str] = mapped_column(default="")
    remark: Mapped[str] = mapped_column(default="")
    version: Mapped[int]
    verdict: Mapped[str]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
