"""Phases: evidence before and after is judged separately and compared by condition."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from backend.models import Evidence, Job
from ingest.readers.bpf import bpftrace_text
from ingest.readers.perf import perf_script
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

PUBLISHED = Path("tests/data/published/vanishing-cpu")
HOLD = (PUBLISHED / "bpftrace-mmap_lock-hold.txt").read_bytes()
RECLAIM = (PUBLISHED / "bpftrace-mmap_lock-reclaim-stats.txt").read_bytes()
SIGNATURE = "mm/mmap-lock-held-in-reclaim"


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    session.commit()
    return case


@pytest.fixture
def later(session, store, tmp_path, case):
    """The same output, taken again."""
    evidence = store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.again.txt")
    session.commit()
    return evidence


def judge(session, store, case):
    session.expire_all()
    judge_case(session, store, case.id)
    session.commit()


def place(web, case, phase, *evidence):
    body = {"phase": phase, "evidence_ids": [str(one.id) for one in evidence]}
    return web.patch(f"/cases/{case.number}/evidence", json=body)


def phases(web, case):
    return web.get(f"/cases/{case.number}/phases").json()


def test_evidence_is_moved_once_and_the_case_is_judged_again(session, case, later, web, sent):
    before = case.evidence_rev
    assert [one["phase"] for one in place(web, case, "after", later).json()["items"]] == ["after"]
    assert place(web, case, "after", later).json()["items"] == []
    session.expire_all()
    assert case.evidence_rev == before + 1
    judging_jobs = select(Job).where(Job.subject_id == case.id, Job.kind == "findings.judge")
    assert [job.id for job in session.scalars(judging_jobs)] == [one.id for one in sent]


def test_one_phase_alone_is_compared_with_nothing(session, store, case, web):
    judge(session, store, case)
    body = phases(web, case)
    assert (body["counts"], body["sick"], body["rows"]) == ({"before": 0, "during": 1, "after": 0}, None, [])


def test_a_finding_met_in_both_phases_persists_with_its_conditions(session, store, case, later, web):
    place(web, case, "after", later)
    judge(session, store, case)
    body = phases(web, case)
    assert (body["sick"], body["since"]) == ("during", "after")
    row = next(row for row in body["rows"] if row["signature"] == SIGNATURE)
    assert row["outcome"] == "persists"
    assert [cell["phase"] for cell in row["cells"]] == ["during", "after"]
    clause = next(clause for clause in row["clauses"] if clause["values"][0]["state"] == "TRUE")
    assert [value["phase"] for value in clause["values"]] == ["during", "after"]
    assert clause["values"][0]["observed"] == clause["values"][1]["observed"]


def test_a_condition_not_tested_in_the_second_phase_stays_open(session, store, case, web, tmp_path):
    text = b"@reads: 12\n"
    other = store_evidence(session, store, tmp_path, case, text, bpftrace_text, name="reads.txt")
    session.commit()
    place(web, case, "after", other)
    judge(session, store, case)
    row = next(row for row in phases(web, case)["rows"] if row["signature"] == SIGNATURE)
    assert row["outcome"] == "open"
    assert "not tested after" in row["because"]


SHRINKING = ("do_shrink_slab", "shrink_slab", "shrink_node", "try_to_free_pages")
ONLY_USER = ("work", "main")


def recording(comm, *stacks):
    """A perf script of 300 samples of each stack, leaf first, and of a user stack."""
    at, lines = 0.0, []
    for stack in (*stacks, ONLY_USER):
        for _ in range(300):
            at += 0.01
            lines.append(f"{comm} 7 [000] {at:.6f}:   10000000 cpu-clock:ppp: ")
            module = "/usr/bin/app" if stack is ONLY_USER else "[kernel.kallsyms]"
            lines += [f"\tffffffff81000000 {name}+0x1 ({module})" for name in stack]
            lines.append("")
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("comm", "expected"),
    [
        ("app", ("cleared", "not compared: the machine")),
        ("sleep", ("open", "other programs ran (app 100 % before, sleep 100 % after)")),
    ],
)
def test_a_finding_is_cleared_only_where_the_same_programs_ran(
    session, store, web, *, tmp_path, comm, expected
):
    word, says = expected
    case = new_case(session)
    sick = recording("app", SHRINKING)
    well = recording(comm, ("copy_page", "do_anonymous_page", "handle_mm_fault"))
    store_evidence(session, store, tmp_path, case, sick, perf_script, name="sick.txt")
    after = store_evidence(session, store, tmp_path, case, well, perf_script, name="well.txt")
    session.commit()
    place(web, case, "after", after)
    judge(session, store, case)
    row = next(row for row in phases(web, case)["rows"] if row["signature"] == "mm/shrink-slab-storm")
    assert (row["outcome"], says in row["comparison"]) == (word, True)


@pytest.mark.usefixtures("later")
def test_the_timeline_has_one_entry_for_all_files(case, web):
    files = web.get(f"/cases/{case.number}/evidence").json()["items"]
    moved = {"phase": "before", "evidence_ids": [one["id"] for one in files]}
    web.patch(f"/cases/{case.number}/evidence", json=moved)
    said = [entry["says"] for entry in web.get(f"/cases/{case.number}/timeline").json()["items"]]
    body = "owner said that 2 files are from before the incident: hold.txt, hold.again.txt"
    assert [says for says in said if "files are" in says] == [body]


def test_an_archive_goes_as_a_whole(session, case, later, web):
    member = Evidence(
        case_id=case.id, parent_id=later.id, captured_path="m", sha256=later.sha256, size_bytes=1
    )
    session.add(member)
    session.commit()
    refused = place(web, case, "after", member)
    assert refused.status_code == 422
    assert "set those of the archive" in refused.json()["detail"]
    place(web, case, "after", later)
    session.expire_all()
    assert member.phase == "after"


@pytest.fixture
def foreign(session, store, tmp_path):
    evidence = store_evidence(session, store, tmp_path, new_case(session), RECLAIM, bpftrace_text)
    session.commit()
    return evidence


def test_evidence_of_another_case_moves_nothing(session, case, later, foreign, web):
    assert place(web, case, "after", later, foreign).status_code == 404
    session.expire_all()
    assert (later.phase, foreign.phase) == ("during", "during")
    assert place(web, case, "sometime", later).status_code == 422
