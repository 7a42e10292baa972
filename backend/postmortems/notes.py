"""Notes of a case: create, edit, delete, restore, by anyone who may edit the case."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.core import events
from backend.core.errors import ConflictError
from backend.models.note import Note
from backend.postmortems.schemas import NoteRead

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.models.case import Case


def write(session: Session, case: Case, text: str, *, actor: str) -> Note:
    """Add a note to the case."""
    note = Note(case_id=case.id, author=actor, editor=actor, text=text, created_at=func.clock_timestamp())
    session.add(note)
    session.flush()
    session.refresh(note)
    _record_event(session, "note.written", note, actor)
    return note


def change(session: Session, note: Note, text: str, *, revision: int, actor: str) -> None:
    """Set the text of a note.

    Raises:
        ConflictError: It was changed since `revision`.
    """
    now = session.scalar(select(Note.revision).where(Note.id == note.id).with_for_update())
    if now != revision:
        session.refresh(note)
        raise ConflictError(
            f"{note.editor} changed this note meanwhile; your text was not saved: "
            "keep a copy of it, read theirs, then save again"
        )
    if text == note.text:
        return
    note.text, note.editor, note.revision = text, actor, revision + 1
    note.updated_at = datetime.now(UTC)
    session.flush()
    _record_event(session, "note.changed", note, actor)


def delete(session: Session, note: Note, *, actor: str) -> None:
    """Delete the note."""
    note.deleted_at = datetime.now(UTC)
    session.flush()
    _record_event(session, "note.deleted", note, actor)


def restore(session: Session, note: Note, *, actor: str) -> None:
    """Restore the note; no effect on one that is not deleted."""
    if note.deleted_at is None:
        return
    note.deleted_at = None
    session.flush()
    _record_event(session, "note.restored", note, actor)


def describe(note: Note) -> NoteRead:
    """Return the API representation of the note."""
    return NoteRead(
        id=note.id,
        case_id=note.case_id,
        text=note.text,
        author=note.author,
        editor=note.editor,
        revision=note.revision,
        created_at=note.created_at,
        updated_at=note.updated_at,
        is_deleted=note.deleted_at is not None,
    )


def _record_event(session: Session, kind: str, note: Note, actor: str) -> None:
    payload = {"note_id": str(note.id), "revision": note.revision}
    events.record(session, kind, case_id=note.case_id, actor=actor, payload=payload)
