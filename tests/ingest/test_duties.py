"""Every duty that a paste lays on a reader, held by every format in which it can occur."""

from __future__ import annotations

import pytest

from ingest.evidence import read_file
from ingest.readers import FORMATS
from tests.ingest import duties

CELLS = [(duty, one.NAME) for one in FORMATS for duty in duties.DUTIES if duties.can_occur(duty, one.NAME)]


def test_every_format_has_its_sample():
    assert {one.NAME for one in FORMATS} == set(duties.SAMPLES)


@pytest.mark.parametrize(("duty", "name"), CELLS, ids=[f"{name}-{duty}" for duty, name in CELLS])
def test_a_paste_reads_as_the_output_did(duty, name):
    assert not duties.DUTIES[duty](name)


def test_the_page_shows_what_is_tested():
    assert duties.PAGE.read_text(encoding="utf-8") == duties.page()


def test_a_note_behind_a_line_is_counted_with_its_line():
    name = "perf-lock"
    lines = duties.lines_of(name)
    noted = [*lines[:3], f"{lines[3]}   <-- 14 times a second", *lines[4:]]
    (section,) = duties.sections(duties.read(noted), name)
    assert ("a note typed behind a line, not read", 1, 4) in [
        (row.reason, row.count, row.first_line) for row in section.reading.skipped
    ]


def test_what_ftrace_prints_of_a_caller_is_no_note():
    name = "kernel-log"
    lines = ["[   12.000001] BUG: scheduling while atomic: kfree <-sys_exit", *duties.lines_of(name)]
    (section, *_) = duties.sections(duties.read(lines), name)
    assert section.reading.log_records[0].message.endswith("kfree <-sys_exit")


@pytest.mark.parametrize(
    "said", ["Killed", "bash: line 1: 14650 Killed      timeout -s KILL 2 cat /proc/1/cmdline"]
)
def test_a_read_that_its_limit_killed_is_evidence_of_what_hangs(tmp_path, said):
    path = tmp_path / "run.txt"
    path.write_text(f"==> /proc/4242/cmdline <==\n{said}\n")
    facts = [fact for section in read_file(path).sections for fact in section.reading.facts]
    assert [(fact.name, fact.labels["pid"]) for fact in facts] == [("collector.killed_read", "4242")]
