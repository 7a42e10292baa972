"""`casebook inspect` shows recognised and skipped content."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from cli import main

DATA = Path(__file__).parents[2] / "data"


def run(*words: str, **more):
    return CliRunner().invoke(main, ["inspect", *words], **more)


def test_every_section_shows_lines_format_and_what_it_gives(tmp_path):
    paste = tmp_path / "paste.txt"
    paste.write_text("hello there\n\n==> memory.failcnt <==\n31\n")
    output = run(str(paste)).output
    assert "lines 3-4  cgroup-memory-value @" in output
    assert "memory.failcnt: 1 fact" in output
    assert "stored as text" in output


def test_quality_and_skipped_lines_are_shown_with_their_line():
    output = run(str(DATA / "vmstat/vmstat.narrow.txt")).output
    assert "- skipped 1 x average since boot (first at 3)" in output


def test_a_rejected_file_ends_with_3_and_its_reason():
    asked = run(str(DATA / "bad/junk.bin"))
    assert asked.exit_code == 3
    assert "rejected: " in asked.output


def test_json_says_the_same():
    (output,) = json.loads(run(str(DATA / "perf-sched/latency.txt"), "--json").output)
    assert output["sections"][0]["format"] == "perf-sched"
    assert any("sched_latency" in phrase for phrase in output["sections"][0]["gives"])


def test_an_archive_shows_its_members():
    output = run(str(DATA / "sosreport/sosreport-analytics-db-02.trimmed.tar.xz")).output
    assert "recognised members" in output
    assert "proc/meminfo" in output
