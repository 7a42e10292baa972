"""Paste robustness: every change, applied to every format in which it can occur."""

from __future__ import annotations

import pytest

from ingest.evidence import read_file
from ingest.readers import FORMATS
from tests.ingest import paste_robustness
from tests.ingest.paste_samples import lines_of, read, sections

CELLS = [
    (change, one.NAME)
    for one in FORMATS
    for change in paste_robustness.CHANGES
    if paste_robustness.can_occur(change, one.NAME)
]


@pytest.mark.parametrize(("change", "name"), CELLS, ids=[f"{name}-{change}" for change, name in CELLS])
def test_a_paste_reads_as_the_output_did(change, name):
    assert not paste_robustness.CHANGES[change](name)


def test_the_page_shows_what_is_tested():
    assert paste_robustness.PAGE.read_text(encoding="utf-8") == paste_robustness.page()


def test_an_annotation_is_counted_with_its_line():
    name = "perf-lock"
    lines = lines_of(name)
    annotated = [*lines[:3], f"{lines[3]}   <-- 14 times a second", *lines[4:]]
    (section,) = sections(read(annotated), name)
    assert ("a note typed behind a line, not read", 1, 4) in [
        (row.reason, row.count, row.first_line) for row in section.reading.skipped
    ]


def test_a_caller_printed_by_ftrace_is_no_annotation():
    name = "kernel-log"
    lines = [
        "[   12.000001] BUG: scheduling while atomic: kfree <-sys_exit",
        *lines_of(name),
    ]
    (section, *_) = sections(read(lines), name)
    assert section.reading.log_records[0].message.endswith("kfree <-sys_exit")


@pytest.mark.parametrize(
    "message", ["Killed", "bash: line 1: 14650 Killed      timeout -s KILL 2 cat /proc/1/cmdline"]
)
def test_a_read_killed_by_its_time_limit_is_a_fact(tmp_path, message):
    path = tmp_path / "run.txt"
    path.write_text(f"==> /proc/4242/cmdline <==\n{message}\n")
    facts = [fact for section in read_file(path).sections for fact in section.reading.facts]
    assert [(fact.name, fact.labels["pid"]) for fact in facts] == [("collector.killed_read", "4242")]
