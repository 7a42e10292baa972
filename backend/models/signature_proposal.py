"""Signatures that people propose for a library of their team, and what became of them."""

from __future__ import annotations

import enum
from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class ProposalState(enum.StrEnum):
    """State of a proposal; only one that is `proposed` can change."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class SignatureProposal(HasId, HasCreatedAt, Base):
    """A signature as its author wants it in a library.

    Attributes:
        library: Name of the library; it may not be there yet.
        text: Its `signature.yaml`.
        base: The text that it was changed from; "" for a new signature.
        revision: Grows with each change of the text.
        author: Name of the author, which outlives the account.
        reviewer: Name of who decided; "" before.
        comment: Reason of the reviewer, or "".
        version_id: Version of the library that it was accepted into; no foreign key, a version may go.
    """

    __tablename__ = "signature_proposal"
    __table_args__ = (Index(None, "signature_id"), Index(None, "state", "id"))

    library: Mapped[str]
    signature_id: Mapped[str]
    text: Mapped[str]
    base: Mapped[str]
    state: Mapped[ProposalState] = mapped_column(default=ProposalState.PROPOSED)
    revision: Mapped[int] = mapped_column(default=1)
    author: Mapped[str]
    reviewer: Mapped[str] = mapped_column(default="")
    comment: Mapped[str] = mapped_column(default="")
    version_id: Mapped[UUID | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now())
