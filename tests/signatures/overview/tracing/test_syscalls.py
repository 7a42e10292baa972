"""What a trace of system calls ends in is stated, and not what waits by design above it."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import statements
from tests.signatures.overview.test_first_screen import overview

STOPPED = "^Cstrace: Process 4411 detached\nstrace: Process 4412 detached\n"
FUTEX = "[pid  4411] futex(0x7f9dd0c3e9d0, FUTEX_WAIT, 4412, NULL <unfinished ...>\n"


def test_the_call_that_a_stopped_trace_ends_in_is_stated():
    text = FUTEX + "[pid  4412] fsync(12 <unfinished ...>\n" + STOPPED
    (said,) = statements(text)
    assert "fsync" in said
    assert "4412" in said
    (waits,) = statements(FUTEX + STOPPED)
    assert "futex" in waits
    assert statements(FUTEX + "[pid  4412] wait4(-1, ") == []


def test_a_call_that_others_outlive_is_stated_with_its_time():
    text = (
        "[pid 7] 10:00:00.100000 fsync(12 <unfinished ...>\n"
        "[pid 8] 10:00:09.100000 close(3) = 0\n[pid 8] 10:00:09.200000 close(4) = 0\n"
    )
    (said,) = statements(text)
    assert "fsync" in said
    assert "9.1 s" in said


GAP = """\
10:34:01.452140 fstat(5, {st_mode=S_IFCHR|0666, ...}) = 0
10:34:01.454543 poll([{fd=5, events=POLLIN}], 1, -1) = 1 ([{fd=5, revents=POLLIN}])
10:34:49.203118 close(5)                = 0
10:34:49.203377 getrandom("", 8, GRND_NONBLOCK) = 8
"""
TWO = """\
[pid    12] 10:34:01.000000 read(3, "a", 1) = 1
[pid    13] 10:34:01.500000 read(3, "a", 1) = 1
[pid    13] 10:34:05.000000 read(3, "a", 1) = 1
[pid    12] 10:34:09.000000 write(1, "a", 1) = 1
"""
RESUMED = "1 <... close resumed>) = 0 30.110799\n1 <... close resumed>) = 0 9.895139\n"


@pytest.mark.parametrize(
    ("text", "said", "lines"),
    [
        (GAP, "47.75 s pass from a call of poll to the next, of close: in that call", (2, 3)),
        (TWO, "8 s pass from a call of read of task 12 to the next, of write: in that call", (1, 4)),
        (f"$ strace -t -p 1 2>&1 | grep -v fstat\n{GAP}", "", None),
        (GAP.replace("10:34:49", "10:34:01"), "", None),
        (GAP.replace(" = 0\n", " = 0 <0.000021>\n"), "", None),
        (RESUMED, "One call of close took 30.11 s", (1, 1)),
    ],
)
def test_the_longest_time_is_that_between_stamps_where_no_duration_is_printed(text, said, lines):
    stated = [one.statement for one in overview(text).statements]
    found = [one for one in stated if one.level in {"notable", "degraded"}][:1]
    assert [one.text.startswith(said) for one in found] == ([True] if said else [])
    places = [(one.places[0].first_line, one.places[0].last_line) for one in found]
    assert places == ([lines] if said else [])


def test_the_time_without_a_call_names_the_file_that_it_waited_on_and_what_shows_more():
    text = (
        '10:34:01.452001 openat(AT_FDCWD, "/dev/random", O_RDONLY) = 5\n'
        "10:34:01.454543 poll([{fd=5, events=POLLIN}], 1, -1) = 1 ([{fd=5, revents=POLLIN}])\n"
        "10:34:49.203118 close(5)                = 0\n"
    )
    (gap,) = statements(text)
    assert "poll on /dev/random" in gap
    assert "entropy" in gap
    assert "entropy_avail" in overview(text).next_capture.command


def test_a_table_without_time_says_what_it_counts():
    table = (
        "% time     seconds  usecs/call     calls    errors syscall\n"
        "------ ----------- ----------- --------- --------- ----------------\n"
        "  0.00    0.000000           0         8           mmap\n"
        "  0.00    0.000000           0         1           clock_nanosleep\n"
    )
    assert any("used time on a CPU" in said for said in statements(table))
