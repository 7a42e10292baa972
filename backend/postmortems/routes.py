"""Endpoints of notes and the timeline of a case."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.postmortems import notes, queries, timeline
from backend.postmortems.access import DeletedNoteDep, NoteDep
from backend.postmortems.schemas import NoteCreate, NoteRead, NoteUpdate, NoteVersionRead, TimelineRead

router = APIRouter(tags=["postmortems"])


@router.get("/cases/{case_id}/timeline", dependencies=[needs(Action.CASE_READ)])
def read_timeline(case: CaseDep, session: SessionDep, page: PageDep) -> TimelineRead:
    """Return the timeline: dated evidence, events and notes."""
    return timeline.of_case(session, case, page)


@router.get("/cases/{case_id}/notes", dependencies=[needs(Action.CASE_READ)])
def list_notes(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[NoteRead]:
    """List the notes of the case, oldest first."""
    return page.envelope([notes.describe(note) for note in queries.notes_of_case(session, case, page)])


@router.post("/cases/{case_id}/notes", status_code=201, dependencies=[needs(Action.CASE_CHANGE)])
def write_note(
    body: NoteCreate, case: CaseDep, session: SessionDep, principal: PrincipalDep, _once: ClaimedDep
) -> NoteRead:
    """Add a note, in Markdown."""
    return notes.describe(notes.write(session, case, body.text, actor=principal.name))


@router.put("/notes/{note_id}", dependencies=[needs(Action.CASE_CHANGE)])
def change_note(body: NoteUpdate, note: NoteDep, session: SessionDep, principal: PrincipalDep) -> NoteRead:
    """Edit a note, merged by paragraph with later changes; 409 if both changed the same one."""
    notes.change(session, note, body.text, revision=body.revision, actor=principal.name)
    return notes.describe(note)


@router.get("/notes/{note_id}/versions", dependencies=[needs(Action.CASE_READ)])
def list_note_versions(note: NoteDep, session: SessionDep, page: PageDep) -> Listed[NoteVersionRead]:
    """List the versions of a note, oldest first."""
    return page.envelope(notes.versions(session, note, page))


@router.delete("/notes/{note_id}", status_code=204, dependencies=[needs(Action.CASE_CHANGE)])
def delete_note(note: NoteDep, session: SessionDep, principal: PrincipalDep) -> None:
    """Delete a note; `restore` undoes it."""
    notes.delete(session, note, actor=principal.name)


@router.post("/notes/{note_id}/restore", dependencies=[needs(Action.CASE_CHANGE)])
def restore_note(note: DeletedNoteDep, session: SessionDep, principal: PrincipalDep) -> NoteRead:
    """Restore a deleted note."""
    notes.restore(session, note, actor=principal.name)
    return notes.describe(note)
