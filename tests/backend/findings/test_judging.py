"""Judging a case: findings of one revision, stored in one transaction, cited down to evidence and profile."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from pathlib import Path

import pytest
from sqlalchemy import func, update

from backend.cases import overview
from backend.findings import judging, library, report
from backend.findings.case_analysis import load_inputs
from backend.models.finding import Finding
from backend.models.job import Job, JobState
from backend.models.observation import Observation
from ingest.readers.bpf import bpftrace_text
from ingest.readers.traces import bare_stack
from tests.backend.stored_evidence import analyse_inputs, judge_case, new_case, store_evidence

PUBLISHED = Path("tests/data/published/vanishing-cpu")
HOLD = (PUBLISHED / "bpftrace-mmap_lock-hold.txt").read_bytes()
STACK = (PUBLISHED / "stack.shrink_lruvec.txt").read_bytes()


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    store_evidence(session, store, tmp_path, case, STACK, bare_stack, name="stack.txt")
    return case


def judge(session, store, case):
    analysis = judge_case(session, store, case.id)
    session.expire_all()
    return analysis.judgement


def by_signature(body):
    return {finding.signature: finding for finding in body.items}


def test_every_signature_is_judged_and_the_case_says_of_which_evidence(session, store, case):
    judge(session, store, case)
    body = report.of_case(session, case, with_all=True)
    assert (body.judged_rev, body.evidence_rev) == (2, 2)
    assert set(by_signature(body)) == {signature.id for signature in library.catalog().signatures}


def test_citations_name_the_evidence_its_lines_and_the_nodes_of_its_profile(session, store, case):
    judge(session, store, case)
    body = report.of_case(session, case, with_all=True)
    cited = [c for finding in body.items for clause in finding.conditions for c in clause.citations]
    assert {c.evidence for c in cited} <= {"hold.txt", "stack.txt"}
    assert all(c.evidence_id for c in cited)
    assert all(1 <= c.first_line <= c.last_line for c in cited)
    with_nodes = [c for c in cited if c.nodes]
    assert with_nodes
    assert all(c.profile_id for c in with_nodes)


def test_judging_again_keeps_ids_and_reuses_observations(session, store, case):
    judge(session, store, case)
    first = {finding.signature: finding.id for finding in session.query(Finding).filter_by(case_id=case.id)}
    observed = session.query(Observation).count()
    assert observed > 0
    judge(session, store, case)
    assert {f.signature: f.id for f in session.query(Finding).filter_by(case_id=case.id)} == first
    assert session.query(Observation).count() == observed


def test_a_case_whose_judgement_failed_keeps_its_findings_and_keeps_nobody_waiting(
    session, store, case, tmp_path
):
    judge(session, store, case)
    before = {finding.signature: finding.verdict for finding in session.query(Finding)}
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="again.txt")
    judging.give_up(session, case.id, "ValueError: cannot convert float NaN to integer")
    session.flush()
    assert case.judged_rev == case.evidence_rev == 3
    assert {finding.signature: finding.verdict for finding in session.query(Finding)} == before
    assert "the findings are of revision 2" in case.headline.text
    assert "NaN" not in case.headline.text


@pytest.mark.parametrize(
    ("made", "title"),
    [
        ("stack.txt and 1 more file", "hold.txt and 1 more file"),
        ("Latency of ps on the new nodes", "Latency of ps on the new nodes"),
    ],
)
def test_a_case_named_after_one_of_its_files_is_titled_by_the_one_that_says_most(
    session, store, case, made, title
):
    case.title = made
    judge(session, store, case)
    assert case.title == title


def test_cached_observations_equal_fresh_ones(session, store, case):
    fresh = judge(session, store, case)
    inputs = load_inputs(session, case.id)
    assert len(inputs.observations) > 0
    again = analyse_inputs(store, inputs)
    assert again.judgement.findings == fresh.findings
    assert again.observations == []
    stale = next(iter({condition.partition(":")[0] for _, condition, _ in inputs.observations}))
    session.execute(
        update(Observation)
        .where(Observation.clause_digest.startswith(stale))
        .values(clause_digest=func.concat("older", Observation.clause_digest))
    )
    kept = load_inputs(session, case.id).observations
    # The update makes the table longer: PostgreSQL may read it another way, in another order.
    by_key = itemgetter(0, 1)
    left = [row for row in inputs.observations if not row[1].startswith(stale)]
    assert sorted(kept, key=by_key) == sorted(left, key=by_key)
    forgotten = replace(inputs, observations=[])
    assert analyse_inputs(store, forgotten).judgement.findings == fresh.findings


def test_evidence_arriving_during_judging_triggers_another_run(session, store, case, tmp_path):
    inputs = load_inputs(session, case.id)
    store_evidence(session, store, tmp_path, case, STACK, bare_stack, name="late.txt")
    judging.keep(session, case.id, analyse_inputs(store, inputs))
    session.expire_all()
    assert (case.judged_rev, case.evidence_rev) == (2, 3)
    waiting = session.query(Job).filter_by(kind="findings.judge", subject_id=case.id).one()
    assert waiting.state == JobState.QUEUED
    assert overview.describe_one(session, case.id).judged is False


def test_removed_evidence_is_ignored(session, store, case, web):
    judge(session, store, case)
    placed = load_inputs(session, case.id).readings
    session.commit()
    web.delete(f"/evidence/{placed[0].evidence_id}")
    session.expire_all()
    left = load_inputs(session, case.id)
    assert (left.revision, len(placed), len(left.readings)) == (3, 2, 1)


def test_a_deleted_case_is_not_judged(session, case):
    case.deleted_at = case.created_at
    session.flush()
    assert load_inputs(session, case.id) is None


def test_findings_come_without_the_rest_unless_asked_for_all(session, store, case, web):
    judge(session, store, case)
    session.commit()
    few = web.get(f"/cases/{case.number}/findings").json()
    everything = web.get(f"/cases/{case.number}/findings", params={"all": True}).json()
    assert len(few["items"]) < len(everything["items"])
    assert {f["verdict"] for f in few["items"] if not f["is_near_miss"]} <= {"match", "suspect", "unknown"}
    assert few["next_captures"]
    assert all(capture["run"] and capture["settles"] for capture in few["next_captures"])


def test_the_headline_of_a_case_is_its_surest_finding(session, store, case):
    judge(session, store, case)
    headline = overview.describe_one(session, case.id).headline
    listed = report.signatures_of_case(session, case, with_all=False)
    (surest, *_) = [one.signature for one in listed if one.verdict in {"match", "suspect"}]
    assert headline is not None
    assert surest == (headline.signature or headline.suspicion)


def test_a_signature_is_shown_with_its_story(web):
    listed = web.get("/signatures").json()["items"]
    assert "mm/memcg-limit-reclaim" in {row["id"] for row in listed}
    body = web.get("/signatures/mm/memcg-limit-reclaim").json()
    assert body["document"]["clauses"]
    answer = web.get("/signatures/mm/no-such-thing")
    assert (answer.status_code, answer.json()["code"]) == (404, "NotFound")
