"""FastAPI dependencies: the note of a URL, after the access check of its case."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep
from backend.models.note import Note
from backend.postmortems import queries


def get_note(admission: AdmissionDep, note_id: UUID) -> Note:
    """Return the note named in the URL.

    Raises:
        NotFoundError: It does not exist, was deleted, or its case is not visible to the principal.
    """
    return admission.find(queries.note_of_id(note_id), absent=queries.absent(note_id))


def get_deleted_note(admission: AdmissionDep, note_id: UUID) -> Note:
    """Return the note named in the URL, deleted or not.

    Raises:
        NotFoundError: It does not exist, or its case is not visible to the principal.
    """
    return admission.find(queries.note_of_id(note_id, with_deleted=True), absent=queries.absent(note_id))


NoteDep = Annotated[Note, Depends(get_note)]
DeletedNoteDep = Annotated[Note, Depends(get_deleted_note)]
