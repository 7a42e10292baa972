"""What is read, judged or prepared can be cancelled, says so, and is done again on request."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from backend.core.jobs.runner import run_job
from backend.models import Handoff, Job, JobState
from tests.backend.conftest import PATIENT

STACKS = "main;read_file;copy_to_user 42\n"


@pytest.fixture
def case(web):
    return web.post("/paste", json={"text": STACKS}).json()["case"]


def cancel(web, case, work, **of):
    answer = web.post(f"/cases/{case['id']}/jobs/cancel", json={"work": work, **of})
    assert answer.status_code == 200, answer.text
    return answer.json()["cancelled"]


def states(web, case, kind):
    jobs = web.get(f"/cases/{case['id']}/jobs").json()["items"]
    return [job["state"] for job in jobs if job["kind"] == kind]


def evidence_of(web, case):
    return web.get(f"/cases/{case['id']}/evidence").json()["items"]


def run_all(sessions, settings, store):
    """Run what is queued, as workers do; their heartbeats do not see what this test has not committed."""
    patient = settings.model_copy(update=PATIENT)
    while True:
        with sessions() as session:
            session.execute(update(Job).values(run_after=Job.created_at))
            session.commit()
            job_id = session.scalar(select(Job.id).where(Job.state == JobState.QUEUED).order_by(Job.id))
        if job_id is None:
            return
        run_job(job_id, patient, sessions, store)


@pytest.mark.parametrize("is_alone", [False, True], ids=["in a batch", "in a job of its own"])
def test_cancelled_reading_leaves_the_file_and_reads_it_again(
    web, case, *, app_settings, sessions, store, is_alone
):
    [item] = evidence_of(web, case)
    if is_alone:
        assert cancel(web, case, "reading") == 1
        web.post(f"/evidence/{item['id']}/retry")
    assert cancel(web, case, "reading", **({"subject_id": item["id"]} if is_alone else {})) == 1
    [item] = evidence_of(web, case)
    assert item["state"] == "cancelled"
    assert item["reason"].startswith("reading was cancelled by ")
    found = web.get(f"/cases/{case['id']}").json()
    assert (found["judged"], found["reading_count"], found["unread_count"]) == (True, 0, 1)
    assert cancel(web, case, "reading") == 0
    run_all(sessions, app_settings, store)
    assert evidence_of(web, case)[0]["state"] == "cancelled", "nothing runs on"
    assert web.post(f"/evidence/{item['id']}/retry").status_code == 202
    run_all(sessions, app_settings, store)
    assert (evidence_of(web, case)[0]["state"], evidence_of(web, case)[0]["reason"]) == ("read", "")


def test_a_cancelled_judgement_is_stated_and_repeated(web, case, app_settings, sessions, store):
    run_all(sessions, app_settings, store)
    before = web.get(f"/cases/{case['id']}").json()["headline"]
    assert before["unjudged"] == ""
    assert web.post(f"/cases/{case['id']}/judge").status_code == 202
    assert not web.get(f"/cases/{case['id']}").json()["judged"]
    assert cancel(web, case, "judging") == 1
    found = web.get(f"/cases/{case['id']}").json()
    assert found["judged"], "nobody waits for it"
    assert "cancelled by" in found["headline"]["unjudged"]
    assert "revision" in found["headline"]["unjudged"]
    queued = web.post(f"/cases/{case['id']}/judge").json()
    run_all(sessions, app_settings, store)
    found = web.get(f"/cases/{case['id']}").json()
    assert (found["judged"], found["headline"]) == (True, before)
    assert web.get(f"/cases/{case['id']}/findings").json()["judged_rev"] == queued["evidence_rev"]
    assert states(web, case, "findings.judge") == ["done", "cancelled"]


def test_a_cancelled_handoff_is_prepared_again(web, case, app_settings, sessions, store):
    run_all(sessions, app_settings, store)
    made = web.post(f"/cases/{case['id']}/handoffs", json={"recipient": "vendor"}).json()
    url = f"/cases/{case['id']}/handoffs/{made['id']}"
    assert web.post(f"{url}/prepare").status_code == 409
    assert cancel(web, case, "reading") == cancel(web, case, "judging") == 0
    assert cancel(web, case, "preparing", subject_id=made["id"]) == 1
    cancelled = web.get(url).json()
    assert (cancelled["state"], "cancelled by" in cancelled["reason"]) == ("cancelled", True)
    assert web.post(f"{url}/offer", json={"is_reviewed": True}).status_code == 409
    assert web.post(f"{url}/prepare").json()["state"] == "preparing"
    run_all(sessions, app_settings, store)
    assert web.get(url).json()["state"] == "ready"
    assert web.post(f"{url}/prepare").status_code == 409


def test_the_work_of_another_case_is_not_cancelled(web, case, sessions):
    other = web.post("/paste", json={"text": STACKS}).json()["case"]
    with sessions.begin() as session:
        handoff = Handoff(case_id=other["id"], recipient="vendor", author="ada")
        session.add(handoff)
    assert cancel(web, case, "reading", subject_id=other["id"]) == 0
    assert cancel(web, case, "reading") == 1
    assert states(web, other, "evidence.batch") == ["queued"]
