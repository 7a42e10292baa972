"""Failed jobs: listed for admins with what failed and where, run again, dismissed."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, update

from backend.core.jobs.job import error_number
from backend.models import Evidence, EvidenceState, Handoff, HandoffState, Job, JobState
from backend.operations import failed_jobs

STACKS = "main;read_file;copy_to_user 42\n"
ERROR = "MemoryError: secret-host-17 was in the way"


@pytest.fixture
def case(web):
    return web.post("/paste", json={"text": STACKS}).json()["case"]


def fail(sessions, **of):
    """Have the jobs of `of` failed in all their attempts."""
    with sessions.begin() as session:
        failing = (
            update(Job)
            .filter_by(**of)
            .values(state=JobState.FAILED, attempt=3, last_error=ERROR, finished_at=func.now())
        )
        assert session.execute(failing.returning(Job.id)).all()


def read_alone(web, sessions, case):
    """Have the evidence of the case read by a job of its own; return its id."""
    [item] = web.get(f"/cases/{case['id']}/evidence").json()["items"]
    web.post(f"/cases/{case['id']}/jobs/cancel", json={"work": "reading"})
    web.post(f"/evidence/{item['id']}/retry")
    with sessions.begin() as session:
        session.get_one(Evidence, UUID(item["id"])).state = EvidenceState.FAILED
    fail(sessions, subject_id=UUID(item["id"]), kind="evidence.read")
    return item["id"]


def listed(web):
    return web.get("/jobs/failed").json()["items"]


def test_a_failed_job_states_what_failed_and_never_quotes_evidence(web, sessions, case):
    assert (listed(web), web.get("/status").json()["failed_jobs"]) == ([], 0)
    evidence_id = read_alone(web, sessions, case)
    answer = web.get("/jobs/failed")
    [job] = answer.json()["items"]
    assert (job["kind"], job["attempt"], job["queue"]) == ("evidence.read", 3, "light")
    assert (job["case_number"], job["evidence_id"]) == (case["number"], evidence_id)
    assert (job["failure"], job["error_number"]) == ("MemoryError", error_number(ERROR))
    assert job["failed_at"] is not None
    assert "secret-host-17" not in answer.text
    assert web.get("/status").json()["failed_jobs"] == 1


def test_a_job_whose_workers_were_lost_has_no_class_of_error():
    assert failed_jobs.failure_of("the worker that had it did not answer any more") == ""


def test_a_failed_reading_runs_again_with_all_its_attempts(web, sessions, case):
    evidence_id = read_alone(web, sessions, case)
    [job] = listed(web)
    assert web.post("/jobs/failed/retry", json={"ids": [job["id"]]}).json() == {"changed": 1, "left": 0}
    assert listed(web) == []
    [again] = [
        one for one in web.get(f"/cases/{case['id']}/jobs").json()["items"] if one["state"] == "queued"
    ]
    assert (again["kind"], again["attempt"], again["subject_id"]) == ("evidence.read", 0, evidence_id)
    assert web.get(f"/cases/{case['id']}").json()["reading_count"] == 1


def test_a_failed_handoff_is_prepared_again(web, sessions, case):
    with sessions.begin() as session:
        handoff = Handoff(
            case_id=UUID(case["id"]),
            recipient="vendor",
            author="ada",
            state=HandoffState.FAILED,
            reason="bug",
        )
        session.add(handoff)
        session.flush()
        subject_id = handoff.id
        session.add(
            Job(kind="handoffs.prepare", key=str(uuid4()), queue="heavy", payload={}, subject_id=subject_id)
        )
    fail(sessions, subject_id=subject_id)
    assert web.post("/jobs/failed/retry", json={"ids": None}).json() == {"changed": 1, "left": 0}
    found = web.get(f"/cases/{case['id']}/handoffs/{subject_id}").json()
    assert (found["state"], found["reason"]) == ("preparing", "")


def test_dismissed_jobs_leave_the_list_and_their_subjects_alone(web, sessions, case):
    evidence_id = read_alone(web, sessions, case)
    fail(sessions, kind="evidence.batch")
    assert len(listed(web)) == 2
    first = listed(web)[0]
    assert web.post("/jobs/failed/dismiss", json={"ids": [first["id"]]}).json() == {"changed": 1, "left": 1}
    assert web.post("/jobs/failed/dismiss", json={"ids": [first["id"]]}).json() == {"changed": 0, "left": 1}
    assert web.post("/jobs/failed/dismiss", json={"ids": None}).json() == {"changed": 1, "left": 0}
    assert web.get(f"/cases/{case['id']}/evidence").json()["items"][0]["state"] == "failed"
    with sessions() as session:
        assert session.scalar(select(func.count()).where(Job.subject_id == UUID(evidence_id))) == 1


def test_what_was_deleted_or_done_again_since_is_not_listed(web, sessions, case):
    evidence_id = read_alone(web, sessions, case)
    web.delete(f"/evidence/{evidence_id}")
    assert listed(web) == []
    web.post(f"/evidence/{evidence_id}/restore")
    assert len(listed(web)) == 1
    web.post(f"/evidence/{evidence_id}/retry")
    assert listed(web) == []
