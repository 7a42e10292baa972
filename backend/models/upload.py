"""Uploads on their way: files that come in pieces, over any number of connections."""

from __future__ import annotations

import enum
from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class UploadState(enum.StrEnum):
    """`sent` is whole and becomes evidence next, `kept` is evidence; `failed` is our fault."""

    SENDING = "sending"
    SENT = "sent"
    KEPT = "kept"
    FAILED = "failed"


class Upload(HasId, HasCreatedAt, Base):
    """One file that is being sent; the row, not the file, says how much of it has arrived.

    Attributes:
        actor: Who sends it.
        sender: For whom jobs about it are done, see `backend.core.jobs.job_sender`.
        captured_path: Path on the captured machine; "" when not known.
        fingerprint: What its sender knows the file by when it comes back with it; "" when it told nothing.
        offset_bytes: So many bytes are safe on disk; what the file holds beyond them does not count.
        writer_epoch: Rises with every connection that writes; only the latest may.
        evidence_id: What it became.
        updated_at: When bytes last came.
    """

    __tablename__ = "upload"
    __table_args__ = (
        Index(None, "case_id"),
        Index(None, "updated_at"),
        # How much is promised is asked often, and most uploads are evidence by then.
        Index("ix_upload_unkept", "id", postgresql_where=text("state <> 'kept'")),
        Index("ix_upload_actor", "actor", "state", "updated_at", "id"),
    )

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    evidence_id: Mapped[UUID | None] = mapped_column(ForeignKey("evidence.id", ondelete="SET NULL"))
    actor: Mapped[str]
    sender: Mapped[str] = mapped_column(default="system", server_default="system")
    filename: Mapped[str]
    captured_path: Mapped[str] = mapped_column(default="")
    fingerprint: Mapped[str] = mapped_column(default="", server_default="")
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    offset_bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    writer_epoch: Mapped[int] = mapped_column(default=0)
    state: Mapped[UploadState] = mapped_column(default=UploadState.SENDING)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
