"""Rounds of `make fault` are reproducible by seed, run once, and report their outcome."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

from benchmarks.fault import processes
from benchmarks.fault.parts import COMPONENTS, Log, Outcome, Round, rounds, table
from benchmarks.fault.rounds import SAMPLES, evidence_of
from ingest.evidence import read_file

if TYPE_CHECKING:
    from pathlib import Path


def test_components_are_killed_round_robin():
    first = [one.component for one in rounds(COMPONENTS, 25)][: len(COMPONENTS)]
    assert first == list(COMPONENTS)


def test_kill_moments_rotate_and_a_full_disk_is_among_them():
    assert [Round("api", number).moment for number in range(4)] == ["upload", "read", "judge", "upload"]
    assert {Round("disk", number).moment for number in range(4)} == {"upload"}


def test_an_interrupted_run_resumes(tmp_path: Path):
    path = tmp_path / "7.jsonl"
    Log(path).add(Outcome("api", 0, "upload", 0, 0, 4.2, ""))
    again = Log(path)
    assert again.has(Round("api", 0))
    assert not again.has(Round("api", 1))
    assert [one for one in rounds(["api"], 2) if not again.has(one)] == [Round("api", 1)]


def test_the_table_counts_lost_and_late_items():
    told = table(
        [
            Outcome("worker", 0, "upload", 0, 0, 2.0, ""),
            Outcome("worker", 3, "upload", 1, 2, 61.0, "samples read: []", orphans=4),
            Outcome("worker", 6, "upload", 0, 0, None, "GET /cases: 503"),
        ]
    )
    assert told.splitlines()[2:] == ["| worker | upload | 3 | 1 | 2 | 4 | 1 of 3 | 31.5 | 61.0 |"]


def test_a_process_that_outlives_its_parent_is_an_orphan_of_its_instance(tmp_path: Path):
    environment = {**os.environ, "CASEBOOK_DATA_DIR": str(tmp_path)}
    child = subprocess.Popen(["sleep", "600"], env=environment)
    started = ["sh", "-c", "setsid sleep 600 >&- & echo $!"]
    orphan = int(subprocess.run(started, env=environment, check=True, stdout=subprocess.PIPE).stdout)
    try:
        assert processes.orphans_of(tmp_path, within_seconds=0) == [orphan]
        assert processes.orphans_of(tmp_path / "another", within_seconds=0) == []
    finally:
        child.kill()
        child.wait()
        os.kill(orphan, signal.SIGKILL)
    assert processes.orphans_of(tmp_path, within_seconds=300) == []


def test_each_round_has_its_own_complete_file(tmp_path: Path):
    content = evidence_of(Round("api", 3).seed(7))
    assert content != evidence_of(Round("api", 4).seed(7))
    assert content == evidence_of(Round("api", 3).seed(7))
    file = tmp_path / "perf.script"
    file.write_bytes(content)
    (section,) = read_file(file).sections
    (profile,) = section.reading.profiles
    assert profile.samples == SAMPLES
