"""Readings from `time`."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.model.section import Text
from ingest.readers.commands import time_command

DATA = Path(__file__).parents[3] / "data" / "time-command"


def rows_of(lines, **options):
    return [found.rows for found in time_command.read(Text(lines, **options)).row_sets]


def sample(name):
    return (DATA / name).read_text().splitlines()


def test_the_published_read_is_one_row_with_its_command():
    reading = time_command.read(Text(sample("time.cat-memory.stat.txt")))
    (rows,) = reading.row_sets
    assert rows.columns == ("command", "real_s", "user_s", "sys_s")
    assert rows.rows == (("cat /sys/fs/cgroup/memory/memory.stat >/dev/null", 0.153, 0.0, 0.152),)
    assert list(rows.row_lines) == [3]


def test_prompts_around_it_are_counted():
    reading = time_command.read(Text(sample("time.cat-memory.stat.txt")))
    assert [(skip.reason, skip.count) for skip in reading.skipped] == [("shell prompt", 2)]


def test_the_command_may_come_from_the_section():
    body = sample("time.cat-memory.stat.txt")[2:5]
    assert rows_of(body, command="time cat memory.stat >/dev/null") == [
        (("cat memory.stat >/dev/null", 0.153, 0.0, 0.152),)
    ]


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("time.bash.txt", (0.382, 0.378, 0.004)),
        ("time.posix.txt", (0.40, 0.39, 0.0)),
        ("time.gnu.txt", (0.37, 0.37, 0.0)),
        ("time.gnu-verbose.txt", (0.38, 0.37, 0.0)),
    ],
)
def test_every_shell_prints_the_same_three_numbers(name, seconds):
    ((row,),) = rows_of(sample(name))
    assert row[1:] == seconds


def test_gnu_time_names_its_command():
    ((row,),) = rows_of(sample("time.gnu-verbose.txt"))
    assert row[0] == "gzip -1 -c r.bin"


def test_zsh_prints_all_on_one_line_behind_the_command():
    ((row,),) = rows_of(["cat memory.stat > /dev/null  0.00s user 0.15s system 99% cpu 1:00.153 total"])
    assert row == ("cat memory.stat > /dev/null", 60.153, 0.0, 0.15)


def test_minutes_and_decimal_commas_count():
    ((row,),) = rows_of(["real\t2m0,153s", "user\t0m1,000s", "sys\t0m0,152s"])
    assert row[1:] == (120.153, 1.0, 0.152)


def test_a_loop_gives_a_row_per_turn():
    (rows,) = rows_of(
        ["real\t0m0.1s", "user\t0m0.0s", "sys\t0m0.1s", "", "real\t0m0.2s", "user\t0m0.0s", "sys\t0m0.2s"]
    )
    assert [row[1] for row in rows] == [0.1, 0.2]


def test_other_lines_are_counted():
    reading = time_command.read(Text(["real\t0m0.1s", "user\t0m0.0s", "sys\t0m0.1s", "that was slow"]))
    assert [(skip.reason, skip.first_line) for skip in reading.skipped] == [("not a time", 4)]


@pytest.mark.parametrize("lines", [["real 5"], ["real\t0m1s", "estate"], ["user 12", "sys 3"], ["10 total"]])
def test_lone_words_are_not_claimed(lines):
    assert not any(time_command.begins(lines, at) for at in range(len(lines)))


@pytest.mark.parametrize(
    ("typed", "timed"),
    [
        ("time cat x", "cat x"),
        ("sudo time -p cat x", "cat x"),
        ("/usr/bin/time -v cat x", "cat x"),
        ("cat x", "cat x"),
        ("timeout 5 cat x", "timeout 5 cat x"),
    ],
)
def test_what_was_timed_is_the_command_without_time(typed, timed):
    assert time_command.timed(typed) == timed
