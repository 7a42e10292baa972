"""Libraries of teams: where they come from, their versions, and what versions in shadow would have found."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class LibrarySource(enum.StrEnum):
    """Where the versions of a library come from."""

    GIT = "git"
    UPLOAD = "upload"
    DRAFT = "draft"


class VersionState(enum.StrEnum):
    """State of a version: `shadow` is judged and counted for curators only, `active` for everybody."""

    PULLING = "pulling"
    FAILED = "failed"
    SHADOW = "shadow"
    ACTIVE = "active"
    RETIRED = "retired"


class TeamLibrary(HasId, HasCreatedAt, Base):
    """A library besides that of Casebook.

    Attributes:
        name: Unique; findings state it with the commit.
        url: Repository of a Git source; "" for others.
        ref: Branch, tag or `HEAD` that is pulled.
        sealed: Deploy token, encrypted; "" for none.
        author: Name of who added it.
    """

    __tablename__ = "team_library"

    name: Mapped[str] = mapped_column(unique=True)
    source: Mapped[LibrarySource]
    url: Mapped[str] = mapped_column(default="")
    ref: Mapped[str] = mapped_column(default="")
    sealed: Mapped[str] = mapped_column(default="")
    author: Mapped[str]


class LibraryVersion(HasId, HasCreatedAt, Base):
    """One commit, upload or draft of a library; of a library one is `active` and one is `shadow` at most.

    Attributes:
        commit: Commit that was pulled, or SHA-256 of the archive; "" before it is known.
        draft_id: Draft that it is read from; no foreign key, a draft goes with its case.
        problem: Why it failed, one sentence.
        messages: Lint messages with file and line.
        signatures: `id`, `version`, `title`, `status` and `shadows`: the version of the signature that
            Casebook ships under this id, null without one.
        content: The uploaded archive until it is read, then the signatures, Zstandard-compressed JSON.
        ended_at: When it was read, or failed.
        activated_at: When it was activated.
    """

    __tablename__ = "library_version"
    __table_args__ = (
        Index(None, "library_id", "id"),
        *(
            Index(
                f"uq_library_version_{state}",
                "library_id",
                unique=True,
                postgresql_where=text(f"state = '{state}'"),
            )
            for state in ("pulling", "shadow", "active")
        ),
    )

    library_id: Mapped[UUID] = mapped_column(ForeignKey("team_library.id", ondelete="CASCADE"))
    state: Mapped[VersionState] = mapped_column(default=VersionState.PULLING)
    author: Mapped[str]
    commit: Mapped[str] = mapped_column(default="")
    draft_id: Mapped[UUID | None]
    problem: Mapped[str] = mapped_column(default="")
    messages: Mapped[list[Any]] = mapped_column(default=list)
    signatures: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    content: Mapped[bytes | None]
    ended_at: Mapped[datetime | None]
    activated_at: Mapped[datetime | None]


class ShadowFinding(HasCreatedAt, Base):
    """A match or suspect of a signature in shadow, for curators only.

    Attributes:
        lines: What decided it: `condition`, `path`, `first_line`, `last_line`, `evidence_id`.
    """

    __tablename__ = "shadow_finding"
    __table_args__ = (Index(None, "case_id"),)

    version_id: Mapped[UUID] = mapped_column(
        ForeignKey("library_version.id", ondelete="CASCADE"), primary_key=True
    )
    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    signature: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(primary_key=True)
    verdict: Mapped[str]
    lines: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
