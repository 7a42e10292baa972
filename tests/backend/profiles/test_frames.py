"""Functions across cases: found by name after indexing, with their share of the whole profile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select, update

from backend.core.jobs import runner
from backend.core.jobs.queue import enqueue
from backend.models import Frame, Job, Profile, ProfileFrame
from backend.models.job import JobState
from backend.profiles import indexing
from backend.profiles.queries_frames import unindexed_of_case
from backend.sandbox import envelope
from ingest.export.heaviest import NAMES_PER_PROFILE, heaviest
from ingest.model import reading_folder
from ingest.readers.bpf import bpftrace_text
from ingest.readers.profilers import folded
from ingest.readers.traces import bare_stack
from tests.backend.conftest import PATIENT
from tests.backend.stored_evidence import index_profiles, new_case, store_evidence

STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()
ORDERED = Path("tests/data/folded/perf-ordered-folded.txt").read_bytes()


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session, "reclaim")
    store_evidence(session, store, tmp_path, case, STACKS, bpftrace_text, name="profile.txt")
    session.commit()
    return case


def cases_with(web, name, **more):
    answer = web.get("/frames/cases", params={"name": name, **more})
    assert answer.status_code == 200
    return answer.json()


def test_a_function_lists_its_cases_with_their_share(web, session, store, case):
    index_profiles(session, store, case)
    (profile,) = [
        one for one in web.get(f"/cases/{case.number}/profiles").json()["items"] if one["samples"] > 1
    ][:1]
    top = web.get(f"/profiles/{profile['id']}/top", params={"sort": "total"}).json()["items"]
    shown = next(item for item in top if item["name"].startswith("try_charge"))
    body = cases_with(web, shown["name"])
    (item,) = body["items"]
    assert (body["count"], item["case_number"], item["case_title"]) == (1, case.number, "reclaim")
    assert item["profile_id"] == profile["id"]
    assert item["evidence_name"] == "profile.txt"
    assert item["total_share"] == pytest.approx(shown["total_share"])
    assert item["self_share"] == pytest.approx(shown["self_share"])


def test_cases_are_sorted_by_share_without_duplicates(web, session, store, tmp_path, case):
    other = new_case(session, "stall")
    store_evidence(session, store, tmp_path, other, ORDERED, folded, name="a.folded")
    store_evidence(
        session, store, tmp_path, other, b"main;try_charge_memcg 1\nmain 9\n", folded, name="b.folded"
    )
    store_evidence(
        session, store, tmp_path, other, b"main;try_charge_memcg 2\nmain 8\n", folded, name="c.folded"
    )
    for each in (case, other):
        index_profiles(session, store, each)
    body = cases_with(web, "try_charge_memcg")
    assert [item["case_title"] for item in body["items"]] == ["reclaim", "stall"]
    assert body["items"][1]["profiles"] == 2
    assert body["items"][1]["evidence_name"] == "c.folded"
    assert body["items"][1]["total_share"] == pytest.approx(0.2)
    first = cases_with(web, "try_charge_memcg", limit=1)
    assert (first["count"], len(first["items"])) == (2, 1)


def test_compiler_suffixes_are_ignored_and_recursion_counts_once(web, session, store, tmp_path):
    case = new_case(session)
    store_evidence(
        session, store, tmp_path, case, b"a;try_charge;try_charge.part.0 3\na;b 1\n", folded, name="x.folded"
    )
    index_profiles(session, store, case)
    body = cases_with(web, "try_charge.isra.0")
    assert body["name"] == "try_charge"
    assert [item["total_share"] for item in body["items"]] == [pytest.approx(0.75)]


def test_a_pending_profile_is_counted(web, session, store, case):
    before = cases_with(web, "try_charge_memcg")
    assert before["items"] == []
    assert before["unindexed_profiles"] >= 1
    index_profiles(session, store, case)
    assert cases_with(web, "try_charge_memcg")["unindexed_profiles"] == 0


def test_removed_evidence_and_deleted_cases_are_not_found(web, session, store, case):
    index_profiles(session, store, case)
    evidence = web.get(f"/cases/{case.number}/evidence").json()["items"][0]["id"]
    web.delete(f"/evidence/{evidence}")
    assert cases_with(web, "try_charge_memcg")["count"] == 0
    web.post(f"/evidence/{evidence}/restore")
    assert cases_with(web, "try_charge_memcg")["count"] == 1
    web.delete(f"/cases/{case.number}")
    assert cases_with(web, "try_charge_memcg")["count"] == 0


def test_stacks_without_weights_come_last(web, session, store, tmp_path):
    stack = Path("tests/data/bare-stack/stack.evict_folios.txt").read_bytes()
    for title, content, reader in (
        ("bare", stack, bare_stack),
        ("weighed", b"main;evict_folios 1\nmain 9\n", folded),
    ):
        case = new_case(session, title)
        store_evidence(session, store, tmp_path, case, content, reader, name=title)
        index_profiles(session, store, case)
    body = cases_with(web, "evict_folios")
    assert [(item["case_title"], item["has_weights"]) for item in body["items"]] == [
        ("weighed", True),
        ("bare", False),
    ]


def test_only_the_heaviest_names_of_a_profile_are_kept(session, store, tmp_path):
    case = new_case(session)
    lines = "".join(f"main;f{at} {at + 1}\n" for at in range(600))
    store_evidence(session, store, tmp_path, case, lines.encode(), folded, name="many.folded")
    index_profiles(session, store, case)
    names = set(session.scalars(select(Frame.name).join(ProfileFrame)))
    assert len(names) == NAMES_PER_PROFILE
    assert {"main", "f599"} <= names
    assert "f0" not in names


def test_names_of_any_length_and_letters_are_kept(web, session, store, tmp_path):
    case = new_case(session)
    long = "std::" + "vector<" * 2000 + "int"
    store_evidence(
        session, store, tmp_path, case, f"main;{long} 1\nmain;日本 1\n".encode(), folded, name="x.folded"
    )
    index_profiles(session, store, case)
    assert cases_with(web, long[:4000])["count"] == 0
    assert cases_with(web, "日本")["count"] == 1


def test_evidence_parsed_meanwhile_is_indexed_by_another_job(session, store, tmp_path, sent, case):
    weighed = index_profiles(session, store, case)
    store_evidence(session, store, tmp_path, case, ORDERED, folded, name="late.folded")
    session.execute(update(Profile).where(Profile.id.in_(weighed)).values(has_frames=True))
    indexing.keep(session, case.id, {})
    session.commit()
    job = session.get_one(Job, sent[-1].id)
    assert (job.kind, job.subject_id) == ("profiles.index", case.id)


def test_a_profile_without_weight_has_no_heavy_functions(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, b"main;read 0\n", folded, name="none.folded")
    (one,) = unindexed_of_case(session, case.id)
    profile = reading_folder.load(store.folder(one.store_key)).profiles[one.ordinal]
    assert np.sum(profile.sample_weight) == 0
    assert heaviest(profile) == []


@pytest.fixture
def run_index(session, sessions, store, sent, app_settings):
    """Run the newest job of the index, queued first when a case is given; return it."""

    def run(case=None):
        if case is not None:
            enqueue(session, "profiles.index", key=f"index:{case.id}", subject_id=case.id)
        session.commit()
        job_id = sent[-1].id
        patient = app_settings.model_copy(update=PATIENT)
        runner.run_job(job_id, patient, sessions, store)
        session.expire_all()
        return session.get_one(Job, job_id)

    return run


def test_an_index_that_needs_more_goes_on_in_the_heavy_queue(session, case, run_index, monkeypatch):
    monkeypatch.setattr(envelope, "RESULT_BYTES", 16)
    light = run_index(case)
    assert (light.state, light.queue) == (JobState.DONE, "light")
    assert unindexed_of_case(session, case.id)
    heavy = run_index()
    assert (heavy.kind, heavy.state, heavy.queue) == ("profiles.index", JobState.DONE, "heavy")
    assert not unindexed_of_case(session, case.id)


def test_a_damaged_reading_leaves_its_profile_alone_unindexed(session, store, case, tmp_path, run_index):
    store_evidence(session, store, tmp_path, case, ORDERED, folded, name="other.folded")
    hurt = unindexed_of_case(session, case.id)[0]
    for path in store.folder(hurt.store_key).glob("*.node_parent.*"):
        path.chmod(0o600)
        path.write_bytes(b"no column")
    run_index(case)
    assert {one.store_key for one in unindexed_of_case(session, case.id)} == {hurt.store_key}
