"""Labels: what people say about findings; the judge never writes here, and nothing here changes a verdict."""

from __future__ import annotations

import enum
from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Opinion(enum.StrEnum):
    """What somebody thinks of a verdict."""

    RIGHT = "right"
    WRONG = "wrong"
    UNSURE = "unsure"


class Label(HasId, HasCreatedAt, Base):
    """One person's word on one signature for one host and phase of a case, whatever is judged later.

    Attributes:
        host: Name of the host as findings tell it; "" when unknown.
        account_id: Whose word it is; none once that account is gone.
        author: Their name when they said it.
        misled_clause: Id of the condition that misled the judge; "" for none named.
        remark: A sentence.
        version: Of the signature that was looked at.
        verdict: What the judge said then.
        updated_at: When it was last said.
    """

    __tablename__ = "label"
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
