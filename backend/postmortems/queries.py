"""Queries for notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.http.pagination import WHOLE
from backend.models.case import Case
from backend.models.note import Note

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page


def note_of_id(note_id: UUID, *, with_deleted: bool = False) -> Select[Note]:
    """Return the query for one note that is not deleted."""
    query = (
        select(Note).join(Case, Case.id == Note.case_id).where(Note.id == note_id, Case.deleted_at.is_(None))
    )
    if not with_deleted:
        query = query.where(Note.deleted_at.is_(None))
    return query


def notes_of_case(session: Session, case: Case, page: Page = WHOLE) -> list[Note]:
    """Return a page of the notes of the case, oldest first."""
    query = select(Note).where(Note.case_id == case.id, Note.deleted_at.is_(None))
    return [note for (note,) in page.of(session, query, Note.created_at, Note.id)]


def absent(note_id: UUID) -> str:
    """Return the message for a note that does not exist or is not visible."""
    return f"there is no note {note_id}"
