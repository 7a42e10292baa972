"""What of a case goes into a handoff."""

from __future__ import annotations

from datetime import UTC, datetime

from backend.handoffs.selection import of_case
from backend.models import IncidentEvent, IncidentEventKind
from tests.backend.stored_evidence import new_case


def test_actions_of_an_incident_are_told_with_the_notes_alone(session, settings):
    case = new_case(session, "queries time out")
    at = datetime(2026, 11, 21, 3, 7, tzinfo=UTC)
    for kind, text in ((IncidentEventKind.ACTION, "Restarted mysqld"), (IncidentEventKind.STARTED, "Slow")):
        session.add(IncidentEvent(case_id=case.id, kind=kind, at=at, text=text, author="x", editor="x"))
    session.flush()
    told = of_case(session, settings, case, with_notes=True).tried
    assert told == ["2026-11-21 03:07 UTC: Restarted mysqld"]
    assert of_case(session, settings, case, with_notes=False).tried == []
