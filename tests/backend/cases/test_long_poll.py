"""Long polling: a request with `wait` is answered once the case is judged."""

from __future__ import annotations

import threading
from uuid import UUID

import pytest
from sqlalchemy import update

from backend.cases import long_poll
from backend.core import events
from backend.models import Case, Evidence, EvidenceState, Token


@pytest.fixture
def unread(connected):
    """A case whose evidence nobody reads: no worker runs."""
    return connected.post("/paste", json={"text": "main;read_file;copy_to_user 42"}).json()["case"]


@pytest.fixture
def waiting(connected, unread):
    """Ask for the case and wait; what was answered in time is in the list once the thread has ended."""
    answers = []
    path = f"/cases/{unread['id']}"

    def ask():
        answers.append(connected.get(path, params={"wait": long_poll.MAX_SECONDS}, timeout=100))

    thread = threading.Thread(target=ask)
    thread.start()
    yield thread, answers
    thread.join()


def judge(own_sessions, case_id):
    with own_sessions.begin() as session:
        session.execute(update(Evidence).where(Evidence.case_id == case_id).values(state=EvidenceState.READ))
        session.execute(update(Case).where(Case.id == case_id).values(judged_rev=Case.evidence_rev))
        events.record(session, "findings.judged", case_id=UUID(case_id))


def test_a_case_without_evidence_is_answered_at_once(connected):
    case = connected.post("/cases", json={"title": "empty"}).json()
    assert connected.get(f"/cases/{case['number']}", params={"wait": 120}).json()["judged"] is True


def test_a_case_is_answered_once_it_is_judged(own_sessions, unread, waiting):
    thread, answers = waiting
    assert answers == []
    judge(own_sessions, unread["id"])
    thread.join()
    assert answers[0].json()["judged"] is True


def test_after_the_timeout_the_current_case_is_returned(connected, unread):
    answer = connected.get(f"/cases/{unread['id']}", params={"wait": 1})
    assert (answer.status_code, answer.json()["judged"]) == (200, False)


def test_a_long_poll_ends_when_access_is_lost(own_sessions, waiting):
    thread, answers = waiting
    with own_sessions.begin() as session:
        session.execute(update(Token).where(Token.name == "connected").values(revoked_at=Token.created_at))
    thread.join()
    # 401 where the request itself came later than the revocation.
    assert answers[0].status_code in {401, 404}


def test_no_job_starves(connected, unread):
    answer = connected.get(f"/cases/{unread['id']}", params={"wait": 3600})
    assert (answer.status_code, answer.json()["code"]) == (422, "InvalidRequest")
