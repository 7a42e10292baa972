"""The event log is written at commit, in commit order."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, func, select, text

from backend.cases.queries import hold
from backend.core import events
from backend.core.sessions import create_sessions
from backend.models.case import Case
from backend.models.event import Event
from backend.models.team import Team

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings


MORE_THAN_COLUMNS = 1_700
"""PostgreSQL returns at most 1,664 columns."""


class Written:
    """What was written since: the table is everybody's."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before = session.scalar(select(func.max(Event.id))) or 0

    def events(self) -> list[Event]:
        return list(self._session.scalars(select(Event).where(Event.id > self._before).order_by(Event.id)))

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events()]


@pytest.fixture
def written(session: Session) -> Written:
    return Written(session)


def test_a_commit_writes_what_was_recorded(session: Session, written: Written):
    events.record(session, "case.created", actor="owner", payload={"title": "a\0b"})
    session.commit()
    [event] = written.events()
    assert (event.kind, event.actor, event.is_system, event.payload) == (
        "case.created",
        "owner",
        False,
        {"title": "a\ufffdb"},
    )


def test_an_event_without_principal_is_a_system_event(session: Session, written: Written):
    events.record(session, "evidence.read")
    session.commit()
    assert [event.is_system for event in written.events()] == [True]


def test_a_rollback_forgets_it(session: Session, written: Written):
    events.record(session, "case.created")
    session.rollback()
    session.commit()
    assert written.kinds() == []


def test_a_rolled_back_savepoint_forgets_its_own(session: Session, written: Written):
    events.record(session, "kept")
    savepoint = session.begin_nested()
    events.record(session, "forgotten")
    savepoint.rollback()
    session.commit()
    assert written.kinds() == ["kept"]


def test_one_commit_writes_the_events_of_any_number_of_cases(session: Session, written: Written):
    team = Team(name="storage")
    session.add(team)
    session.flush()
    cases = [Case(title=f"db{number}") for number in range(MORE_THAN_COLUMNS)]
    cases[7].team_id = team.id
    session.add_all(cases)
    session.flush()
    for case in cases:
        events.record(session, "case.changed", case_id=case.id)
    session.commit()
    teams = {event.case_id: event.team_id for event in written.events() if event.kind == "case.changed"}
    assert teams == {case.id: case.team_id for case in cases}


def test_numbers_ascend_in_the_order_of_commits(settings: Settings):
    sessions = create_sessions(settings)
    with sessions.begin() as session:
        case = Case(title="order")
        session.add(case)
        session.flush()
        case_id = case.id
    seen: list[int] = []
    is_over = threading.Event()

    def write() -> None:
        for _ in range(30):
            with sessions.begin() as session:
                events.record(session, "tick", case_id=case_id)
                session.execute(select(func.pg_sleep(0.001)))

    def read() -> None:
        while True:
            was_over = is_over.is_set()
            with sessions() as session:
                last = seen[-1] if seen else 0
                query = select(Event.id).where(Event.case_id == case_id, Event.id > last).order_by(Event.id)
                seen.extend(session.scalars(query))
            if was_over:
                return
            is_over.wait(0.001)

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write) for _ in range(4)]
    for thread in [reader, *writers]:
        thread.start()
    for thread in writers:
        thread.join()
    is_over.set()
    reader.join()
    with sessions.begin() as session:
        session.execute(delete(Case).where(Case.id == case_id))
    sessions.kw["bind"].dispose()
    assert len(seen) == 120


def test_a_case_lock_does_not_block_its_events(settings: Settings):
    sessions = create_sessions(settings)
    with sessions.begin() as session:
        session.add(case := Case(title="held"))
        session.flush()
        case_id = case.id
    with sessions() as holding, sessions() as writing:
        assert hold(holding, case_id).title == "held"
        writing.execute(text("set local statement_timeout = '60s'"))
        events.record(writing, "case.seen", case_id=case_id)
        writing.commit()
        events.record(holding, "case.held", case_id=case_id)
        holding.commit()
        written = holding.scalars(select(Event.kind).where(Event.case_id == case_id).order_by(Event.id)).all()
    with sessions.begin() as session:
        session.execute(delete(Case).where(Case.id == case_id))
    sessions.kw["bind"].dispose()
    assert written == ["case.seen", "case.held"]


def test_a_subscriber_of_all_cases_misses_no_event_that_commits_late(settings: Settings, session: Session):
    """The transaction with the lower id commits after the one with the higher id."""
    sessions = create_sessions(settings)
    with sessions.begin() as made:
        cases = [Case(title=f"case {number}") for number in range(2)]
        made.add_all(cases)
        made.flush()
        case_ids = [case.id for case in cases]
    before = session.scalar(select(func.max(Event.id))) or 0
    with sessions() as late, sessions() as early, sessions() as reader:
        late.execute(select(func.pg_advisory_xact_lock_shared(events._WRITERS)))
        lower = Event(case_id=case_ids[0], kind="a", actor="x", is_system=False, payload={})
        late.add(lower)
        late.flush()
        events.record(early, "b", case_id=case_ids[1])
        early.commit()
        assert events.committed_after(reader, before, 10) == []
        late.commit()
        assert [event.kind for event in events.committed_after(reader, before, 10)] == ["a", "b"]
        reader.execute(delete(Case).where(Case.id.in_(case_ids)))
        reader.commit()
    sessions.kw["bind"].dispose()
