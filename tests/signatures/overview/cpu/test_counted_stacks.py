"""Maps of stacks that were printed without their script."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview

WAKING = """\
@[
    native_queued_spin_lock_slowpath+1
    ep_poll_callback+51
    __wake_up_common+122
    __wake_up_common_lock+124
    sock_def_readable+61
    tcp_data_queue+1221
    tcp_rcv_established+512
]: 182938
@[
    finish_task_switch+120
    schedule+60
    futex_wait_queue+100
]: 8211
"""
SLEEPING = """\
@[
    __schedule+1560
    schedule+35
    schedule_hrtimeout_range_clock+203
    do_epoll_wait+1352
    __x64_sys_epoll_wait+90
]: 4213
"""
READING = "".join(
    f"@[\n    {leaf}+9\n    seq_buf_printf+80\n    memory_stat_show+30\n    seq_read_iter+293\n"
    f"    vfs_read+200\n    ksys_read+100\n    do_syscall_64+113\n]: {count}\n"
    for leaf, count in (
        ("vsnprintf", 15),
        ("number", 14),
        ("format_decode", 12),
        ("memcpy", 10),
        ("put_dec", 14),
    )
)
SPREAD = "".join(f"@[\n    function_{at}+9\n    do_syscall_64+113\n]: {30 - at}\n" for at in range(9))


@pytest.mark.parametrize(
    ("text", "headline", "question"),
    [
        (
            WAKING,
            "95.7 % of 191,149 counted stacks are in native_queued_spin_lock_slowpath ← ep_poll_callback",
            "locks",
        ),
        (
            SLEEPING,
            "100 % of 4,213 counted stacks are in do_epoll_wait ← sys_epoll_wait",
            "scheduling",
        ),
        (
            READING,
            "100 % of 65 counted stacks pass through seq_buf_printf ← memory_stat_show",
            "cpu",
        ),
        (
            SPREAD,
            "12.8 % of 234 counted stacks are in function_0 ← do_syscall_64, no other function in more",
            "cpu",
        ),
    ],
)
def test_the_headline_says_where_most_stacks_are(text, headline, question):
    found = overview(text)
    assert found.headline.text.startswith(headline)
    assert [one.question.name for one in found.questions if one.is_partial] == [question]


def test_stacks_that_sleep_for_want_of_work_yield_to_others():
    idle, working = (overview(text).statements[0].statement for text in (SLEEPING, WAKING))
    assert "do_epoll_wait" in idle.text
    assert (idle.level, working.level) == ("context", "notable")
