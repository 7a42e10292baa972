"""Times of an incident: stated by events, else proposed from evidence, with the reason.

started    the first dated alarm of the kernel logs
detected   the case was opened
mitigated  evidence from after the change begins
resolved   the case was closed
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.models.evidence import Evidence
from backend.models.incident_event import IncidentEventKind
from backend.models.log_record import LogRecord
from backend.models.standing import standing
from backend.postmortems import incident_events, log_alarms
from backend.postmortems.schemas_incident import IncidentRead, IncidentTime

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.models.case import Case

KINDS = (
    IncidentEventKind.STARTED,
    IncidentEventKind.DETECTED,
    IncidentEventKind.MITIGATED,
    IncidentEventKind.RESOLVED,
)


def describe(session: Session, case: Case) -> IncidentRead:
    """Return the times and events of the incident."""
    happened = incident_events.events_of_case(session, case)
    times = []
    for kind in KINDS:
        stated = incident_events.deciding(happened, kind)
        if stated is None:
            times.append(_proposed(session, case, kind))
        else:
            says = stated.text or f"{stated.author} recorded it"
            times.append(IncidentTime(kind=kind, at=stated.at, event_id=stated.id, says=says))
    return IncidentRead(times=times, events=[incident_events.describe(one) for one in happened])


def _proposed(session: Session, case: Case, kind: IncidentEventKind) -> IncidentTime:
    nothing = IncidentTime(kind=kind)
    if kind is IncidentEventKind.DETECTED:
        return IncidentTime(kind=kind, at=case.created_at, is_proposed=True, says="The case was opened")
    if kind is IncidentEventKind.RESOLVED:
        if case.closed_at is None:
            return nothing
        return IncidentTime(kind=kind, at=case.closed_at, is_proposed=True, says="The case was closed")
    if kind is IncidentEventKind.MITIGATED:
        return _first_after(session, case) or nothing
    alarms = log_alarms.of_case(session, case, phase="during")
    if not alarms:
        return nothing
    first = alarms[0]
    return IncidentTime(
        kind=kind,
        at=first.at,
        is_proposed=True,
        says=first.says,
        text=first.text,
        evidence_id=first.evidence_id,
        line=first.line,
    )


def _first_after(session: Session, case: Case) -> IncidentTime | None:
    """Return the first dated record of evidence from after the change."""
    query = standing(
        select(LogRecord.at_s, LogRecord.first_line, Evidence.id, Evidence.filename), LogRecord
    ).where(LogRecord.case_id == case.id, Evidence.phase == "after", LogRecord.at_s.is_not(None))
    first = session.execute(query.order_by(LogRecord.at_s, LogRecord.id).limit(1)).one_or_none()
    if first is None:
        return None
    at_s, line, evidence_id, name = first
    return IncidentTime(
        kind=IncidentEventKind.MITIGATED,
        at=datetime.fromtimestamp(at_s or 0.0, UTC),
        is_proposed=True,
        says=f"The evidence from after the change begins: {name}",
        evidence_id=evidence_id,
        line=line,
    )
