"""Queries for capture runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.models.capture_run import CaptureRun
from backend.models.case import Case

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import Select


def run_of_id(run_id: UUID, *, with_deleted: bool = False) -> Select[CaptureRun]:
    """Return the query for one capture run that is not withdrawn."""
    query = (
        select(CaptureRun)
        .join(Case, Case.id == CaptureRun.case_id)
        .where(CaptureRun.id == run_id, Case.deleted_at.is_(None))
    )
    if not with_deleted:
        query = query.where(CaptureRun.deleted_at.is_(None))
    return query


def absent(run_id: UUID) -> str:
    """Return the message for a run that does not exist or is not visible."""
    return f"there is no capture {run_id}"
