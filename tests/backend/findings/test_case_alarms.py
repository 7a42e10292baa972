"""Alarms of a case over the API: findings, headline in list and detail, also of cases judged before them."""

from __future__ import annotations

import pytest
from sqlalchemy import delete

from backend.core.jobs.queue import enqueue
from backend.core.jobs.runner import run_job
from backend.findings.tasks import SCREEN_JOB
from backend.models.case import Case
from backend.models.case_screen import CaseScreen
from backend.models.job import JobState
from ingest.readers.logs import kernel_log
from tests.backend.conftest import PATIENT
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

EXT4 = b"EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory lblock 0"
CONNTRACK = b"nf_conntrack: nf_conntrack: table full, dropping packet"


@pytest.fixture
def case(session, store, tmp_path):
    """A judged case of a kernel log with an alarm of no signature, and one that a signature explains."""
    case = new_case(session)
    log = b"[ 1000.123456] %s\n[ 2000.123456] %s\n" % (EXT4, CONNTRACK)
    store_evidence(session, store, tmp_path, case, log, kernel_log, name="dmesg.txt")
    judge_case(session, store, case.id)
    session.commit()
    return case


def findings_of(web, case, **query):
    return web.get(f"/cases/{case.number}/findings", params=query).json()


def test_alarms_are_findings_behind_the_matches(web, case):
    items = findings_of(web, case)["items"]
    assert [(one["kind"], one.get("alarm") or one["signature"]) for one in items][:3] == [
        ("signature", "net/conntrack-table-full"),
        ("alarm", "ext4_error"),
        ("alarm", "conntrack_full"),
    ]
    by_name = {one["alarm"]: one for one in items if one["kind"] == "alarm"}
    assert by_name["conntrack_full"]["explained_by"] == "net/conntrack-table-full"
    ext4 = by_name["ext4_error"]
    assert (ext4["level"], ext4["severity"], ext4["explained_by"]) == ("failure", "high", "")
    assert (ext4["citations"][0]["evidence"], ext4["citations"][0]["first_line"]) == ("dmesg.txt", 1)
    assert ext4["citations"][0]["evidence_id"]
    pages, cursor = [], None
    while cursor is not None or not pages:
        page = findings_of(web, case, limit=1, **({"cursor": cursor} if cursor else {}))
        pages += page["items"]
        cursor = page["next_cursor"]
    assert [one["id"] for one in pages] == [one["id"] for one in items]


def test_the_headline_is_that_of_the_page_in_list_and_detail(web, session, store, tmp_path):
    case = new_case(session)
    log = b"[ 1000.123456] %s\n" % EXT4
    store_evidence(session, store, tmp_path, case, log, kernel_log, name="dmesg.txt")
    session.commit()
    assert web.get(f"/cases/{case.number}").json()["headline"] is None
    judge_case(session, store, case.id)
    session.commit()
    page = web.get(f"/cases/{case.number}/overview").json()["headline"]
    (listed,) = web.get("/cases", params={"log_class": "ext4_error"}).json()["items"]
    for headline in (listed["headline"], web.get(f"/cases/{case.number}").json()["headline"]):
        assert (headline["kind"], headline["text"]) == (page["kind"], page["text"])
        assert (headline["alarm"], headline["level"]) == ("ext4_error", "failure")


def test_a_case_without_an_alarm_has_the_headline_of_its_page(web, session, store, tmp_path):
    case = new_case(session)
    store_evidence(
        session, store, tmp_path, case, b"[ 1.000000] Freeing SMP alternatives\n", kernel_log, name="a.txt"
    )
    judge_case(session, store, case.id)
    session.commit()
    headline = web.get(f"/cases/{case.number}").json()["headline"]
    assert headline["text"] == web.get(f"/cases/{case.number}/overview").json()["headline"]["text"]
    assert (headline["verdict"], headline["severity"], headline["level"]) == (None, None, None)


def test_a_case_that_was_judged_before_gets_them_by_the_job(  # noqa: PLR0917 - fixtures
    web, session, store, case, app_settings, sessions
):
    after = findings_of(web, case)["items"]
    headline = case.headline
    session.get_one(Case, case.id).headline = None
    session.get_one(Case, case.id).alarms = ()
    overview = web.get(f"/cases/{case.number}/overview").json()
    session.execute(delete(CaseScreen))
    session.commit()
    before = findings_of(web, case)["items"]
    assert before == [one for one in after if one["kind"] == "signature"]
    job = enqueue(session, SCREEN_JOB, key=f"screen:{case.id}", subject_id=case.id)
    session.commit()
    # The sessions of a test share one connection: a heartbeat would look at the job between its writes.
    patient = app_settings.model_copy(update=PATIENT)
    assert run_job(job.id, patient, sessions, store) == JobState.DONE
    session.expire_all()
    assert findings_of(web, case)["items"] == after
    assert case.headline == headline
    assert web.get(f"/cases/{case.number}/overview").json() == overview
