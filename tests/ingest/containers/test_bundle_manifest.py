"""Bundle manifest: evidence of a handoff gets its host, boot and phase."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from ingest.containers import bundle_manifest
from ingest.evidence import read_bytes
from ingest.model.errors import MalformedInputError
from ingest.model.evidence import Placement
from signatures.judging.scope import items_of

VMSTAT = Path("tests/data/files/machine/proc/vmstat").read_bytes()
PATHS = ("evidence/01/proc/vmstat", "evidence/02/proc/vmstat")
DB1, DB2 = Placement("db1", "boot-a", "before"), Placement("db2", "", "during")


def bundle(*rows: dict[str, object], more: str = "") -> bytes:
    manifest = json.dumps({"format": "casebook-bundle", "members": rows}).encode() + more.encode()
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for path, content in [(bundle_manifest.MANIFEST, manifest), *((path, VMSTAT) for path in PATHS)]:
            member = tarfile.TarInfo(path)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return written.getvalue()


def row(path: str, placement: Placement) -> dict[str, object]:
    return {"path": path, **placement._asdict()}


def test_the_same_bytes_at_the_same_path_of_two_hosts_stay_two():
    read = read_bytes(bundle(row(PATHS[0], DB1), row(PATHS[1], DB2)), name="case-1.casebook.tar.zst")
    assert [one.placed for one in read.members] == [DB1, DB2]
    assert [one.captured_path for one in read.members] == ["proc/vmstat", "proc/vmstat"]
    assert len({one.name for one in read.members}) == 2


def test_without_a_service_it_is_judged_by_host_and_phase_too():
    read = read_bytes(bundle(row(PATHS[0], DB1), row(PATHS[1], DB2)), name="case-1.casebook.tar.zst")
    items = items_of([read], phase="after")
    assert {Placement(item.host, item.boot, item.phase) for item in items} == {DB1, DB2}


def test_a_bundle_that_places_nothing_opens_as_one_of_our_own_archives():
    read = read_bytes(bundle(*({"path": path} for path in PATHS)), name="old.casebook.tar.zst")
    assert [one.placed for one in read.members] == [None, None]
    assert {item.phase for item in items_of([read], phase="after")} == {"after"}


@pytest.mark.parametrize(
    "broken",
    [
        {"rows": [], "more": "}"},
        {"rows": [{"path": PATHS[0], "host": "db1", "boot": "", "phase": "later"}]},
        {"rows": [{"path": PATHS[0], "host": "db\x00", "boot": "", "phase": "before"}]},
        {"rows": [{"path": PATHS[0], "host": "d" * 301, "boot": "", "phase": "before"}]},
        {"rows": [{"path": PATHS[0], "host": "\ud800", "boot": "", "phase": "before"}]},
        {"rows": [{"path": PATHS[0], "phase": "before"}]},
        {"rows": ["evidence"]},
    ],
)
def test_a_broken_manifest_loses_placement_but_no_evidence(broken):
    read = read_bytes(bundle(*broken["rows"], more=broken.get("more", "")), name="x.casebook.tar.zst")
    assert (read.state, [one.placed for one in read.members]) == ("read", [None, None])
    assert any("hosts and phases are those that the evidence states" in one.reason for one in read.skipped)


def test_a_malformed_placement_is_reported_with_its_file():
    with pytest.raises(MalformedInputError, match=r"'a' in manifest.json has no phase that there is: before"):
        bundle_manifest.placement({"path": "a", "host": "", "boot": "", "phase": []})
