"""Provisional findings: the first part of a long perf script is judged while the rest uploads."""

from __future__ import annotations

import gzip
import hashlib
import lzma
from functools import partial

import httpx
import pytest
from sqlalchemy import select

from backend.accounts import service as accounts
from backend.core.event import Event
from backend.evidence.sample_cases import SAMPLES
from ingest.model.zstd import zstd
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.backend.uploads.test_routes import begin, place, send

SCRIPT = gzip.decompress((SAMPLES / "reclaim-at-the-limit/perf.script.txt.gz").read_bytes())
HALF = len(SCRIPT) // 2 + 1000


@pytest.fixture
def tus(pipeline):
    """A client of a server that shows the first third of anything."""
    with pipeline.sessions.begin() as session:
        token = accounts.create_api_token(session, name="test")
    settings = pipeline.settings.model_copy(update={"preview_bytes": len(SCRIPT) // 3})
    app = create_app(settings, sessions=pipeline.sessions, store=pipeline.store)
    headers = {"Authorization": f"Bearer {token}", "Tus-Resumable": "1.0.0"}
    with (
        serving(app) as address,
        httpx.Client(base_url=f"{address}/api/v1", headers=headers) as client,
    ):
        yield client


@pytest.fixture
def shown(tus, pipeline):
    """Where an upload is and the number of its case, after a little more than half of it came."""
    answer = begin(tus, size=len(SCRIPT))
    send(tus, place(answer), 0, SCRIPT[:HALF])
    pipeline.wait_idle()
    return place(answer), answer.json()["case_number"]


def evidence(tus, number):
    return tus.get(f"/cases/{number}/evidence").json()["items"]


def findings(tus, number):
    return tus.get(f"/cases/{number}/findings", params={"all": True}).json()["items"]


def listed(findings):
    return [one for one in findings if one["verdict"] in {"match", "suspect"}]


def test_a_preview_ends_with_a_complete_sample(tus, shown):
    (part,) = evidence(tus, shown[1])
    assert (part["is_partial"], part["state"]) == (True, "read")
    assert part["size_bytes"] <= HALF
    content = tus.get(f"/evidence/{part['id']}/content").content
    assert SCRIPT.startswith(content)
    assert content.endswith(b"\n\n")
    assert part["sections"][0]["profiles"][0]["samples"] > 0
    assert part["sections"][0]["skipped"] == []


def test_preview_findings_are_provisional_and_not_counted(tus, shown, pipeline):
    shown_findings = [one for one in findings(tus, shown[1]) if one["verdict"] != "not_applicable"]
    assert any(one["is_provisional"] for one in shown_findings)
    assert not any(one["is_provisional"] is False for one in listed(shown_findings))
    case = tus.get(f"/cases/{shown[1]}").json()
    assert case["headline"] is None
    assert case["arriving_count"] == 1
    with pipeline.sessions() as session:
        judged = session.scalars(
            select(Event).where(Event.kind == "findings.judged", Event.case_id == case["id"])
        ).all()
    assert all(event.payload["findings"] == [] for event in judged)


def test_the_complete_file_replaces_the_preview_under_the_same_id(tus, shown, pipeline):
    (part,) = evidence(tus, shown[1])
    send(tus, shown[0], HALF, SCRIPT[HALF:])
    pipeline.wait_idle()
    (whole,) = evidence(tus, shown[1])
    assert (whole["id"], whole["is_partial"]) == (part["id"], False)
    assert whole["sha256"] == hashlib.sha256(SCRIPT).hexdigest()
    assert not any(one["is_provisional"] for one in findings(tus, shown[1]))


def test_an_aborted_upload_removes_its_preview(tus, shown, pipeline):
    assert len(evidence(tus, shown[1])) == 1
    assert tus.delete(shown[0]).status_code == 204
    pipeline.wait_idle()
    assert evidence(tus, shown[1]) == []
    assert listed(findings(tus, shown[1])) == []


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [
        (".gz", partial(gzip.compress, compresslevel=1)),
        (".xz", partial(lzma.compress, preset=0)),
        (".zst", zstd.compress),
    ],
)
def test_a_compressed_script_is_previewed_as_its_text(tus, pipeline, suffix, compress):
    # Several recordings, since one is shorter than a block of xz and zstd.
    text = SCRIPT * 4
    packed = compress(text)
    answer = begin(tus, size=len(packed), filename=f"perf.script{suffix}")
    send(tus, place(answer), 0, packed[: len(packed) // 2 + 1000])
    pipeline.wait_idle()
    (part,) = evidence(tus, answer.json()["case_number"])
    assert (part["is_partial"], part["filename"]) == (True, f"perf.script{suffix}")
    content = tus.get(f"/evidence/{part['id']}/content").content
    assert len(content) > len(SCRIPT) // 3
    assert text.startswith(content)
    assert content.endswith(b"\n\n")
    send(tus, place(answer), len(packed) // 2 + 1000, packed[len(packed) // 2 + 1000 :])
    pipeline.wait_idle()
    (whole,) = evidence(tus, answer.json()["case_number"])
    assert (whole["id"], whole["is_partial"]) == (part["id"], False)


def test_only_perf_scripts_are_previewed(tus, pipeline):
    log = b"[    1.000000] usb 1-1: new high-speed USB device\n\n" * (len(SCRIPT) // 40)
    answer = begin(tus, size=len(log), filename="dmesg.txt")
    send(tus, place(answer), 0, log[: len(log) // 2 + 1000])
    pipeline.wait_idle()
    assert evidence(tus, answer.json()["case_number"]) == []
