"""What a trace of system calls ends in is stated, and not what waits by design above it."""

from __future__ import annotations

from tests.signatures.overview.stated import statements

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
