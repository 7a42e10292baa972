"""Endpoints of the times and events of an incident."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import CaseDep
from backend.postmortems import incident, incident_events
from backend.postmortems.access import DeletedIncidentEventDep, IncidentEventDep
from backend.postmortems.schemas_incident import (
    IncidentEventCreate,
    IncidentEventRead,
    IncidentEventUpdate,
    IncidentRead,
)

router = APIRouter(tags=["postmortems"])


@router.get("/cases/{case_id}/incident", dependencies=[needs(Action.CASE_READ)])
def read_incident(case: CaseDep, session: SessionDep) -> IncidentRead:
    """Return the times of the incident, stated or proposed, and its events."""
    return incident.describe(session, case)


@router.post("/cases/{case_id}/incident/events", status_code=201, dependencies=[needs(Action.CASE_CHANGE)])
def add_incident_event(
    body: IncidentEventCreate, case: CaseDep, session: SessionDep, principal: PrincipalDep, _once: ClaimedDep
) -> IncidentEventRead:
    """Record that the incident started, was detected, acted on, mitigated or resolved."""
    happened = incident_events.add(session, case, body.kind, at=body.at, text=body.text, actor=principal.name)
    return incident_events.describe(happened)


@router.put("/incident/events/{event_id}", dependencies=[needs(Action.CASE_CHANGE)])
def change_incident_event(
    body: IncidentEventUpdate, happened: IncidentEventDep, session: SessionDep, principal: PrincipalDep
) -> IncidentEventRead:
    """Change time and text of an event; 409 if it was changed since the loaded revision."""
    incident_events.change(
        session, happened, at=body.at, text=body.text, revision=body.revision, actor=principal.name
    )
    return incident_events.describe(happened)


@router.delete("/incident/events/{event_id}", status_code=204, dependencies=[needs(Action.CASE_CHANGE)])
def delete_incident_event(happened: IncidentEventDep, session: SessionDep, principal: PrincipalDep) -> None:
    """Delete an event; `restore` undoes it."""
    incident_events.delete(session, happened, actor=principal.name)


@router.post("/incident/events/{event_id}/restore", dependencies=[needs(Action.CASE_CHANGE)])
def restore_incident_event(
    happened: DeletedIncidentEventDep, session: SessionDep, principal: PrincipalDep
) -> IncidentEventRead:
    """Restore a deleted event."""
    incident_events.restore(session, happened, actor=principal.name)
    return incident_events.describe(happened)
