"""Timeline of a case: dated evidence and its alarms, events and notes.

No time is guessed: evidence without a stated time is listed separately.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.core.http.pagination import WHOLE
from backend.models.event import Event
from backend.models.evidence import Evidence
from backend.models.log_record import LogRecord
from backend.models.reading import Reading
from backend.models.section import Section
from backend.postmortems import alert_entries, clocks, incident_events, log_alarms, notes, queries
from backend.postmortems.event_sentences import INCIDENT, KINDS, ProblemHandler
from backend.postmortems.schemas import TimelineEntry, TimelineRead, UntimedRead

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.models.case import Case


def of_case(session: Session, case: Case, page: Page = WHOLE) -> TimelineRead:
    """Return a page of the timeline, oldest first."""
    timed, untimed = _recordings(session, case)
    alarms = log_alarms.of_case(session, case)
    people = [*_notes(session, case), *_incident(session, case)]
    alerts = alert_entries.of_case(session, case)
    entries = [*timed, *alarms, *alerts, *people, *_events(session, case)]
    clocks.decide_order(entries)
    entries.sort(key=_place)
    items = page.cut(entries, _place)
    return TimelineRead(items=items, next_cursor=page.next_cursor, untimed=untimed)


def _place(entry: TimelineEntry) -> tuple[float, str]:
    return entry.at.timestamp(), entry.id


def _events(session: Session, case: Case) -> Iterator[TimelineEntry]:
    query = select(Event).where(Event.case_id == case.id, Event.kind.in_(KINDS)).order_by(Event.id)
    handler = ProblemHandler()
    for event in session.scalars(query):
        handler.hear(event)
    return iter(handler.entries)


def _notes(session: Session, case: Case) -> Iterator[TimelineEntry]:
    for note in queries.notes_of_case(session, case):
        edited = f", changed by {note.editor}" if note.revision > 1 else ""
        yield TimelineEntry(
            id=f"note:{note.id}",
            at=note.created_at,
            kind="note",
            says=f"{note.author} noted{edited}",
            text=note.text,
            actor=note.author,
            note=notes.describe(note),
        )


def _incident(session: Session, case: Case) -> Iterator[TimelineEntry]:
    for happened in incident_events.events_of_case(session, case):
        edited = f", changed by {happened.editor}" if happened.revision > 1 else ""
        yield TimelineEntry(
            id=f"incident:{happened.id}",
            at=happened.at,
            kind="incident",
            says=f"{INCIDENT[happened.kind]} ({happened.author}{edited})",
            text=happened.text,
            actor=happened.author,
            event=incident_events.describe(happened),
            clock="stated",
        )


def _recordings(session: Session, case: Case) -> tuple[list[TimelineEntry], list[UntimedRead]]:
    """Return the recording times by evidence, and the undated evidence."""
    stretches = session.execute(
        select(Section.evidence_id, func.min(LogRecord.at_s), func.max(LogRecord.at_s), func.count())
        .join(Reading, Reading.section_id == Section.id)
        .join(LogRecord, LogRecord.reading_id == Reading.id)
        .where(LogRecord.case_id == case.id, Reading.is_current, LogRecord.at_s.is_not(None))
        .group_by(Section.evidence_id)
    )
    spans = {evidence_id: (first or 0.0, last or 0.0, count) for evidence_id, first, last, count in stretches}
    timed: list[TimelineEntry] = []
    untimed: list[UntimedRead] = []
    read = select(Evidence).where(Evidence.case_id == case.id, Evidence.deleted_at.is_(None))
    has_sections = select(Section.id).where(Section.evidence_id == Evidence.id).exists()
    for evidence in session.scalars(read.where(has_sections).order_by(Evidence.id)):
        name = evidence.captured_path or evidence.filename
        if evidence.id not in spans:
            untimed.append(UntimedRead(evidence_id=evidence.id, name=name))
            continue
        first, last, count = spans[evidence.id]
        timed.append(
            TimelineEntry(
                id=f"recording:{evidence.id}",
                at=datetime.fromtimestamp(first, UTC),
                until=datetime.fromtimestamp(last, UTC),
                kind="recording",
                clock="host",
                says=f"{name} records {count:,} dated line{'s' if count > 1 else ''}",
                evidence_id=evidence.id,
            )
        )
    return timed, untimed
