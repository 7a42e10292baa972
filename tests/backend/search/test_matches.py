"""A saved search announces the cases that it newly finds, once each, as its owner sees them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import delete, select, text

from backend.cases import service
from backend.core.event import Event
from backend.core.jobs.queue import enqueue
from backend.core.jobs.runner import run_job
from backend.models import Account, CaseSearch, JobState, Note, Role, SavedSearch, SearchMatch, Visibility
from backend.search import tasks
from ingest.readers.logs import kernel_log
from tests.backend.captures import OOM
from tests.backend.conftest import PATIENT
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

LONG_AGO = datetime.now(UTC) - timedelta(days=30)


@pytest.fixture
def save(session):
    """Save a query of a new account, long ago."""

    def saved(query: str, *, role: Role = Role.ADMIN, at: datetime = LONG_AGO) -> str:
        owner = Account(name=f"owner of {query}", role=role)
        session.add(owner)
        session.flush()
        session.add(SavedSearch(owner_id=owner.id, name=query, query=query, created_at=at))
        session.commit()
        return query

    return saved


@pytest.fixture
def announced(session):
    """Queries of the searches that were announced, one entry for each event."""

    def read() -> list[str]:
        queries = {str(row.id): row.query for row in session.scalars(select(SavedSearch))}
        rows = session.scalars(select(Event).where(Event.kind == "search.matched").order_by(Event.id))
        return sorted(queries[row.payload["search_id"]] for row in rows)

    return read


def test_a_case_is_announced_once_its_evidence_is_judged(session, store, tmp_path, save, announced):
    found = [save("finding:memcg-oom"), save('line:"invoked oom-killer" since:7d'), save("-finding:raid")]
    save("finding:memcg-oom until:7d")
    save("nothing-of-it")
    case = new_case(session, "checkout restarts")
    store_evidence(session, store, tmp_path, case, OOM, kernel_log, name="dmesg.txt", host="db7")
    session.commit()
    assert announced() == [], "what is not found yet may be"
    judge_case(session, store, case.id)
    session.commit()
    assert announced() == sorted(found)
    event = session.scalars(select(Event).where(Event.kind == "search.matched")).first()
    assert (event.case_id, event.is_system, event.payload["number"]) == (case.id, True, case.number)
    judge_case(session, store, case.id)
    session.add(Note(case_id=case.id, author="a", editor="a", text="again"))
    session.commit()
    assert announced() == sorted(found)


def test_a_case_that_was_found_when_the_search_was_saved_is_no_news(session, save, announced):
    old, other = new_case(session, "checkout is slow"), new_case(session, "billing")
    session.commit()
    found = save("checkout", at=datetime.now(UTC))
    service.update(session, old, {"severity": "high"}, actor="a")
    session.commit()
    assert announced() == []
    service.update(session, other, {"title": "checkout too"}, actor="a")
    session.commit()
    assert announced() == [found]
    service.update(session, other, {"title": "billing"}, actor="a")
    session.commit()
    service.update(session, other, {"title": "checkout"}, actor="a")
    session.commit()
    assert announced() == [found], "once for each case"


def test_only_what_its_owner_sees_is_announced(session, save, announced):
    seen, hidden = save("checkout", role=Role.ADMIN), save("checkout slow", role=Role.RESPONDER)
    case = service.create(session, title="billing", actor="a")
    case.visibility = Visibility.RESTRICTED
    session.commit()
    service.update(session, case, {"title": "checkout slow"}, actor="a")
    session.commit()
    assert announced() == [seen]
    service.update(session, case, {"title": "checkout slow again"}, actor="a")
    session.commit()
    assert hidden not in announced()


def test_the_job_that_indexes_an_old_case_makes_its_row_and_announces_nothing(  # noqa: PLR0917
    session, sessions, app_settings, store, save, announced
):
    case = new_case(session, "checkout")
    case.created_at = LONG_AGO - timedelta(days=1)
    session.commit()
    session.execute(delete(CaseSearch))
    save("checkout")
    job = enqueue(session, tasks.INDEX_JOB, key=f"index:{case.id}", subject_id=case.id)
    session.commit()
    patient = app_settings.model_copy(update=PATIENT)
    assert run_job(job.id, patient, sessions, store) is JobState.DONE
    assert session.scalar(select(CaseSearch.number)) == case.number
    assert announced() == []
    assert session.scalar(select(SearchMatch.case_id)) == case.id


def test_a_query_that_the_language_no_longer_has_announces_nothing(session, save, announced):
    save("checkout")
    session.execute(text("update saved_search set query = 'colour:red'"))
    new_case(session, "checkout")
    session.commit()
    assert announced() == []
