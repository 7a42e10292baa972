from __future__ import annotations

from collections import Counter

import pytest

from ingest.export.folded import fold
from ingest.formats import perf_table
from ingest.registry import Text
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
    return read((DATA / "perf-table" / name).read_text())


def stacks(reading):
    """Folded stacks, outermost first, to rounded shares."""
    (profile,) = reading.profiles
    told = Counter()
    for node, weight in zip(profile.sample_node, profile.sample_weight, strict=True):
        names, at = [], int(node)
        while at >= 0:
            names.append(profile.frames[profile.node_frame[at]].name)
            at = int(profile.node_parent[at])
        told[";".join(reversed(names))] += float(weight)
    return {stack: round(weight, 4) for stack, weight in told.items()}


def test_a_chain_without_a_fork_has_the_weight_of_its_row():
    tree = """    21.57%  locker   futex_stress       [.] critical_section
            |
            ---start_thread
               critical_section

"""
    assert stacks(read(HEAD + tree)) == {"start_thread;critical_section": 0.2157, "": 0.7843}


def test_what_a_fork_does_not_name_stays_with_the_function_above():
    told = stacks(sample("perf-report.g-callee.txt"))
    way = "__GI___fstatat64;entry_SYSCALL_64_after_hwframe;do_syscall_64;__do_sys_newfstatat;vfs_fstatat"
    lookup = "vfs_statx;filename_lookup;path_lookupat;walk_component;lookup_fast;__d_lookup_rcu"
    assert told[f"{way};{lookup}"] == 0.1738
    assert told["walk_component;lookup_fast;__d_lookup_rcu"] == 0.0005
    assert told["lookup_fast;__d_lookup_rcu"] == 0.0005


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


def test_shares_of_the_branch_above_are_told_from_shares_of_the_whole():
    tree = """    10.00%  app      [kernel.kallsyms]  [k] f
            |
            |--75.00%-- g
            |          |
            |          |--50.00%-- h
            |           --50.00%-- [...]
             --25.00%-- k

"""
    assert stacks(read(HEAD + tree)) == {"h;g;f": 0.0375, "g;f": 0.0375, "k;f": 0.025, "": 0.9}


def test_folded_callchains_below_a_row_are_its_stacks():
    tree = """    10.00%  app      [kernel.kallsyms]  [k] f
7.50% f;g;h
2.00% f;k
"""
    assert stacks(read(HEAD + tree)) == {"h;g;f": 0.075, "k;f": 0.02, "f": 0.005, "": 0.9}


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
        assert profile.frames[frame].name in lines[line - 1]


def test_trees_of_a_table_with_children_repeat_each_other_and_are_counted():
    tree = """# Samples: 1K of event 'cycles'
# Children      Self  Command  Shared Object      Symbol
    21.91%    21.57%  locker   futex_stress       [.] critical_section
            |
            ---critical_section
               start_thread
"""
    reading = read(tree)
    assert (reading.profiles, reading.skipped[0].count) == ((), 3)


def test_a_profile_of_trees_is_folded_like_any_other():
    (profile,) = sample("perf-report.g-callee.txt").profiles
    assert b"do_syscall_64" in fold(profile)
