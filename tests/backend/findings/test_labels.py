"""Labels on findings: stored with author and time, never changing a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import delete, select

from backend.models import Event, Finding, Role
from ingest.readers.bpf import bpftrace_text
from ingest.readers.traces import bare_stack
from tests.backend.people import person, signed_in
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

PUBLISHED = Path("tests/data/published/vanishing-cpu")
HOLD = (PUBLISHED / "bpftrace-mmap_lock-hold.txt").read_bytes()
STACK = (PUBLISHED / "stack.shrink_lruvec.txt").read_bytes()
SIGNATURE = "mm/mmap-lock-held-in-reclaim"


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    judge(session, store, case)
    session.commit()
    return case


def judge(session, store, case):
    judge_case(session, store, case.id)
    session.expire_all()


def verdict_of(web, case):
    body = web.get(f"/cases/{case.number}/findings", params={"all": True}).json()["items"]
    return next(one for one in body if one["signature"] == SIGNATURE)


def say(web, case, opinion, **more):
    body = {"signature": SIGNATURE, "host": "", "phase": "during", "opinion": opinion, **more}
    return web.put(f"/cases/{case.number}/labels", json=body)


def labels(web, case):
    return web.get(f"/cases/{case.number}/labels").json()["items"]


def test_a_label_is_stored_with_author_and_finding_and_changes_no_verdict(case, web):
    before = verdict_of(web, case)
    clause = before["clauses"][0]["id"]
    said = say(web, case, "wrong", misled_clause=clause, remark=" the hold was a page fault ").json()
    assert (said["opinion"], said["misled_clause"]) == ("wrong", clause)
    assert said["remark"] == "the hold was a page fault"
    assert (said["version"], said["verdict"]) == (before["version"], before["verdict"])
    assert (said["author"], said["is_mine"]) == ("owner", True)
    assert labels(web, case) == [said]
    assert verdict_of(web, case) == before


def test_a_label_can_be_replaced_and_removed(case, web):
    first = say(web, case, "wrong").json()
    second = say(web, case, "right").json()
    assert second["id"] == first["id"]
    assert [one["opinion"] for one in labels(web, case)] == ["right"]
    assert web.delete(f"/cases/{case.number}/labels/{first['id']}").status_code == 204
    assert labels(web, case) == []
    assert web.delete(f"/cases/{case.number}/labels/{first['id']}").status_code == 404


def test_a_label_outlives_judging_again_and_its_finding(session, store, case, web, tmp_path):
    said = say(web, case, "right", remark="we saw the limit").json()
    store_evidence(session, store, tmp_path, case, STACK, bare_stack, name="stack.txt")
    judge(session, store, case)
    session.execute(delete(Finding).where(Finding.case_id == case.id))
    judge(session, store, case)
    session.commit()
    assert labels(web, case) == [said]
    body = verdict_of(web, case)
    assert (body["signature"], body["host"], body["phase"]) == (
        said["signature"],
        said["host"],
        said["phase"],
    )


def test_each_account_has_its_own_label_and_removes_no_other(case, web, address, sessions):
    mine = say(web, case, "right").json()
    with signed_in(address, sessions, person(sessions, "kim", Role.RESPONDER)) as kim:
        theirs = say(kim, case, "wrong").json()
        body = labels(kim, case)
        assert [(one["author"], one["is_mine"]) for one in body] == [("owner", False), ("kim", True)]
        refused = kim.delete(f"/cases/{case.number}/labels/{mine['id']}")
        assert refused.status_code == 403
        assert "the label of owner" in refused.json()["detail"]
    assert {one["id"] for one in labels(web, case)} == {mine["id"], theirs["id"]}


def test_an_invalid_label_is_refused_with_the_valid_ones(case, web):
    unknown = say(web, case, "wrong", misled_clause="no_such_clause")
    assert unknown.status_code == 422
    assert "its conditions are" in unknown.json()["detail"]
    clause = verdict_of(web, case)["clauses"][0]["id"]
    assert say(web, case, "right", misled_clause=clause).status_code == 422
    assert say(web, case, "wrong", host="elsewhere").status_code == 404
    assert say(web, case, "maybe").status_code == 422
    assert labels(web, case) == []


def test_the_event_log_records_labels_and_removals(session, case, web):
    said = say(web, case, "unsure", remark="one capture only").json()
    web.delete(f"/cases/{case.number}/labels/{said['id']}")
    session.expire_all()
    kinds = ["label.said", "label.taken_back"]
    query = select(Event).where(Event.case_id == case.id, Event.kind.in_(kinds)).order_by(Event.id)
    body = session.scalars(query).all()
    assert [event.kind for event in body] == kinds
    assert [event.actor for event in body] == ["owner", "owner"]
    assert body[0].payload["remark"] == "one capture only"
