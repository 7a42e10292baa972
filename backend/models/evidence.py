"""Evidence: bytes at a captured path of a case."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class EvidenceState(enum.StrEnum):
    """`rejected` is the sender's fault, with a reason; `failed` is ours; `cancelled` by somebody."""

    RECEIVED = "received"
    READING = "reading"
    READ = "read"
    REJECTED = "rejected"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Evidence(HasId, HasCreatedAt, Base):
    """One file, paste or archive member; the same bytes at the same path of a case are one evidence.

    Attributes:
        parent_id: The archive that contains it.
        captured_path: Path on the captured machine; "" if unknown. Formats treat it as content.
        filename: Its file name; a hint for single-value files.
        phase: `before`, `during` or `after`.
        stated: Host and phase that its text, its archive or the manifest of its handoff states.
        host_basis: `stated`, `assumed` from a folder, or `set` by a person; "" without a host.
        phase_basis: `stated`, `assumed` or `set`; "" for the default.
        reason: Why it was rejected, failed or cancelled, one sentence; "" otherwise.
        reader: Version of all readers (`ingest.format_versions`) when it was read or rejected; "" before.
        line_count: Lines of the decoded text, once read.
        progress_share: Progress of reading, 0..1.
        skipped: Unrecognised archive members: `{reason, count, first_line}`.
        captured_from: Earliest time in it.
        captured_to: Latest time in it.
        deleted_at: When it was removed from the case; restorable.
    """

    __tablename__ = "evidence"
    DERIVED_FROM: ClassVar[frozenset[str]] = frozenset(
        {"captured_path", "filename", "host_id", "phase", "deleted_at"}
    )
    __table_args__ = (
        Index(
            "uq_evidence_place",
            "case_id",
            "parent_id",
            "captured_path",
            "filename",
            "sha256",
            unique=True,
            postgresql_where=text("deleted_at is null"),
            postgresql_nulls_not_distinct=True,
        ),
        Index(None, "sha256"),
        Index(None, "parent_id"),
        Index("ix_evidence_case_id", "case_id", "created_at", "id"),
        Index(None, "host_id"),
    )

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"))
    parent_id: Mapped[UUID | None] = mapped_column(ForeignKey("evidence.id", ondelete="CASCADE"))
    host_id: Mapped[UUID | None] = mapped_column(ForeignKey("host.id", ondelete="SET NULL"))
    captured_path: Mapped[str] = mapped_column(default="")
    filename: Mapped[str] = mapped_column(default="")
    phase: Mapped[str] = mapped_column(default="during")
    stated: Mapped[dict[str, str]] = mapped_column(JSONB, default=dict, server_default="{}")
    host_basis: Mapped[str] = mapped_column(default="", server_default="")
    phase_basis: Mapped[str] = mapped_column(default="", server_default="")
    sha256: Mapped[str] = mapped_column(ForeignKey("blob.sha256"))
    size_bytes: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[EvidenceState] = mapped_column(default=EvidenceState.RECEIVED)
    reason: Mapped[str] = mapped_column(default="")
    reader: Mapped[str] = mapped_column(default="", server_default="")
    line_count: Mapped[int | None] = mapped_column(BigInteger)
    progress_share: Mapped[float | None]
    skipped: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    captured_from: Mapped[datetime | None]
    captured_to: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]
