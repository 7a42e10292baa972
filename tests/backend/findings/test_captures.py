"""Capture runs: recommendation, time, evidence, and conditions decided."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ingest.readers.bpf import bpftrace_text
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

HOLD = Path("tests/data/published/vanishing-cpu/bpftrace-mmap_lock-hold.txt").read_bytes()
RAN_AT = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    judge_case(session, store, case.id)
    session.commit()
    return case


@pytest.fixture
def asked(case, web):
    """The first capture that the case asks for."""
    return web.get(f"/cases/{case.number}/findings").json()["next_captures"][0]


def ran(web, case, capture, **more):
    return web.post(f"/cases/{case.number}/captures", json={"capture": capture["name"], **more})


def runs(web, case):
    return web.get(f"/cases/{case.number}/captures").json()["items"]


def test_a_capture_run_stores_its_recommendation(case, asked, web):
    run_read = ran(web, case, asked, ran_at=RAN_AT.isoformat()).json()
    assert (run_read["title"], run_read["command"]) == (asked["title"], asked["run"])
    assert (run_read["author"], run_read["ran_at"]) == ("owner", "2026-03-14T03:12:00Z")
    settled = {(one["signature"], one["clause"]) for one in run_read["settles"]}
    assert {(one["signature"], one["clause"]) for one in asked["settles"]} <= settled
    assert all(one["title"] for one in run_read["settles"])
    assert runs(web, case) == [run_read]


def test_the_result_evidence_is_linked_with_its_state(case, asked, web):
    run = ran(web, case, asked).json()
    pasted = web.post(f"/cases/{case.number}/paste", json={"text": "up 3 days"}).json()["evidence"][0]
    run_read = web.put(f"/captures/{run['id']}", json={"evidence_ids": [pasted["id"]]}).json()
    assert run_read["results"] == [{"evidence_id": pasted["id"], "name": "pasted.txt", "state": "received"}]
    web.delete(f"/evidence/{pasted['id']}")
    assert runs(web, case)[0]["results"] == []


def test_a_run_is_withdrawn_and_restored(case, asked, web):
    run = ran(web, case, asked).json()
    assert web.delete(f"/captures/{run['id']}").status_code == 204
    assert runs(web, case) == []
    assert web.put(f"/captures/{run['id']}", json={"evidence_ids": []}).status_code == 404
    assert web.post(f"/captures/{run['id']}/restore").json() == run
    assert runs(web, case) == [run]


def test_unrecommended_or_future_runs_are_refused(case, asked, web):
    unknown = ran(web, case, {"name": "no_such_capture"})
    assert unknown.status_code == 422
    assert asked["name"] in unknown.json()["detail"]
    ahead = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    assert ran(web, case, asked, ran_at=ahead).status_code == 422
    assert ran(web, case, asked, ran_at="2026-03-14T03:12:00").status_code == 422
    assert runs(web, case) == []


def test_evidence_of_another_case_is_no_result(session, case, asked, web):
    run = ran(web, case, asked).json()
    other = new_case(session)
    session.commit()
    pasted = web.post(f"/cases/{other.number}/paste", json={"text": "up 3 days"}).json()["evidence"][0]
    answer = web.put(f"/captures/{run['id']}", json={"evidence_ids": [pasted["id"]]})
    assert answer.status_code == 404
    assert runs(web, case)[0]["results"] == []


def test_the_timeline_has_it_when_it_was_run(case, asked, web):
    ran(web, case, asked, ran_at=RAN_AT.isoformat())
    entries = web.get(f"/cases/{case.number}/timeline").json()["items"]
    assert entries[0]["kind"] == "capture"
    assert entries[0]["says"] == f"owner ran: {asked['title']}"
    assert entries[0]["at"] == "2026-03-14T03:12:00Z"
