"""Notes of a case: create, edit, delete, restore, by anyone who may edit the case."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.core import events
from backend.core.errors import ConflictError
from backend.models.note import Note, NoteVersion
from backend.postmortems.note_merge import merge
from backend.postmortems.schemas import MAX_NOTE_CHARS, NoteRead, NoteVersionRead

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.models.case import Case


def write(session: Session, case: Case, text: str, *, actor: str) -> Note:
    """Add a note to the case."""
    note = Note(case_id=case.id, author=actor, editor=actor, text=text, created_at=func.clock_timestamp())
    session.add(note)
    session.flush()
    session.refresh(note)
    _keep_version(session, note)
    _record_event(session, "note.written", note, actor)
    return note


def change(session: Session, note: Note, text: str, *, revision: int, actor: str) -> None:
    """Set the text of a note, merged by paragraph with what was changed since `revision`.

    Raises:
        ConflictError: A paragraph was changed by both.
    """
    session.refresh(note, with_for_update=True)
    if note.revision != revision:
        text = _merged(session, note, text, revision)
    if text == note.text:
        return
    note.text, note.editor, note.revision = text, actor, note.revision + 1
    note.updated_at = datetime.now(UTC)
    session.flush()
    _keep_version(session, note)
    _record_event(session, "note.changed", note, actor)


def versions(session: Session, note: Note, page: Page) -> list[NoteVersionRead]:
    """Return a page of the versions of the note, oldest first."""
    query = select(NoteVersion).where(NoteVersion.note_id == note.id)
    rows = page.of(session, query, NoteVersion.revision, NoteVersion.id)
    return [
        NoteVersionRead(revision=one.revision, editor=one.editor, text=one.text, created_at=one.created_at)
        for (one,) in rows
    ]


def _merged(session: Session, note: Note, text: str, revision: int) -> str:
    is_base = (NoteVersion.note_id == note.id, NoteVersion.revision == revision)
    base = session.scalar(select(NoteVersion.text).where(*is_base))
    merged = None if base is None else merge(base, mine=text, theirs=note.text)
    if merged is None or len(merged) > MAX_NOTE_CHARS:
        raise ConflictError(
            f"{note.editor} changed the same paragraph meanwhile; your text was not saved: "
            "keep a copy of it, read theirs, then save again"
        )
    return merged


def _keep_version(session: Session, note: Note) -> None:
    version = NoteVersion(note_id=note.id, revision=note.revision, editor=note.editor, text=note.text)
    session.add(version)
    session.flush()


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
