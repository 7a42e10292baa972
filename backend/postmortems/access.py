"""FastAPI dependencies: the note of a URL, after the access check of its case."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep, SessionDep
from backend.models.note import Note
from backend.postmortems import queries


def get_note(session: SessionDep, admission: AdmissionDep, note_id: UUID) -> Note:
    """Return the note named in the URL.

    Raises:
        NotFoundError: It does not exist, was deleted, or its case is not visible to the principal.
    """
    note = queries.note_of_id(session, note_id)
    admission.enter(note.case_id, absent=queries.absent(note_id))
    return note


def get_deleted_note(session: SessionDep, admission: AdmissionDep, note_id: UUID) -> Note:
    """Return the note named in the URL, deleted or not.

    Raises:
        NotFoundError: It does not exist, or its case is not visible to the principal.
    """
    note = queries.note_of_id(session, note_id, with_deleted=True)
    admission.enter(note.case_id, absent=queries.absent(note_id))
    return note


NoteDep = Annotated[Note, Depends(get_note)]
DeletedNoteDep = Annotated[Note, Depends(get_deleted_note)]
