"""Faults that evidence of other people showed in November 2026: each has a test or a fixture, named here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from signatures.document.files import LIBRARY
from tests.signatures.evidence import PUBLISHED, judge_text
from tests.signatures.overview.test_first_screen import overview

TESTS = Path(__file__).parents[1]

FAULTS: dict[str, tuple[str, ...]] = {
    "alarming messages of unknown classes are called calm": (
        "signatures/test_calm_over_trouble.py::test_one_alarming_line_is_never_calm",
    ),
    "members of archives are recognised by their beginning alone": (
        "signatures/test_calm_over_trouble.py::test_an_oom_kill_far_below_the_beginning_of_a_member_matches",
    ),
    "any hot spin lock in a flat table is MGLRU's, with a fix": (
        "signatures/overview/cpu/test_flat_tables.py::test_the_spinning_function_is_named_and_the_lock_is_not",
        "signatures/judging/test_certainty.py::test_a_kernel_too_old_to_have_it_silences_what_is_merely_seen",
    ),
    "call trees without a header are thrown away": (
        "signatures/test_calm_over_trouble.py::test_a_call_tree_without_its_header_names_who_spins_and_no_other_lock",
    ),
    "a stack merely seen outranks a measured share": (
        "signatures/judging/test_certainty.py::test_a_stack_merely_seen_gives_way_to_a_measured_share_of_the_same_evidence",
        "signatures/test_found_faults.py::test_a_printed_share_decides_before_the_stack_below_it",
    ),
    "single readings never speak": (
        "signatures/judging/test_certainty.py::test_one_total_that_is_large_against_its_base_is_a_capped_suspect",
        "signatures/judging/test_certainty.py::test_overflows_since_boot_count_against_accepted_connections",
    ),
    "bars are so low that they cry wolf": (
        "net/softirq-budget-squeeze/evidence/neg-one-drop",
        "sched/cfs-throttling/evidence/neg-short-stops",
    ),
    "Linux is sent to Windows": (
        "signatures/test_found_faults.py::test_a_linux_host_in_trouble_is_not_sent_to_windows",
        "signatures/judging/test_systems.py::test_a_signature_of_another_system_is_silent",
    ),
    "hung tasks name the victim, not the place; a large slab cache is not named": (
        "signatures/test_calm_over_trouble.py::test_a_hung_task_names_the_place_it_waits_at",
        "mm/unreclaimable-slab-growth/evidence/pos-one-reading",
    ),
    "wrapped, prefixed and grepped lines are not read": (
        "signatures/test_calm_over_trouble.py::test_evidence_is_read_however_it_was_printed",
    ),
    "a report of the OOM killer that is cut before its kill line is unknown": (
        "mm/memcg-oom/evidence/pos-cut-report",
    ),
    "any: takes the first reading, not the strongest": (
        "signatures/judging/test_certainty.py::test_the_strongest_of_several_readings_is_reported",
    ),
    "rows within one second are over an unknown time": (
        "signatures/judging/predicates/test_rows.py::test_rows_within_one_second_are_a_lower_bound_of_the_rate",
        "signatures/test_found_faults.py::test_four_hundred_rows_within_one_second_are_a_rate",
    ),
    "a fix is verified by another workload": (
        "backend/findings/test_phases.py::test_a_finding_is_cleared_only_where_the_same_programs_ran",
        "backend/findings/test_fix_outcomes.py::test_only_recordings_that_compare_are_a_success",
    ),
    "lint accepts names that nothing yields, and bounds that test nothing": (
        "signatures/authoring/test_lint_names.py::test_lint_names_what_nothing_yields",
        "signatures/authoring/test_lint_names.py::test_the_parser_rejects_nonsense",
    ),
    "a new message needs Python; drafts have empty conditions": (
        "signatures/judging/predicates/test_log.py::test_a_message_without_a_class_is_found_by_its_text",
        "signatures/authoring/test_lint_names.py::test_a_draft_has_no_condition_on_messages_without_a_class",
    ),
    "a refuted sole condition stays undecided": (
        "signatures/judging/test_certainty.py::test_a_refuted_sole_sign_is_no_match_though_another_condition_is_open",
    ),
    "kernels of third parties and sandboxes are judged as the distribution's": (
        "signatures/kernels/test_sentences.py::test_the_kernel_of_a_real_string_gets_the_answer_that_a_person_finds",
    ),
    "cpu.max.burst above the quota fails with EINVAL": (
        "signatures/test_fixes.py::test_the_burst_of_a_quota_is_not_more_than_the_quota",
    ),
    "tasks in __access_remote_vm are too few samples": (
        "signatures/test_found_faults.py::test_blocked_readers_of_another_process_suspect_its_lock",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_test_or_fixture(fault):
    for name in FAULTS[fault]:
        file, _, function = name.partition("::")
        if function:
            assert f"def {function}(" in (TESTS / file).read_text(), name
        else:
            assert (LIBRARY / file / "expect.yaml").exists(), name


STACK = (PUBLISHED / "vanishing-cpu/stack.shrink_lruvec.txt").read_text()
ROW = "{total:9.2f}%     {own:.2f}%  java     [kernel.kallsyms]  [k] {name}\n"


def children(total):
    """Return a table of perf report --children: the whole share of reclaim, and the stack below its row."""
    frames = re.findall(r"[a-z_]\w{3,}", STACK)
    head = (
        "# Samples: 21K of event 'cpu-clock:pppH'\n# Children      Self  Command  Shared Object  Symbol\n#\n"
    )
    below = "\n               ".join(reversed(frames))
    tree = f"            |\n            ---{below}\n\n"
    rows = [ROW.format(total=total, own=0.4, name="try_to_free_mem_cgroup_pages"), tree]
    rows.append(ROW.format(total=total, own=0.9, name="shrink_lruvec"))
    return head + "".join(rows)


def firing(text, catalog):
    found = judge_text(text, catalog).values()
    return sorted(one.signature.id for one in found if one.verdict in ("match", "suspect"))


def test_a_printed_share_decides_before_the_stack_below_it(catalog):
    """6.88 % of all time is no finding, though a stack of it is printed; nor is the stack alone."""
    assert firing(STACK, catalog) == []
    assert firing(children(6.88), catalog) == []
    assert firing(children(81.0), catalog) == ["mm/memcg-limit-reclaim", "mm/shrink-lruvec-livelock"]


TOP = """\
top - 03:12:44 up 41 days,  2:11,  3 users,  load average: 679.12, 655.80, 601.33
Tasks: 1204 total,  41 running, 1163 sleeping,   0 stopped,   0 zombie
%Cpu(s):  1.2 us, 97.9 sy,  0.0 ni,  0.0 id,  0.9 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem : 128812.4 total,    412.2 free, 126204.1 used,   2196.1 buff/cache
MiB Swap:   8192.0 total,      0.0 free,   8192.0 used.   1204.0 avail Mem

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
    121 root      20   0       0      0      0 R 100.0   0.0  91:12.80 kswapd0
   4711 mysql     20   0   91.2g  88.1g   4120 D  12.2  70.0 812:44.10 mysqld
