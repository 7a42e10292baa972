"""A download has the bytes that were sent, or fails; the same bytes sent again heal the store."""

from __future__ import annotations

import base64
import hashlib
from collections import deque
from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy import select

from backend.core.jobs.runner import run_job
from backend.core.storage.object_store import CHUNK_BYTES, blob_key
from backend.models import Blob, Case, Evidence, EvidenceState, Job, JobState
from tests.backend.conftest import PATIENT

if TYPE_CHECKING:
    from pathlib import Path

SMALL = b"main;read_file;copy_to_user 42\n"
LARGE = b"main;read_file 42\n" * (3 * CHUNK_BYTES // 18)


@pytest.fixture
def stored(sessions, store, tmp_path):
    """Store bytes as evidence; return its id and the file of the object."""

    def make(content: bytes) -> tuple[str, Path]:
        sha256 = store.put_bytes(content)
        with sessions.begin() as session:
            case = Case(title="rot")
            session.add_all([case, Blob(sha256=sha256, size_bytes=len(content))])
            session.flush()
            evidence = Evidence(
                case_id=case.id,
                filename="stacks.folded",
                sha256=sha256,
                size_bytes=len(content),
                state=EvidenceState.READ,
                line_count=content.count(b"\n"),
            )
            session.add(evidence)
            session.flush()
            return str(evidence.id), tmp_path / "data" / "store" / blob_key(sha256)

    return make


def flip(file: Path, at: int) -> None:
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)


@pytest.mark.parametrize("content", [SMALL, LARGE, b""], ids=["small", "large", "empty"])
def test_a_download_states_the_digest_of_its_bytes(web, stored, content):
    evidence_id, _ = stored(content)
    got = web.get(f"/evidence/{evidence_id}/content", headers={"Accept-Encoding": "gzip"})
    assert (got.status_code, got.content == content) == (200, True)
    expected = base64.b64encode(hashlib.sha256(content).digest()).decode()
    assert got.headers["repr-digest"] == f"sha-256=:{expected}:"
    # Of what is sent: a content coding would be another representation.
    assert "content-encoding" not in got.headers
    assert got.headers["content-length"] == str(len(content))
    assert "no-transform" in got.headers["cache-control"]


def test_damaged_and_missing_bytes_have_one_sentence_each_for_download_and_lines(web, stored):
    evidence_id, file = stored(SMALL)
    flip(file, 3)
    for code in ("DamagedBytes", "MissingBytes"):
        answers = [web.get(f"/evidence/{evidence_id}/{what}") for what in ("content", "lines")]
        assert [(one.status_code, one.json()["code"]) for one in answers] == [(500, code)] * 2
        download, lines = (one.json()["detail"] for one in answers)
        assert download == lines
        assert hashlib.sha256(SMALL).hexdigest() in download
        file.unlink(missing_ok=True)


@pytest.mark.parametrize("damage", ["first bit", "last bit", "cut off"])
def test_a_large_download_of_damaged_bytes_is_an_error_for_its_client(web, stored, damage):
    evidence_id, file = stored(LARGE)
    if damage == "cut off":
        file.write_bytes(LARGE[: CHUNK_BYTES + 5])
    else:
        flip(file, 0 if damage == "first bit" else -1)
    with web.stream("GET", f"/evidence/{evidence_id}/content") as answer:
        chunks = answer.iter_raw()
        with pytest.raises(httpx.RemoteProtocolError):
            deque(chunks, maxlen=0)
        assert answer.status_code == 200
        assert CHUNK_BYTES <= answer.num_bytes_downloaded < len(LARGE)


@pytest.mark.parametrize("damage", ["missing", "damaged"])
def test_the_same_bytes_sent_again_heal_the_evidence(web, stored, damage):
    evidence_id, file = stored(SMALL)
    file.unlink() if damage == "missing" else flip(file, 0)
    assert web.get(f"/evidence/{evidence_id}/content").status_code == 500
    sent = web.post("/evidence", files={"files": ("another name", SMALL)})
    assert sent.status_code == 202, sent.text
    assert web.get(f"/evidence/{evidence_id}/content").content == SMALL


def test_a_reading_of_damaged_bytes_fails_with_that_sentence_and_succeeds_once_they_are_healed(
    web, sessions, store, app_settings, tmp_path
):
    patient = app_settings.model_copy(update=PATIENT)
    content = SMALL * 40_000  # too large for a batch
    [sent] = web.put("/evidence/stacks.folded", content=content).json()["evidence"]

    def read() -> dict[str, str]:
        with sessions() as session:
            query = select(Job.id).where(Job.subject_id == sent["id"], Job.state == JobState.QUEUED)
            job_id = session.scalars(query).one()
        assert run_job(job_id, patient, sessions, store) is JobState.DONE
        return web.get(f"/evidence/{sent['id']}").json()

    file = tmp_path / "data" / "store" / blob_key(hashlib.sha256(content).hexdigest())
    flip(file, 0)
    failed = read()
    problem = web.get(f"/evidence/{sent['id']}/content").json()
    assert (failed["state"], failed["reason"]) == ("failed", problem["detail"])
    assert web.put("/evidence/again.folded", content=content).status_code == 202
    assert web.post(f"/evidence/{sent['id']}/retry").status_code == 202
    assert read()["state"] == "read"
