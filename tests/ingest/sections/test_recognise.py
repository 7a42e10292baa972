"""Recognition: the pass that finds where formats may begin leaves out no line at which one does."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from ingest.containers.text_decoding import lines_of
from ingest.native.line_starts import LineRuns, LineStarts
from ingest.readers.logs import kernel_log
from ingest.readers.perf import perf_script
from ingest.sections.captured_files import path_of_command
from ingest.sections.recognise import BLOCK_LINES, RECOGNISED, Beginnings, claim_head, spans
from tests.ingest.samples import DATA

if TYPE_CHECKING:
    from pathlib import Path

LINES = 400
"""Lines of each sample; the others are like them."""

BROKEN = {"bad", "builds", "fuzz", "releases", "sosreport"}
"""Folders of what is no text, or is cut on purpose."""

FOLDERS = sorted(path.name for path in DATA.iterdir() if path.is_dir() and path.name not in BROKEN)


def samples_below(folder: Path) -> list[list[str]]:
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in {".pb", ".tar", ".xz", ".zst", ".lz4"}:
            content = path.read_bytes()
            if path.suffix == ".gz":
                content = gzip.decompress(content)
            found.append(lines_of(content[:200_000])[:LINES])
    return found


def missed(lines: list[str]) -> list[tuple[str, str]]:
    """Return the formats, and the lines at which they begin without being asked."""
    asked = Beginnings(lines)
    return [
        (candidate.NAME, asked.lines[at])
        for number, candidate in enumerate(RECOGNISED)
        for at in range(len(lines))
        if not asked.may_begin(number, at) and lines[at].strip() and candidate.begins(asked.lines, at)
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_line_that_begins_a_format_is_asked_about(folder):
    found = [wrong for lines in samples_below(DATA / folder) for wrong in missed(lines)]
    assert found == []


def test_every_format_states_how_it_begins():
    assert [candidate.NAME for candidate in RECOGNISED if not hasattr(candidate, "STARTS")] == []


@pytest.mark.parametrize("candidate", [kernel_log, perf_script], ids=lambda one: one.NAME)
def test_a_line_that_surely_continues_a_format_continues_it(candidate):
    surely = LineRuns(candidate.CONTINUES)
    lines = [line for folder in FOLDERS for lines in samples_below(DATA / folder) for line in lines[:60]]
    matching = [line for line in lines if surely.end([line], 0)]
    assert len(matching) > 100
    assert [line for line in matching if not candidate.continues(line)] == []


def test_words_in_columns_are_looked_at_once():
    words = ["    walked over the wall and away"] * 20_000
    assert Beginnings(words).from_line(0) == len(words)
    assert [span.format for span in spans(words)] == [None]


def test_a_log_of_other_programs_is_looked_at_only_near_a_line_of_the_kernel():
    others = ["Nov 21 00:00:01 host app[7]: all is well"] * 5_000
    assert Beginnings(others).from_line(0) == len(others)
    log = [*others, "Nov 21 00:00:02 host kernel: usb 1-1: new device"]
    assert Beginnings(log).from_line(0) == len(others) - 50
    found = claim_head(log)
    assert found is not None
    assert found.NAME == "kernel-log"


def test_the_other_line_may_stand_in_the_next_block():
    above = ["Nov 21 00:00:01 host app[7]: all is well"] * (BLOCK_LINES + 10)
    log = [*above, "Nov 21 00:00:02 host kernel: usb 1-1: new device"]
    beginnings = Beginnings(log)
    assert beginnings.from_line(0) == len(above) - 50
    assert beginnings.from_line(len(above) - 20) == len(above) - 20
    assert beginnings.from_line(len(log)) == len(log)


def test_lines_of_an_open_section_are_not_searched(monkeypatch):
    searched = []
    whole = Beginnings._block

    def noted(self, at):
        searched.append(at)
        return whole(self, at)

    monkeypatch.setattr(Beginnings, "_block", noted)
    log = [f"[{at:5}.000001] usb 1-1: new device number {at}" for at in range(BLOCK_LINES * 9)]
    assert [(span.first, span.last) for span in spans([*log, "", "and prose"])] == [
        (0, len(log) - 1),
        (len(log) + 1, len(log) + 1),
    ]
    assert set(searched) == {0, 9}


def test_a_run_ends_at_the_first_line_that_does_not_match():
    assert LineRuns([r"\d+$", "a"]).end(["1", "a", "b", "2"], 0) == 2
    assert LineRuns([r"\d+$"]).end(["1", "2"], 1) == 2


def test_a_half_of_a_character_is_no_obstacle():
    assert LineStarts([(4, ["a"], [], 0)]).scan(["\ud800", "a\udfff", "äa"]) == ([1], [[4]])


def test_what_is_no_expression_is_an_error():
    with pytest.raises(ValueError, match="unclosed group"):
        LineStarts([(0, ["a("], [], 0)]).scan(["a"])


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("grep zone_reclaim_failed /proc/vmstat", "/proc/vmstat"),
        ("grep -E 'pgscan|pgsteal' /proc/vmstat", "/proc/vmstat"),
        ("sudo grep -i rss /proc/4411/smaps_rollup", "/proc/4411/smaps_rollup"),
        ("cat /proc/vmstat | grep zone", "/proc/vmstat"),
        ("grep -c processor /proc/cpuinfo", ""),
        ("grep -n rss /proc/4411/status", ""),
        ("grep -rl rss /proc/4411/status", ""),
        ("grep rss /proc/1/status /proc/2/status", ""),
    ],
)
def test_what_grep_prints_of_one_file_is_of_that_file(command, path):
    assert path_of_command(command) == path
