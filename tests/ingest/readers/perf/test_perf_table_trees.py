from __future__ import annotations

import gzip
from collections import Counter

import pytest

from ingest.export.folded import fold
from ingest.model.profile import UNKNOWN_CALLEES
from ingest.model.profile import UNKNOWN_CALLERS as OPEN
from ingest.model.section import Text
from ingest.readers.perf import perf_table
from tests.ingest.samples import DATA

HEAD = """# Samples: 1K of event 'cycles'
#
# Overhead  Command  Shared Object      Symbol
# ........  .......  .................  ......
#
"""


def read(text):
    return perf_table.read(Text(text.splitlines()))


def sample(name):
    content = (DATA / "perf-table" / name).read_bytes()
    return read((gzip.decompress(content) if name.endswith(".gz") else content).decode())


def stacks(reading):
    """Folded stacks, outermost first, to rounded shares."""
    (profile,) = reading.profiles
    weights = Counter()
    for node, weight in zip(profile.sample_node, profile.sample_weight, strict=True):
        names, at = [], int(node)
        while at >= 0:
            names.append(profile.frames[profile.node_frame[at]].name)
            at = int(profile.node_parent[at])
        weights[";".join(reversed(names))] += float(weight)
    return {stack: round(weight, 4) for stack, weight in weights.items()}


def test_a_chain_without_a_fork_has_the_weight_of_its_row():
    tree = """    21.57%  locker   futex_stress       [.] critical_section
            |
            ---start_thread
               critical_section

"""
    assert stacks(read(HEAD + tree)) == {"start_thread;critical_section": 0.2157, "": 0.7843}


def test_what_a_fork_does_not_name_stays_with_the_function_above():
    expected = stacks(sample("perf-report.g-callee.txt"))
    way = "__GI___fstatat64;entry_SYSCALL_64_after_hwframe;do_syscall_64;__do_sys_newfstatat;vfs_fstatat"
    lookup = "vfs_statx;filename_lookup;path_lookupat;walk_component;lookup_fast;__d_lookup_rcu"
    assert expected[f"{OPEN};{way};{lookup}"] == 0.1738
    assert expected[f"{OPEN};walk_component;lookup_fast;__d_lookup_rcu"] == 0.0005
    assert expected[f"{OPEN};lookup_fast;__d_lookup_rcu"] == 0.0005


@pytest.mark.parametrize("name", ["perf-report.g-callee.txt", "perf-report.g-fractal-caller.txt"])
def test_every_row_keeps_its_share_in_both_orders(name):
    reading = sample(name)
    (table,) = reading.tables
    own = Counter()
    for stack, share in stacks(reading).items():
        own[stack.rpartition(";")[2]] += share
    for symbol in table.symbols:
        assert own[symbol.name] == pytest.approx(symbol.self_share, abs=5e-4)
    assert sum(own.values()) == pytest.approx(1.0, abs=1e-3)
    assert own[""] == pytest.approx(table.residual_share, abs=1e-3)


def test_relative_and_absolute_shares_are_distinguished():
    tree = """    10.00%  app      [kernel.kallsyms]  [k] f
            |
            |--75.00%-- g
            |          |
            |          |--50.00%-- h
            |           --50.00%-- [...]
             --25.00%-- k

"""
    expected = {"h;g;f": 0.0375, "g;f": 0.0375, "k;f": 0.025}
    assert stacks(read(HEAD + tree)) == {f"{OPEN};{stack}": share for stack, share in expected.items()} | {
        "": 0.9
    }


def test_folded_callchains_below_a_row_are_its_stacks():
    tree = """    10.00%  app      [kernel.kallsyms]  [k] f
7.50% f;g;h
2.00% f;k
"""
    expected = {"h;g;f": 0.075, "k;f": 0.02, "f": 0.005}
    assert stacks(read(HEAD + tree)) == {f"{OPEN};{stack}": share for stack, share in expected.items()} | {
        "": 0.9
    }


def test_what_runs_below_a_system_call_is_kernel():
    (profile,) = sample("perf-report.g-callee.txt").profiles
    kinds = {frame.name: frame.kind for frame in profile.frames}
    assert (kinds["vfs_statx"], kinds["lookup_fast"], kinds["__GI___fstatat64"]) == (
        "kernel",
        "kernel",
        "user",
    )


