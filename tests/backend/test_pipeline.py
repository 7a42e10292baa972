"""End to end with a real worker: evidence in by REST, cited findings and a flame graph out."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import httpx
import pytest

from backend.accounts import service as accounts
from backend.client import Client, ClientError
from backend.evidence.sample_cases import SAMPLES
from backend.models.evidence import Evidence
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.pipeline import PIPELINE_SECONDS
from tests.waiting import until

SAMPLE = SAMPLES / "reclaim-at-the-limit"
PERF_SCRIPT = SAMPLE / "perf.script.txt.gz"
JPEG = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 20


@pytest.fixture(scope="module")
def address(pipeline):
    with serving(create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)) as url:
        yield url


@pytest.fixture(scope="module")
def token(pipeline):
    with pipeline.sessions.begin() as session:
        return accounts.create_api_token(session, name="pipeline")


@pytest.fixture(scope="module")
def casebook(address, token):
    with Client(address, token=token) as client:
        yield client


@pytest.fixture(scope="module")
def reclaim(casebook):
    """The recorded case, dropped as a folder, judged."""
    files = [
        (f"{SAMPLE.name}/{path.relative_to(SAMPLE).as_posix()}", path)
        for path in sorted(SAMPLE.rglob("*"))
        if path.is_file() and path.name != "PROVENANCE.md"
    ]
    received = casebook.post_files(files)
    return casebook.wait_until_judged(received.case.id, timeout_seconds=PIPELINE_SECONDS)


def signatures_of(report):
    return [one for one in report.items if one.kind == "signature"]


def read_one(casebook, content, name="file", tmp_path=None):
    path = tmp_path / "content"
    path.write_bytes(content)
    received = casebook.put_file(path, name=name)
    casebook.wait_until_judged(received.case.id, timeout_seconds=PIPELINE_SECONDS)
    return casebook.evidence(received.case.id)[0]


def test_a_dropped_folder_ends_in_a_match_with_citations_that_lead_to_the_lines(casebook, reclaim):
    assert reclaim.headline is not None
    assert (reclaim.headline.signature, reclaim.headline.verdict) == ("mm/memcg-limit-reclaim", "match")
    report = casebook.findings(reclaim.id, with_all=True)
    assert report.judged_rev == report.evidence_rev
    findings = {finding.signature: finding for finding in signatures_of(report)}
    assert findings["mm/shrink-lruvec-livelock"].verdict not in {"match", "suspect"}
    match = findings["mm/memcg-limit-reclaim"]
    cited = [
        citation for clause in match.conditions if clause.state == "TRUE" for citation in clause.citations
    ]
    assert cited
    for citation in cited[:10]:
        lines = casebook.lines(citation.evidence_id, first=citation.first_line, last=citation.last_line)
        assert lines.last_line == min(citation.last_line, citation.first_line + 1999)


def test_every_file_of_the_folder_was_read(casebook, reclaim):
    evidence = casebook.evidence(reclaim.id)
    assert {one.state for one in evidence} == {"read"}
    perf = next(one for one in evidence if one.filename == PERF_SCRIPT.name)
    assert [section.format for section in perf.sections] == ["perf-script"]
    assert perf.sections[0].profiles[0].samples > 0


def test_the_graph_conserves_the_weight_and_marks_the_cited_nodes(casebook, reclaim):
    profile = casebook.profiles(reclaim.id)[0]
    graph = casebook.graph(profile.id, min_share=0.0)
    assert graph.total_weight == pytest.approx(profile.weight)
    assert sum(graph.self) == pytest.approx(profile.weight)
    report = casebook.findings(reclaim.id, with_all=True)
    nodes = {
        node
        for finding in signatures_of(report)
        for clause in finding.conditions
        for citation in clause.citations
        if citation.profile_id == str(profile.id)
        for node in citation.nodes
    }
    assert nodes
    assert nodes <= set(graph.node)


def test_the_worker_is_another_process_than_the_api(pipeline, reclaim):
    assert reclaim.judged
    with pipeline.sessions() as session:
        from backend.models.job import Job

        workers = {worker for (worker,) in session.query(Job.worker).filter(Job.kind == "evidence.batch")}
    import os

    assert workers
    assert not any(worker.endswith(f":{os.getpid()}") for worker in workers)


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (b"", "empty.txt", "empty"),
        (JPEG, "perf.script", "JPEG"),
        (PERF_SCRIPT.read_bytes()[:20_000], "perf.script.gz", "ends early"),
    ],
)
def test_bad_input_is_rejected_with_a_sentence_and_the_worker_lives(
    casebook, tmp_path, content, name, sentence
):
    evidence = read_one(casebook, content, name, tmp_path)
    assert evidence.state == "rejected"
    assert sentence.lower() in evidence.reason.lower()
    assert read_one(casebook, b"nothing we know\n", "note.txt", tmp_path).state == "read"


def test_rejected_evidence_can_be_retried_and_has_no_lines(casebook, address, token, tmp_path):
    evidence = read_one(casebook, JPEG, "picture", tmp_path)
    with pytest.raises(ClientError, match="lines exist only after it was read"):
        casebook.lines(evidence.id, first=1, last=2)
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx.post(f"{address}/api/v1/evidence/{evidence.id}/retry", headers=headers)
    assert (answer.status_code, answer.json()["state"]) == (202, "received")
    casebook.wait_until_judged(evidence.case_id, timeout_seconds=PIPELINE_SECONDS)


def test_unknown_text_is_kept_and_shown(casebook, tmp_path):
    evidence = read_one(casebook, b"first\nsecond\n", "note.txt", tmp_path)
    assert [section.format for section in evidence.sections] == ["text"]
    assert casebook.lines(evidence.id, first=2, last=2).lines == ["second"]


def test_archive_members_are_evidence_of_their_own_with_lines(casebook, tmp_path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path in (SAMPLE / "t0" / "proc" / "vmstat", SAMPLE / "cg_during" / "memory.stat"):
            archive.add(path, arcname=f"db7/{path.relative_to(SAMPLE).as_posix()}")
    evidence = read_one(casebook, packed.getvalue(), "db7.tar.gz", tmp_path)
    members = [one for one in casebook.evidence(evidence.case_id) if one.parent_id == evidence.id]
    assert {one.filename for one in members} == {"vmstat", "memory.stat"}
    vmstat = next(one for one in members if one.filename == "vmstat")
    first = Path(SAMPLE, "t0", "proc", "vmstat").read_text().splitlines()[0]
    assert casebook.lines(vmstat.id, first=1, last=1).lines == [first]


def test_nothing_is_left_in_staging_or_scratch(pipeline, reclaim):
    assert reclaim.judged
    pipeline.wait_idle()

    def left() -> list[Path]:
        files = [*pipeline.settings.staging_dir.iterdir(), *pipeline.settings.scratch_dir.iterdir()]
        # A fork that waits for more questions about a profile keeps an empty directory of its own.
        return [path for path in files if not path.name.startswith("questions-")]

    # A job is done before its worker deletes what it used.
    until(lambda: left() == [])
    with pipeline.sessions() as session:
        assert session.query(Evidence).filter(Evidence.state.in_(["received", "reading"])).count() == 0
