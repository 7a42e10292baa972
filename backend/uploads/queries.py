"""Queries of uploads."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import select

from backend.access import decisions
from backend.models.case import Case
from backend.models.upload import Upload, UploadState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page


def absent(upload_id: UUID) -> str:
    """Return the message for an upload that does not exist or is not visible."""
    return f"there is no upload {upload_id}, or it expired: send the file again"


def upload_of_id(upload_id: UUID) -> Select[Upload]:
    """Return the query for an upload of an existing case."""
    return (
        select(Upload)
        .join(Case, Case.id == Upload.case_id)
        .where(Upload.id == upload_id, Case.deleted_at.is_(None))
    )


def open_of_case(session: Session, case_id: UUID, page: Page) -> Sequence[Upload]:
    """Return a page of the incomplete uploads of the case, oldest first."""
    query = select(Upload).where(Upload.case_id == case_id, Upload.state != UploadState.KEPT)
    return [upload for (upload,) in page.of(session, query, Upload.id)]


def sent_by(session: Session, principal: Principal, page: Page) -> Sequence[Upload]:
    """Return a page of the incomplete uploads of `principal` into visible cases, latest first."""
    query = (
        select(Upload)
        .join(Case, Case.id == Upload.case_id)
        .where(
            Upload.actor == principal.name,
            Upload.state == UploadState.SENDING,
            Case.deleted_at.is_(None),
            decisions.visible(principal),
        )
    )
    rows = page.of(session, query, Upload.updated_at, Upload.id, is_descending=True)
    return [upload for (upload,) in rows]


def unused_since(session: Session, before: datetime, *, limit: int) -> Sequence[Upload]:
    """Return uploads without new bytes since `before`; complete ones are excluded."""
    return session.scalars(
        select(Upload)
        .where(Upload.updated_at < before, Upload.state != UploadState.SENT)
        .order_by(Upload.updated_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()


def ids_among(session: Session, names: Iterable[str]) -> set[str]:
    """Return which of `names`, ids without dashes, are uploads."""
    ids = [UUID(name) for name in names if _is_id(name)]
    return {found.hex for found in session.scalars(select(Upload.id).where(Upload.id.in_(ids)))}


def _is_id(name: str) -> bool:
    return len(name) == 32 and all(digit in "0123456789abcdef" for digit in name)
