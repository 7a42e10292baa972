"""Reprocessing with a real worker: stale cases are read and judged again, whole, and what changed is said."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import httpx
import pytest
from sqlalchemy import delete, func, select, update

from backend.accounts import service as accounts
from backend.client import Client
from backend.models import (
    Case,
    CaseScreen,
    Evidence,
    Fact,
    Finding,
    Job,
    Reading,
    ReprocessedCase,
    SignatureDraft,
)
from signatures.engine_version import engine_version
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.pipeline import PIPELINE_SECONDS
from tests.waiting import until

PUBLISHED = Path("tests/data/published/vanishing-cpu")
TEXTS = ("bpftrace-mmap_lock-hold.txt", "stack.shrink_lruvec.txt", "perf-top.mglru.txt", "pidstat.txt")
MATCHING = Path("signatures/library/net/conntrack-table-full/evidence/pos-one-line/kern.log")
RUNS = "/api/v1/reprocess-runs"


@pytest.fixture(scope="module")
def address(pipeline):
    with serving(create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)) as url:
        yield url


@pytest.fixture(scope="module")
def web(pipeline, address):
    with pipeline.sessions.begin() as session:
        token = accounts.create_api_token(session, name="reprocessing")
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}) as client:
        yield client


@pytest.fixture(scope="module")
def judged(pipeline, address, web, tmp_path_factory):
    """Ids of four cases that were judged; the last is of an archive."""
    folder = tmp_path_factory.mktemp("evidence")
    archive = folder / "all.tar"
    with tarfile.open(archive, "w") as packed:
        for name in TEXTS:
            content = (PUBLISHED / name).read_bytes()
            member = tarfile.TarInfo(f"sos/{name}")
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    token = web.headers["Authorization"].removeprefix("Bearer ")
    with Client(address, token=token) as client:
        files = [
            ("kern.log", MATCHING),
            *((name, PUBLISHED / name) for name in TEXTS[:2]),
            ("all.tar", archive),
        ]
        cases = [client.post_files([file]).case.id for file in files]
        for case in cases:
            client.wait_until_judged(case, timeout_seconds=PIPELINE_SECONDS)
    pipeline.wait_idle()
    leave_only(pipeline, cases)
    return cases


def leave_only(pipeline, cases):
    """Delete what other modules left in the database: a run is of all that is stale."""
    with pipeline.sessions.begin() as session:
        session.execute(delete(SignatureDraft))
        others = Case.id.not_in(cases) & Case.deleted_at.is_(None)
        session.execute(update(Case).where(others).values(deleted_at=func.now()))


def make_stale(pipeline, cases):
    with pipeline.sessions.begin() as session:
        session.execute(update(CaseScreen).where(CaseScreen.case_id.in_(cases)).values(engine="older"))
        session.execute(update(Reading).where(Reading.case_id.in_(cases)).values(reader="older"))


def rows(pipeline, cases):
    """Return what a case is made of: the ids and places of evidence, facts and verdicts."""
    with pipeline.sessions() as session:
        evidence = select(Evidence.case_id, Evidence.id, Evidence.captured_path, Evidence.state)
        facts = select(Fact.case_id, func.count()).group_by(Fact.case_id)
        verdicts = select(Finding.case_id, Finding.id, Finding.signature, Finding.verdict)
        return [
            sorted(map(tuple, session.execute(query.where(table.case_id.in_(cases)))), key=str)
            for query, table in ((evidence, Evidence), (facts, Fact), (verdicts, Finding))
        ]


def run_to_end(pipeline, web, **chosen):
    begun = web.post(RUNS, json=chosen)
    assert begun.status_code == 202, begun.text
    return ended(pipeline, web, begun.json()["id"])


def ended(pipeline, web, run_id):
    until(
        lambda: web.get(f"{RUNS}/{run_id}").json()["state"] != "running",
        seconds=PIPELINE_SECONDS,
        every=0.2,
        output=pipeline._logs,
    )
    return web.get(f"{RUNS}/{run_id}").json()


def test_a_stale_case_is_read_and_judged_again_and_keeps_every_id(pipeline, web, judged):
    before = rows(pipeline, judged)
    make_stale(pipeline, judged)
    counted = web.post(f"{RUNS}/count", json={}).json()
    assert (counted["cases"], counted["files"]) == (4, 3 + len(TEXTS))
    run = run_to_end(pipeline, web)
    assert (run["state"], run["done"], run["total"], run["changes"]) == ("done", 4, 4, {"none": 4})
    assert rows(pipeline, judged) == before
    with pipeline.sessions() as session:
        assert set(session.scalars(select(CaseScreen.engine))) == {engine_version()}
        assert "older" not in set(session.scalars(select(Reading.reader)))
    assert web.post(f"{RUNS}/count", json={}).json() == {"cases": 0, "files": 0, "file_bytes": 0, "drafts": 0}
    assert run_to_end(pipeline, web)["done"] == 0


def test_what_changed_is_listed_with_verdicts_and_headlines_before_and_after(pipeline, web, judged):
    with pipeline.sessions.begin() as session:
        is_match = (Finding.case_id == judged[0]) & (Finding.verdict == "match")
        session.execute(update(Finding).where(is_match).values(verdict="suspect"))
        is_old = CaseScreen.case_id.in_([judged[0], judged[-1]])
        session.execute(update(CaseScreen).where(is_old).values(engine="older"))
    run = run_to_end(pipeline, web)
    assert run["changes"] == {"suspect_to_match": 1, "none": 1}
    [changed] = web.get(f"{RUNS}/{run['id']}/cases", params={"changed": True}).json()["items"]
    assert changed["case_id"] == str(judged[0])
    assert {(one["before"], one["after"]) for one in changed["verdicts"]} == {("suspect", "match")}
    assert changed["before"] == changed["after"] != ""


def test_only_the_chosen_case_is_done_and_other_versions_do_not_matter_with_all(pipeline, web, judged):
    number = web.get(f"/api/v1/cases/{judged[0]}").json()["number"]
    assert run_to_end(pipeline, web, case=str(number))["done"] == 0
    assert run_to_end(pipeline, web, case=str(number), all=True)["done"] == 1
    assert run_to_end(pipeline, web, all=True, until="2001-01-01T00:00:00Z")["done"] == 0


def running_worker(pipeline):
    """Return the pid of the worker that has a step, 0 when none has."""
    with pipeline.sessions() as session:
        is_step = (Job.state == "running") & (Job.kind == "reprocessing.step")
        return int((session.scalar(select(Job.worker).where(is_step)) or ":0").rpartition(":")[2])


def test_a_killed_worker_loses_and_repeats_nothing(pipeline, web, judged):
    before = rows(pipeline, judged)
    make_stale(pipeline, judged)
    environment = {
        "CASEBOOK_DATA_DIR": str(pipeline.settings.data_dir),
        "CASEBOOK_DATABASE_URL": pipeline.settings.effective_database_url,
        "CASEBOOK_BROKER_URL": pipeline.settings.effective_broker_url,
    }
    command = [sys.executable, "-m", "cli", "worker"]
    with pipeline.stopped_worker():
        begun = web.post(RUNS, json={}).json()
        with subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.DEVNULL) as second:
            until(lambda: running_worker(pipeline) == second.pid, every=0.02)
            second.kill()
    run = ended(pipeline, web, begun["id"])
    assert (run["state"], run["changes"]) == ("done", {"none": 4})
    assert rows(pipeline, judged) == before
    with pipeline.sessions() as session:
        done = session.scalars(
            select(ReprocessedCase.case_id).where(ReprocessedCase.run_id == begun["id"])
        ).all()
    assert sorted(done) == sorted(judged)


def test_a_second_run_waits_and_a_cancelled_one_leaves_every_case_whole(pipeline, web, judged):
    before = rows(pipeline, judged)
    make_stale(pipeline, judged)
    with pipeline.stopped_worker():
        begun = web.post(RUNS, json={}).json()
        assert web.post(RUNS, json={}).status_code == 409
        cancelled = web.post(f"{RUNS}/{begun['id']}/cancel", json={}).json()
    assert cancelled["state"] == "cancelled"
    assert cancelled["reason"].startswith("cancelled by ")
    assert web.post(f"{RUNS}/{begun['id']}/cancel", json={}).status_code == 409
    assert rows(pipeline, judged) == before
    assert run_to_end(pipeline, web)["done"] == 4
    assert rows(pipeline, judged) == before


def test_a_draft_is_judged_again_and_one_that_cannot_be_read_says_why(pipeline, web, judged):
    def folder(signature):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("mm/mine/signature.yaml", signature)
            archive.writestr("mm/mine/evidence/pos-case/stack.txt", (PUBLISHED / TEXTS[1]).read_bytes())
        return pipeline.store.put_bytes(packed.getvalue())

    text = next(iter(sorted(Path("signatures/library/mm").glob("*/signature.yaml")))).read_text()
    text = text.replace(text.split("id: ", 1)[1].splitlines()[0], "mm/mine", 1)
    values = {"case_id": judged[0], "state": "ready", "author": "me", "report": {"left": ["a story"]}}
    with pipeline.sessions.begin() as session:
        for content in (text, text.replace("clauses:", "no_such_key: 1\nclauses:")):
            session.add(
                SignatureDraft(signature_id="mm/mine", zip_sha256=folder(content), zip_bytes=1, **values)
            )
    assert run_to_end(pipeline, web)["done"] == 2
    with pipeline.sessions() as session:
        read, unread = session.scalars(select(SignatureDraft).order_by(SignatureDraft.id))
        assert read.reason == ""
        assert read.report["verdict"] in {"match", "suspect", "unknown", "no_match", "not_applicable"}
        assert read.report["left"] == ["a story"]
        assert "this version cannot read the folder" in unread.reason
        assert "no_such_key" in unread.reason
        assert {read.engine, unread.engine} == {engine_version()}
    with pipeline.sessions.begin() as session:
        session.execute(delete(SignatureDraft))