def test_a_profile_of_trees_cites_the_line_of_every_frame():
    (profile,) = sample("perf-report.g-callee.txt").profiles
    lines = (DATA / "perf-table/perf-report.g-callee.txt").read_text().splitlines()
    for frame, line in zip(profile.node_frame, profile.node_line, strict=True):
        name = profile.frames[frame].name
        assert name == OPEN or name in lines[line - 1]


CHILDREN = """# Samples: 1K of event 'cycles'
# Children      Self  Command  Shared Object      Symbol
"""


def test_what_went_through_a_row_with_children_is_not_charged_to_it():
    tree = """    25.85%     0.00%  locker   libc.so.6          [.] start_thread
            |
            ---start_thread
               critical_section

    21.91%    21.57%  locker   futex_stress       [.] critical_section
            |
             --21.57%--start_thread
                       critical_section
"""
    assert stacks(read(CHILDREN + tree)) == {"start_thread;critical_section": 0.2157, "": 0.7843}


def test_callees_first_a_row_keeps_the_callers_that_all_its_stacks_share():
    tree = """     4.92%     0.76%  app      [kernel.kallsyms]  [k] do_syscall_64
            |
            ---do_syscall_64
               entry_SYSCALL_64_after_hwframe
               |
               |--1.91%--open
                --1.48%--dup2

     2.84%     2.84%  app      app                [.] lookup
            |
            ---lookup
               start_thread
"""
    expected = stacks(read(CHILDREN + tree))
    assert expected["entry_SYSCALL_64_after_hwframe;do_syscall_64"] == 0.0076
    assert expected["start_thread;lookup"] == 0.0284


def test_trees_of_undecidable_direction_are_counted():
    tree = """    21.91%     3.57%  locker   futex_stress       [.] critical_section
            |
            ---critical_section
               start_thread
"""
    reading = read(CHILDREN + tree)
    assert (reading.profiles, [row.reason for row in reading.skipped]) == (
        (),
        ["call trees that do not say which end is the caller's"],
    )


def test_two_ways_to_print_one_recording_give_the_same_stacks():
    callee, folded = (sample(f"perf-report.children.{name}.txt.gz") for name in ("g-callee", "g-folded"))
    one, other = stacks(callee), stacks(folded)
    whole = [stack for stack, share in other.items() if share > 0.005 and stack and OPEN not in stack]
    assert len(whole) == 4
    for stack in whole:
        assert one[stack] == pytest.approx(other[stack], abs=6e-4)
    assert sum(one.values()) == pytest.approx(sum(other.values()), abs=1e-6)


def test_the_share_with_unknown_callers_is_reported():
    (reason,) = [
        row
        for row in sample("perf-report.children.g-callee.txt.gz").quality
        if row.name == "truncated_stacks"
    ]
    assert reason.detail.startswith("72% of the table")


def test_a_profile_of_trees_is_folded_like_any_other():
    (profile,) = sample("perf-report.g-callee.txt").profiles
    assert b"do_syscall_64" in fold(profile)


DESCENT = """    91.20%     0.00%  db       [kernel.kallsyms]  [k] asm_exc_page_fault
            |
            ---asm_exc_page_fault
               exc_page_fault
               |
                --88.10%--take
                          |
                          |--61.33%--_raw_spin_lock_irq
                          |          native_queued_spin_lock_slowpath
                          |
                           --12.20%--work

    61.40%    61.31%  db       [kernel.kallsyms]  [k] native_queued_spin_lock_slowpath
"""


def test_what_the_outermost_function_calls_are_whole_stacks():
    way = "asm_exc_page_fault;exc_page_fault"
    assert stacks(read(CHILDREN + DESCENT)) == {
        f"{way};take;_raw_spin_lock_irq;native_queued_spin_lock_slowpath": 0.6131,
        f"{way};take;work": 0.122,
        f"{way};take;{UNKNOWN_CALLEES}": 0.1457,
        f"{way};{UNKNOWN_CALLEES}": 0.031,
        "": 0.0882,
    }


def test_a_few_rows_of_outermost_functions_are_no_profile():
    few = DESCENT.replace("91.20%", "31.20%").replace("88.10%", "28.10%").replace("61.33%", "11.33%")
    assert read(CHILDREN + few.partition("    61.40%")[0]).profiles == ()
