"""Successes of a fix are counted over closed cases, on recordings that compare alone."""

from __future__ import annotations

from backend.findings.fix_outcomes import outcome_of
from backend.findings.schemas_phases import PhaseRow
from ingest.readers.bpf import bpftrace_text
from tests.backend.findings.test_phases import HOLD, SIGNATURE, place
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

FIX = "Raise the limit"


def closed_case(session, store, tmp_path, web, *, again=False):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    session.commit()
    if again:
        later = store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.again.txt")
        session.commit()
        place(web, case, "after", later)
    session.expire_all()
    judge_case(session, store, case.id)
    session.commit()
    body = {"state": "closed", "resolution": {"signature": SIGNATURE, "cause": "", "fix": FIX}}
    assert web.patch(f"/cases/{case.number}", json=body).status_code == 200
    return case


def test_a_fix_is_counted_by_the_recordings_of_its_cases(session, store, tmp_path, web):
    closed_case(session, store, tmp_path, web)
    closed_case(session, store, tmp_path, web, again=True)
    counted = web.get(f"/signatures/{SIGNATURE}/outcomes").json()["items"]
    expected = {"fix": FIX, "cases": 2, "successes": 0, "failures": 1, "not_compared": 1}
    assert counted == [expected | {"mitigated": 0, "mitigation_seconds": None}]
    assert web.get("/signatures/mm/memcg-oom/outcomes").json() == {"items": []}


def row(outcome, comparison=""):
    return PhaseRow(
        signature=SIGNATURE, title="", severity="high", host="", outcome=outcome, because="",
        comparison=comparison, cells=[], clauses=[],
    )  # fmt: skip


def test_only_recordings_that_compare_are_a_success():
    assert outcome_of([row("cleared")]) == "successes"
    assert outcome_of([row("cleared"), row("persists")]) == "failures"
    assert outcome_of([row("cleared", "not compared: the machine")]) == "not_compared"
    assert outcome_of([]) == "not_compared"
