"""Readings from strace."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_bytes
from ingest.model.section import Text
from ingest.readers.traces import strace_calls

DATA = Path(__file__).parents[3] / "data" / "strace-calls"


def read(name):
    return strace_calls.read(Text((DATA / name).read_text().splitlines()))


def read_lines(*lines, **options):
    return strace_calls.read(Text(lines, **options))


def rows_of(reading):
    (found,) = reading.row_sets
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def test_slow_reads_are_found_with_what_they_read():
    slow = [row for row in rows_of(read("strace-T-slow-reads.txt")) if row["call"] == "read"]
    assert [row["duration_s"] for row in slow] == [0.179438, 0.228091, 0.207334, 0.159891, 0.154442]
    assert {row["pid"] for row in slow} == {10436.0, 10427.0, 10417.0}
    assert slow[0]["data"] == r"cache 154234880\nrss 507904\nrss_h"
    assert slow[0]["result"] == "658"


def test_the_longest_calls_are_waiting_and_flagged():
    rows = rows_of(read("strace-T-slow-reads.txt"))
    longest = max(rows, key=lambda row: row["duration_s"])
    assert (longest["call"], longest["duration_s"], longest["is_waiting"]) == ("futex", 0.917495, 1.0)
    assert not any(row["is_waiting"] for row in rows if row["call"] in {"read", "epoll_ctl"})


def test_a_wake_up_is_no_wait():
    (row,) = rows_of(read_lines("[pid 7] futex(0x7f, FUTEX_WAKE_PRIVATE, 1) = 1 <0.120000>"))
    assert row["is_waiting"] == 0.0


def test_ends_without_beginnings_are_an_excerpt_and_no_rate():
    reading = read("strace-T-slow-reads.txt")
    assert reading.quality_names == {"excerpt"}
    assert reading.row_sets[0].duration is None


def test_a_filter_in_the_prompt_forbids_rates():
    lines = (DATA / "strace.T-f-tt.txt").read_text().splitlines()
    reading = strace_calls.read(Text(lines, command="strace -T -f -tt -p 1 | egrep '<0\\.[1-9]'"))
    assert "filtered" in reading.quality_names
    assert reading.row_sets[0].duration is None


def test_beginning_and_end_of_a_call_are_one_row():
    reading = read("strace.T-f-tt.txt")
    rows = rows_of(reading)
    row = next(row for row in rows if row["call"] == "clock_nanosleep" and row["duration_s"] == 0.025767)
    assert (row["pid"], row["is_resumed"], row["is_unfinished"]) == (14069.0, 1.0, 0.0)
    assert row["args"].startswith("CLOCK_REALTIME, 0, {tv_sec=0, tv_nsec=20000000}")
    assert len(rows) < 150
    assert reading.skipped == ()


def test_times_give_the_duration():
    assert read("strace.T-f-tt.txt").row_sets[0].duration == pytest.approx(0.4, abs=0.4)


def test_calls_that_never_ended_are_rows():
    rows = rows_of(read("strace.detached.txt"))
    assert (rows[-1]["call"], rows[-1]["is_unfinished"], rows[-1]["duration_s"]) == ("futex", 1.0, None)


def test_a_line_cut_inside_a_call_shows_the_blocked_call():
    reading = read_lines('read(3, "x", 1) = 1 <0.000010>', 'openat(AT_FDCWD, "/proc/123/cmdline"')
    row = rows_of(reading)[-1]
    assert (row["call"], row["data"], row["is_unfinished"]) == ("openat", "/proc/123/cmdline", 1.0)
    assert reading.quality_names == {"cut_off"}


def test_one_process_without_pids_is_read_whole():
    reading = read("strace.T-one-process.txt")
    rows = rows_of(reading)
    assert len(rows) == 45
    assert {row["pid"] for row in rows} == {None}
    failed = next(row for row in rows if row["result"].startswith("-1"))
    assert (failed["data"], failed["result"]) == (
        "/etc/ld.so.preload",
        "-1 ENOENT (No such file or directory)",
    )


def test_a_result_inside_quoted_data_is_not_the_result():
    (row,) = rows_of(read_lines('read(3, "f(x) = 5"..., 64) = 8 <0.100000>'))
    assert (row["result"], row["duration_s"], row["data"]) == ("8", 0.1, "f(x) = 5")


def test_signals_exits_and_messages_are_counted():
    reading = read_lines(
        "strace: Process 7 attached",
        '[pid     7] read(3, "", 1) = 0 <0.000010>',
        "[pid     7] --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED} ---",
        "[pid     7] +++ exited with 0 +++",
    )  # fmt: skip
    assert {skip.reason: skip.count for skip in reading.skipped} == {
        "strace's own message": 1,
        "signal": 1,
        "end of a process": 1,
    }


def test_the_summary_table_is_facts_per_call_without_the_total():
    facts = [fact for fact in read("strace.summary.txt").facts if fact.labels["call"] == "futex"]
    assert {fact.name: fact.value for fact in facts} == {
        "syscall.count": 8516.0,
        "syscall.seconds": 1.02303,
        "syscall.errors": 2047.0,
    }
    assert {fact.labels["call"] for fact in read("strace.summary.txt").facts} == {
        "futex",
        "clock_nanosleep",
        "restart_syscall",
    }


@pytest.mark.parametrize("sample", sorted(DATA.glob("*.txt")), ids=lambda path: path.name)
def test_every_sample_begins_with_its_first_line_and_goes_on(sample):
    lines = sample.read_text().splitlines()
    assert strace_calls.begins(lines, 0)
    assert all(strace_calls.continues(line) for line in lines)


@pytest.mark.parametrize(
    "line",
    [
        "main(argc) = 3",
        "printf(fmt) returned",
        "     0.000 ( 0.012 ms): cadvisor/613 read(fd: 3, buf: 0x7f, count: 4096) = 658",
        "12345 kworker/0:1(events) running",
        "read(fd) reads from a file",
    ],
)
def test_other_text_is_not_claimed(line):
    assert not strace_calls.begins([line], 0)


HUNG_PS = [
    'openat(AT_FDCWD, "/proc/3310/cmdline", O_RDONLY) = 6',
    'read(6, "bash\\0", 131072)              = 5',
    "close(6)                                = 0",
    'openat(AT_FDCWD, "/proc/3311/cmdline", O_RDONLY) = 6',
    "read(6, ",
]


@pytest.mark.parametrize(
    "last",
    ["read(6, ", "read(6</proc/3311/cmdline>, ", "read(6,  <detached ...>", "read(6,  <unfinished ...>"],
)
def test_a_read_of_a_process_that_never_returned_is_a_fact(last):
    facts = {one.name: one for one in strace_calls.read(Text([*HUNG_PS[:-1], last])).facts}
    fact = facts["strace.unfinished_read"]
    assert (fact.labels["pid"], fact.labels["file"]) == ("3311", "cmdline")


@pytest.mark.parametrize(
    "lines",
    [
        [*HUNG_PS, "close(6)                                = 0"],
        [HUNG_PS[0], "read(6, "[:-1] + ' "bash', "close(6)      = 0"],
        ['openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 6', "read(6, "],
    ],
)
def test_a_cut_line_or_another_file_is_no_hung_read_of_a_process(lines):
    facts = strace_calls.read(Text(lines)).facts
    assert not [one for one in facts if one.name == "strace.unfinished_read"]


def test_a_read_carries_the_path_that_its_descriptor_was_opened_with():
    rows = rows_of(
        read_lines(
            'openat(AT_FDCWD, "/srv/copies/a/memory.stat", O_RDONLY) = 4 <0.022311>',
            'read(4, "cache 90112\\nrss 12"..., 4096) = 611 <0.221301>',
            "close(4) = 0 <0.000021>",
            'read(4, "cache 90112\\nrss 12"..., 4096) = 611 <0.221301>',
            'read(5</sys/fs/cgroup/memory.stat>, "anon 1"..., 4096) = 611 <0.221301>',
        )
    )
    opened = "/srv/copies/a/memory.stat"
    assert [row["file"] for row in rows] == [opened, opened, "", "", "/sys/fs/cgroup/memory.stat"]


OPEN = 'openat(AT_FDCWD, "/proc/3311/cmdline", O_RDONLY) = 6\n'


@pytest.mark.parametrize(
    ("text", "labels", "seconds"),
    [
        (
            OPEN + "read(6, ^C\nstrace: Process 44 detached\n <detached ...>\n",
            {"call": "read", "end": "stopped"},
            0,
        ),
        (OPEN + OPEN + "read(6, \n", {"call": "read", "end": "cut"}, 0),
        (
            "strace: Process 44 attached\nread(6, ^Cstrace: Process 44 detached\n",
            {"call": "read", "end": "stopped"},
            0,
        ),
        (
            "[pid 7] 10:00:00.100000 fsync(12 <unfinished ...>\n[pid 8] 10:00:09.100000 close(3) = 0\n",
            {"call": "fsync", "end": "cut", "pid": "7"},
            9,
        ),
    ],
    ids=["interrupted", "cut", "attached", "another task goes on"],
)
def test_a_last_call_that_had_not_returned_is_a_fact(text, labels, seconds):
    (section,) = read_bytes(text.encode(), name="x").sections
    (fact,) = [one for one in section.reading.facts if one.name == "strace.unfinished_call"]
    assert labels.items() <= fact.labels.items()
    assert fact.value == seconds


@pytest.mark.parametrize(
    "text",
    [
        OPEN + OPEN + 'write(1, "abc\n',
        "[pid 7] 10:00:00.1 read(3 <unfinished ...>) = ?\n[pid 8] 10:00:09.1 exit_group(0) = ?\n",
        "[pid 7] 10:00:00.1 read(3 <unfinished ...>\n[pid 8] 10:00:00.2 close(4) = 0\n",
    ],
    ids=["cut inside the arguments", "ended with the process", "just begun"],
)
def test_a_line_that_is_cut_or_ended_with_its_process_hangs_nowhere(text):
    facts = [one for section in read_bytes(text.encode(), name="x").sections for one in section.reading.facts]
    assert not [one for one in facts if one.name == "strace.unfinished_call"]
