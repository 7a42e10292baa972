"""Pages of a case with a damaged reading: a sentence where it is shown, and all else stands."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import select

from backend.models.reading import Reading
from backend.models.section import Section
from ingest.readers.bpf import bpftrace_text
from ingest.readers.profilers import folded
from ingest.readers.sysstat import pidstat
from tests.backend.stored_evidence import new_case, store_evidence

STACKS = Path("tests/data/folded/perf-ordered-folded.txt")
PIDSTAT = Path("tests/data/pidstat/pidstat.processes.txt")
HISTOGRAM = Path("tests/data/published/vanishing-cpu/bpftrace-mmap_lock-hold.txt")


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    for path, reader in ((STACKS, folded), (PIDSTAT, pidstat), (HISTOGRAM, bpftrace_text)):
        store_evidence(session, store, tmp_path, case, path.read_bytes(), reader, name=path.name)
    store_evidence(session, store, tmp_path, case, b"main;read 3\n", folded, name="whole.folded")
    session.commit()
    return case


@pytest.fixture
def folder_of(session, store):
    def found(evidence_id):
        query = select(Reading.store_key).join(Section).where(Section.evidence_id == evidence_id)
        [key] = session.scalars(query)
        return key, store.folder(key)

    return found


def damage(folder, column):
    [path] = folder.glob(f"*{column}.col.zst")
    path.chmod(0o600)
    stored = path.read_bytes()
    path.write_bytes(stored[:-1] + bytes([stored[-1] ^ 1]))
    return path, stored


def test_views_and_exports_of_a_damaged_profile_name_its_reading(web, case, folder_of):
    profiles = {
        one["evidence_name"]: one for one in web.get(f"/cases/{case.number}/profiles").json()["items"]
    }
    hurt, whole = profiles[STACKS.name], profiles["whole.folded"]
    key, folder = folder_of(hurt["evidence_id"])
    path, stored = damage(folder, "node_parent")
    base = {"params": {"base": whole["id"]}}
    for question in ("/graph", "/whole", "/top", "/nodes/0/lines", "/folded", ".svg", ".speedscope.json"):
        answer = web.get(f"/profiles/{hurt['id']}{question}")
        assert answer.status_code == 422, (question, answer.text)
        assert answer.json()["code"] == "NotComputed"
        assert f"the object store has damaged the reading {key}; restore the object" in answer.text
    assert web.get(f"/profiles/{hurt['id']}/diff", **base).status_code == 422
    assert web.get(f"/profiles/{whole['id']}/graph").status_code == 200
    path.write_bytes(stored)
    assert web.get(f"/profiles/{hurt['id']}/graph").status_code == 200
    assert web.get(f"/profiles/{hurt['id']}/diff", **base).status_code == 200
    shutil.rmtree(folder)
    answer = web.get(f"/profiles/{hurt['id']}.firefox.json")
    assert answer.status_code == 422
    assert f"the object store has lost the reading {key}" in answer.text


def test_lists_of_series_and_histograms_leave_a_damaged_reading_out(web, session, case, folder_of):
    address = f"/cases/{case.number}"
    series = web.get(f"{address}/series").json()
    histograms = web.get(f"{address}/histograms").json()
    assert series["unreadable"] == histograms["unreadable"] == []
    rows = next(one for one in series["items"] if one["name"] == "pidstat")
    key, folder = folder_of(rows["evidence_id"])
    path, stored = damage(folder, "row_sets")
    other, lost = folder_of(histograms["items"][0]["evidence_id"])
    shutil.rmtree(lost)
    # A new revision of the evidence, so that no kept answer stands.
    case.evidence_rev += 1
    session.commit()
    hurt = web.get(f"{address}/series")
    assert hurt.status_code == 200
    assert hurt.headers["cache-control"] == "no-store"
    assert rows["id"] not in {one["id"] for one in hurt.json()["items"]}
    assert any(f"damaged the reading {key}" in sentence for sentence in hurt.json()["unreadable"])
    assert f"lost the reading {other}" in web.get(f"{address}/histograms").json()["unreadable"][0]
    refused = web.get(f"{address}/series/{rows['id']}")
    assert (refused.status_code, refused.json()["code"]) == (422, "NotComputed")
    path.write_bytes(stored)
    assert rows["id"] in {one["id"] for one in web.get(f"{address}/series").json()["items"]}
