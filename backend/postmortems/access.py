"""FastAPI dependencies: the note of a URL, after the access check of its case."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Depends

from backend.access.dependencies import AdmissionDep
from backend.models.incident_event import IncidentEvent
from backend.models.note import Note
from backend.postmortems import incident_events, queries


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


def get_event(admission: AdmissionDep, event_id: UUID) -> IncidentEvent:
    """Return the incident event named in the URL.

    Raises:
        NotFoundError: It does not exist, was deleted, or its case is not visible to the principal.
    """
    return admission.find(incident_events.event_of_id(event_id), absent=incident_events.absent(event_id))


def get_deleted_event(admission: AdmissionDep, event_id: UUID) -> IncidentEvent:
    """Return the incident event named in the URL, deleted or not.

    Raises:
        NotFoundError: It does not exist, or its case is not visible to the principal.
    """
    query = incident_events.event_of_id(event_id, with_deleted=True)
    return admission.find(query, absent=incident_events.absent(event_id))


IncidentEventDep = Annotated[IncidentEvent, Depends(get_event)]
DeletedIncidentEventDep = Annotated[IncidentEvent, Depends(get_deleted_event)]
NoteDep = Annotated[Note, Depends(get_note)]
DeletedNoteDep = Annotated[Note, Depends(get_deleted_note)]
