"""Calls that take long, in traces of other tools than strace."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import statements

EVENT = "            bash-1234  [001]  {at}: {event}:      fd: 0x3\n"
LIBRARY = (
    'getaddrinfo("db.internal", "5432", 0x7ffd, 0x7ffe)    = 0 <{seconds}>\n'
    "malloc(552) = 0x5627b6037f40 <0.000120>\n"
)
GRAPH = """\
# tracer: function_graph
 0)               |  vfs_read() {
 0)               |    nfs_file_read() {
 0) @ 2204317.121 us |      nfs_revalidate_mapping();
 0) @ 2204318.400 us |    }
 0) @ 2204319.900 us |  }
"""
INSIDE = "[pid  {pid}] futex(0x7f9dd0c3e9d0, FUTEX_WAIT_PRIVATE, 2, NULL <unfinished ...>\n"


def events(*pairs):
    return "".join(EVENT.format(at=at, event=event) for at, event in pairs)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            events(("1000.100200", "sys_enter_fsync"), ("1009.300200", "sys_exit_fsync")),
            "One call of fsync of bash-1234 took 9.2 s",
        ),
        (
            events(("1000.100200", "sys_enter_fsync"), ("1007.100200", "sched_wakeup")),
            "fsync of bash-1234 had not ended when the trace did, after 7 s",
        ),
        (LIBRARY.format(seconds="12.004201"), "One call of getaddrinfo took 12 s"),
        (GRAPH, "The longest call that ftrace saw took 2.204 s: nfs_revalidate_mapping"),
        (
            "".join(INSIDE.format(pid=pid) for pid in (4411, 4412, 4413)),
            "All 3 traced threads are inside futex on 0x7f9dd0c3e9d0",
        ),
    ],
    ids=["pair", "unfinished", "library", "innermost", "all inside"],
)
def test_the_longest_call_is_named_with_its_task(text, words):
    assert any(said.startswith(words) for said in statements(text)), statements(text)


@pytest.mark.parametrize(
    "text",
    [
        events(("1000.100200", "sys_enter_poll"), ("1009.300200", "sys_exit_poll")),
        events(("1000.100200", "hrtimer_start"), ("1009.300200", "sched_wakeup")),
        events(("1000.100200", "sys_enter_fsync"), ("1000.101200", "sys_exit_fsync")),
        LIBRARY.format(seconds="0.004201"),
    ],
    ids=["waits by design", "has no end", "short", "short call"],
)
def test_calls_that_wait_by_design_or_are_short_are_no_trouble(text):
    assert not any("took" in said or "had not ended" in said for said in statements(text))
