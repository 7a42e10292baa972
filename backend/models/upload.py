"""Resumable uploads: files sent in chunks, over any number of connections."""

from __future__ import annotations

import enum
from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class UploadState(enum.StrEnum):
    """`sent`: complete, not evidence yet; `kept`: is evidence; `failed`: a server error."""

    SENDING = "sending"
    SENT = "sent"
    KEPT = "kept"
    FAILED = "failed"


class Upload(HasId, HasCreatedAt, Base):
    """One file being uploaded; the row, not the file, is authoritative for the received bytes.

    Attributes:
        actor: Who sends it.
        sender: Sender of its jobs, see `backend.core.jobs.job_sender`.
        captured_path: Path on the captured machine; "" if unknown.
        host: Host that its sender names; "" for none.
        phase: Phase that its sender names; "" for none.
        fingerprint: The client's id of the file, for resuming; "" if not sent.
        offset_bytes: Bytes synced to disk; anything beyond in the file does not count.
        writer_epoch: Incremented with every writing connection (fencing token); only the latest may write.
        evidence_id: The resulting evidence.
        updated_at: When bytes last arrived.
    """

    __tablename__ = "upload"
    __table_args__ = (
        Index(None, "case_id"),
        Index(None, "updated_at"),
        # The sum of announced bytes is queried often, and most uploads are evidence by then.
        Index("ix_upload_unkept", "id", postgresql_where=text("state <> 'kept'")),
        Index("ix_upload_actor", "actor", "state", "updated_at", "id"),
    )

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    evidence_id: Mapped[UUID | None] = mapped_column(ForeignKey("evidence.id", ondelete="SET NULL"))
    actor: Mapped[str]
    sender: Mapped[str] = mapped_column(default="system", server_default="system")
    filename: Mapped[str]
    captured_path: Mapped[str] = mapped_column(default="")
    host: Mapped[str] = mapped_column(default="", server_default="")
    phase: Mapped[str] = mapped_column(default="", server_default="")
    fingerprint: Mapped[str] = mapped_column(default="", server_default="")
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    offset_bytes: Mapped[int] = mapped_column(BigInteger, default=0)
    writer_epoch: Mapped[int] = mapped_column(default=0)
    state: Mapped[UploadState] = mapped_column(default=UploadState.SENDING)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