"""


def test_a_linux_host_in_trouble_is_not_sent_to_windows(catalog):
    found = judge_text(TOP, catalog)
    windows = [one for one in found.values() if one.signature.id.startswith("windows/")]
    assert windows
    assert {one.verdict for one in windows} == {"not_applicable"}
    assert not [one for one in windows if one.is_near_miss or one.is_listed]
    shown = overview(TOP)
    assert "kswapd0, which reclaims memory, uses 100 % of a CPU" in str(shown.statements)
    assert "typeperf" not in shown.next_capture.command


SWITCH = "[20:49:30] inode is switching! inode: {} old cgroup: 22438 new cgroup: 88\n"


@pytest.mark.parametrize(("rows", "verdict"), [(400, "suspect"), (20, "unknown")])
def test_four_hundred_rows_within_one_second_are_a_rate(catalog, rows, verdict):
    """Over five seconds they would be 4,800 a minute or more, twenty 240."""
    text = "".join(SWITCH.format(3730800 + at) for at in range(rows))
    found = judge_text(text, catalog)["writeback/inode-switch-wbs-storm"]
    assert found.verdict == verdict


BLOCKED = """\
[ 8123.4{at}1] task:{comm:<16}state:D stack:    0 pid:{pid} ppid: 40990 flags:0x00000000
[ 8123.4{at}2] Call Trace:
[ 8123.4{at}3]  schedule+0x44/0xa0
[ 8123.4{at}4]  rwsem_down_read_slowpath+0x2ae/0x3d0
[ 8123.4{at}5]  down_read_killable+0x55/0xa0
[ 8123.4{at}6]  __access_remote_vm+0x54/0x3d0
[ 8123.4{at}7]  proc_pid_cmdline_read+0x171/0x340
[ 8123.4{at}8]  vfs_read+0x9d/0x190
"""


def test_blocked_readers_of_another_process_suspect_its_lock(catalog):
    tasks = [("ps", 41001), ("pgrep", 41077), ("ps", 41100)]
    text = "[ 8123.400001] sysrq: Show Blocked State\n" + "".join(
        BLOCKED.format(at=f"{10 + at:02}00", comm=comm, pid=pid) for at, (comm, pid) in enumerate(tasks)
    )
    found = judge_text(text, catalog)["mm/mmap-lock-held-in-reclaim"]
    assert found.verdict == "suspect"
    assert found.decision.is_capped
