"""Verdicts change when a number crosses its threshold."""

from __future__ import annotations

import gzip
import re

import pytest
import yaml

from ingest.evidence import read_bytes
from signatures.document.files import LIBRARY
from tests.signatures.evidence import DATA, PUBLISHED, findings_of, judge_text

LIVELOCK = "mm/shrink-lruvec-livelock"
MMAP = "mm/mmap-lock-held-in-reclaim"
PARENT = "mm/memcg-limit-reclaim"
EDITS = yaml.safe_load((DATA / "expected" / "edits.yaml").read_text())


def name_of(row):
    return f"{row.get('file') or row['library']}: {row['clause']} {row['state']}"


@pytest.mark.parametrize("row", EDITS, ids=name_of)
def test_the_verdict_follows_the_number(row, catalog):
    text = (PUBLISHED / row["file"] if "file" in row else LIBRARY / row["library"]).read_text()
    for old, new in row["edits"]:
        assert old in text
        text = text.replace(old, new)
    found = judge_text(text, catalog)[row["signature"]]
    assert {s.clause.id: s.state.value for s in found.clauses}[row["clause"]] == row["state"]
    assert found.verdict == row["verdict"]


def test_holds_under_a_second_are_not_long(catalog):
    lines = (PUBLISHED / "vanishing-cpu/bpftrace-mmap_lock-hold.txt").read_text().splitlines()
    short = [line for line in lines if " us" not in line or int(line.split(": ")[-1].split()[0]) < 1_000_000]
    short = [line for line in short if not line.startswith(("[1M,", "[4M,", "[128M,"))]
    found = judge_text("\n".join(short), catalog)[MMAP]
    assert {s.clause.id: s.state.value for s in found.clauses}["long_hold"] == "FALSE"
    assert found.verdict in ("unknown", "no_match")


def thrash(changes):
    folder = LIBRARY / "mm/memcg-limit-reclaim/evidence/pos-cgroup-v2-classic"
    evidences = []
    for path in sorted(folder.iterdir()):
        if path.name in ("expect.yaml", "PROVENANCE.md"):
            continue
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = content.decode()
        name = path.name.removesuffix(".gz")
        for old, new in changes.get(name, []):
            assert old in text
            text = text.replace(old, new)
        evidences.append(read_bytes(text.encode(), name=name, captured_path=name))
    return evidences


@pytest.mark.parametrize(
    ("changes", "parent", "livelock"),
    [
        ({}, "match", ("no_match",)),
        # Two of a hundred pages freed: neither progress nor a livelock.
        ({"memory.stat": [("pgsteal 60030", "pgsteal 2500")]}, "no_match", ("no_match",)),
        # Three of a hundred thousand: the livelock, though the profile's leaves do not say so.
        ({"memory.stat": [("pgsteal 60030", "pgsteal 3")]}, "no_match", ("suspect", "match")),
        (
            {"perf.script.fields_full.txt": [("try_to_free_mem_cgroup_pages", "try_to_free_pages")]},
            "no_match",
            ("no_match",),
        ),
    ],
)
def test_progress_separates_work_from_livelock(changes, parent, livelock, catalog):
    found = findings_of(thrash(changes), catalog)
    assert found[PARENT].verdict == parent
    assert found[LIVELOCK].verdict in livelock


@pytest.mark.parametrize(("current", "state"), [("268353536", "TRUE"), ("263066746", "FALSE")])
def test_at_the_limit_means_98_percent(current, state, catalog):
    found = findings_of(thrash({"memory.current": [("268353536", current)]}), catalog)[PARENT]
    assert {s.clause.id: s.state.value for s in found.clauses}["at_limit"] == state


@pytest.mark.parametrize(("count", "state"), [(5, "TRUE"), (4, "UNKNOWN")])
def test_five_threads_asleep_are_a_queue(count, state, catalog):
    text = (LIBRARY / "mm/mmap-lock-contention/evidence/unk-threads-asleep/threads.txt").read_text()
    waiting = [
        part
        for part in re.split(r"(?m)^(?===> \S+/comm <==)", text)
        if "__vm_munmap" in part or "lock_mm_and_find_vma" in part
    ]
    found = judge_text("".join(waiting[:count]), catalog)["mm/mmap-lock-contention"]
    assert {s.clause.id: s.state.value for s in found.clauses}["asleep"] == state
