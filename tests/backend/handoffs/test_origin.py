"""A bundle uploaded to another instance becomes a case with evidence, verdicts and origin."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import httpx
import pytest

from backend.accounts import service as accounts
from backend.client import Client
from ingest.model.zstd import zstd
from ingest.readers.bpf import bpftrace_text
from ingest.readers.logs import kernel_log
from ingest.readers.proc import proc_vmstat
from signatures.handoff import bundle
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.backend.handoffs.conftest import HOLD, SECRETS, STACKS
from tests.backend.handoffs.test_handoffs import bundle_of, members
from tests.backend.stored_evidence import judge_case, new_case, store_evidence
from tests.pipeline import PIPELINE_SECONDS

VMSTAT = Path("tests/data/files/machine/proc/vmstat").read_bytes()
OOM = Path("tests/data/kernel-log/dmesg-oom.txt").read_bytes()


class Elsewhere:
    """Another instance: its own database, data directory, store and worker."""

    def __init__(self, url, token):
        self.casebook = Client(url, token=token)
        self._web = httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.casebook.close()
        self._web.close()

    def opened(self, tmp_path, content):
        path = tmp_path / "case-1.casebook.tar.zst"
        path.write_bytes(content)
        case = self.casebook.put_file(path).case
        return self.casebook.wait_until_judged(case.id, timeout_seconds=PIPELINE_SECONDS)

    def origins(self, case):
        answer = self._web.get(f"/cases/{case.number}/origins")
        assert answer.status_code == 200, answer.text
        return answer.json()["items"]


@pytest.fixture
def elsewhere(pipeline):
    with serving(create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)) as url:
        with pipeline.sessions.begin() as session:
            token = accounts.create_api_token(session, name="elsewhere")
        with Elsewhere(url, token) as there:
            yield there


@pytest.fixture(scope="module")
def placed(prepared):
    """The bundle of two hosts, with evidence from before, during and after; one file is the same on both."""
    with prepared.sessions.begin() as session:
        case = new_case(session, "db1 stalls, db2 does not")
        for content, reader, name, path, host, phase in (
            (HOLD, bpftrace_text, "hold.txt", "hold.txt", "db1", "during"),
            (STACKS, bpftrace_text, "stacks.txt", "stacks.txt", "db1", "before"),
            (VMSTAT, proc_vmstat, "1", "proc/vmstat", "db1", "during"),
            (VMSTAT, proc_vmstat, "2", "proc/vmstat", "db2", "during"),
            (OOM, kernel_log, "dmesg.txt", "dmesg.txt", "db2", "after"),
        ):
            kept = store_evidence(
                session,
                prepared.store,
                prepared.folder,
                case,
                content,
                reader,
                name=name,
                captured_path=path,
                host=host,
            )
            kept.phase = phase
        session.flush()
        judge_case(session, prepared.store, case.id)
        case_id = case.id
    with prepared.maker(case_id) as maker:
        return bundle_of(maker, maker.made())


def rewritten(content: bytes, name: str, change) -> bytes:
    """Return a bundle with `change` made to its member `name`, which is JSON."""
    plain = zstd.decompress(content)
    written = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(plain)) as old, tarfile.open(fileobj=written, mode="w") as new:
        for member in old:
            text = old.extractfile(member).read()
            if member.name == name:
                manifest = json.loads(text)
                change(manifest)
                text = json.dumps(manifest).encode()
            member.size = len(text)
            new.addfile(member, io.BytesIO(text))
    return zstd.compress(written.getvalue())


def test_an_imported_bundle_keeps_positions_and_verdicts(maker, handoff, elsewhere, tmp_path, case):
    content = bundle_of(maker, handoff)
    there = elsewhere.opened(tmp_path, content)
    evidence = elsewhere.casebook.evidence(there.id)
    paths = [one.captured_path for one in evidence if one.parent_id is not None]
    assert sorted(paths) == ["auth.log", "hold.txt", "stacks.txt"]
    log = next(one for one in evidence if one.captured_path == "auth.log")
    shown = "\n".join(elsewhere.casebook.lines(log.id, first=1, last=3).lines)
    assert "Accepted publickey for" in shown
    assert not [secret for secret in SECRETS if secret in shown]
    (origin,) = elsewhere.origins(there)
    assert (origin["number"], origin["title"]) == (case.number, handoff["title"])
    assert origin["compared"] > 0
    assert (origin["differences"], origin["reason"]) == ([], "")


def unplaced(manifest):
    """Make a manifest what it was without hosts and phases, as in older versions."""
    for row in manifest["members"]:
        for name in ("host", "boot", "phase"):
            row.pop(name, None)


def places(evidence):
    """Return where the files of a case belong, without archives."""
    return sorted((one.captured_path, one.host, one.phase) for one in evidence if one.sections)


def test_an_imported_bundle_keeps_manual_hosts_and_phases(placed, elsewhere, tmp_path):
    rows = json.loads(members(placed)[bundle.MANIFEST])["members"]
    host = {row["path"].rpartition("/")[2]: row["host"] for row in rows if "host" in row}
    first, second = host["hold.txt"], host["dmesg.txt"]
    assert len({first, second, "db1", "db2", ""}) == 5
    there = elsewhere.opened(tmp_path, placed)
    assert places(elsewhere.casebook.evidence(there.id)) == sorted(
        [
            ("hold.txt", first, "during"),
            ("stacks.txt", first, "before"),
            ("proc/vmstat", first, "during"),
            ("proc/vmstat", second, "during"),
            ("dmesg.txt", second, "after"),
        ]
    )
    (origin,) = elsewhere.origins(there)
    assert origin["compared"] > 2
    assert (origin["differences"], origin["reason"]) == ([], "")


def test_a_bundle_without_hosts_opens_with_changed_verdicts(placed, elsewhere, tmp_path):
    content = rewritten(placed, bundle.MANIFEST, unplaced)
    there = elsewhere.opened(tmp_path, content)
    assert {phase for _, _, phase in places(elsewhere.casebook.evidence(there.id))} == {"during"}
    (origin,) = elsewhere.origins(there)
    assert {one["phase"] for one in origin["differences"]} >= {"after"}
    assert {one["host"] for one in origin["differences"]} == {""}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [("phase", "later", "no phase that there is"), ("host", 7, "a host that is no name")],
)
def test_a_manifest_with_invalid_positions_is_reported(placed, tmp_path, key, value, said):
    def change(manifest):
        next(row for row in manifest["members"] if "phase" in row)[key] = value

    path = tmp_path / "x.casebook.tar.zst"
    path.write_bytes(rewritten(placed, bundle.MANIFEST, change))
    with pytest.raises(bundle.BrokenBundleError, match=said):
        bundle.verify(path)


def test_a_manifest_without_case_number_is_reported(placed, tmp_path):
    def change(manifest):
        manifest["case"]["number"] = "7b"

    path = tmp_path / "x.casebook.tar.zst"
    path.write_bytes(rewritten(placed, bundle.MANIFEST, change))
    with pytest.raises(bundle.BrokenBundleError, match="no case number"):
        bundle.verify(path)


def test_a_differing_verdict_is_reported(maker, handoff, elsewhere, tmp_path):
    def change(manifest):
        manifest["findings"][0]["verdict"] = "not_known_here"

    there = elsewhere.opened(tmp_path, rewritten(bundle_of(maker, handoff), bundle.FINDINGS, change))
    (origin,) = elsewhere.origins(there)
    (difference,) = origin["differences"]
    assert difference["before"] == "not_known_here"
    assert difference["after"] == "suspect"


def test_a_case_not_imported_from_a_bundle_has_no_origin(maker):
    assert maker.web.get(f"{maker.url.removesuffix('/handoffs')}/origins").json()["items"] == []
