from __future__ import annotations

import pytest

from ingest.model.profile import UNKNOWN_CALLERS as OPEN
from ingest.model.section import Text
from ingest.readers.perf import perf_table
from tests.ingest.samples import DATA, stacks, whole

SCREEN = (
    "   PerfTop:    {irqs} irqs/sec  kernel:45.3%  exact:  0.0% lost: {lost} drop: {drop} "
    "[299Hz cpu-clock],  (all)\n"
)
RULER = "-" * 79 + "\n\n"


def screen(body, *, irqs=300, lost="0/0", drop="0/0"):
    return SCREEN.format(irqs=irqs, lost=lost, drop=drop) + RULER + body


def read(*screens):
    return perf_table.read(Text("\n".join(screens).splitlines()))


def shares(profile):
    return {";".join(names): round(weight, 4) for names, weight in stacks(profile)}


CHAIN = """     2.35%  [kernel]              [k] xas_load
            |
            ---xas_load
               filemap_get_entry
               do_syscall_64
               entry_SYSCALL_64_after_hwframe
               |
                --2.19%--main
"""

CUT = """   100.00%     0.00%  librustc_driver-6108105cd7e839cf.so  [.] <rustc_ast_lowe
            |
            ---<rustc_ast_lowering::LoweringContext>::lower_qpath
"""


@pytest.mark.parametrize("name", ["g.txt.gz", "g-callee.txt", "g-no-children.txt", "g-folded.txt"])
def test_the_trees_of_a_screen_are_stacks_that_weigh_as_much_as_all_of_it(name):
    reading = whole(f"perf-table/perf-top.{name}")
    (profile,) = reading.profiles
    (table,) = reading.tables
    assert profile.weight == pytest.approx(1.0)
    reasons = {row.reason for row in reading.skipped}
    assert reasons <= {"perf top's key help"}
    named = sum(symbol.self_share for symbol in table.symbols)
    total = sum(weight for names, weight in stacks(profile) if names)
    assert total == pytest.approx(named, abs=0.001)


def test_a_branch_below_a_row_is_a_stack_from_its_caller_down():
    (profile,) = read(screen(CHAIN)).profiles
    chain = "entry_SYSCALL_64_after_hwframe;do_syscall_64;filemap_get_entry;xas_load"
    assert shares(profile) == {f"main;{chain}": 0.0219, chain: 0.0016, "": 0.9765}


def test_every_screen_is_a_profile_of_its_own_with_the_samples_of_one_second():
    reading = read(screen(CHAIN, irqs=300), screen(CHAIN, irqs=500))
    assert [profile.samples for profile in reading.profiles] == [300, 500]
    assert [table.samples for table in reading.tables] == [None, None]


def test_a_row_that_the_edge_of_the_screen_cut_has_the_name_of_its_tree():
    reading = read(screen(CUT))
    assert [symbol.name for symbol in reading.tables[0].symbols] == [
        "<rustc_ast_lowering::LoweringContext>::lower_qpath"
    ]


def test_a_row_that_its_tree_names_is_not_renamed_to_a_longer_caller():
    tree = """     2.00%  [kernel]  [k] vfs_stat
            |
            ---vfs_stat
               vfs_statx
"""
    (table,) = read(screen(tree)).tables
    assert [symbol.name for symbol in table.symbols] == ["vfs_stat"]


def test_samples_that_perf_top_was_too_late_for_are_lost():
    reading = read(screen(CHAIN, lost="3/5", drop="17530/17530"))
    assert {fact.name: fact.value for fact in reading.facts}["perf.top.lost"] == 17535
    assert "lost_events" in reading.quality_names


def test_a_screen_without_interrupts_states_weights_all_the_same():
    (profile,) = read(screen(CHAIN, irqs=0)).profiles
    assert profile.weight == pytest.approx(1.0)


def test_trees_without_a_screen_or_a_header_are_no_stacks_and_state_the_time_of_callers():
    reading = perf_table.read(Text(CHAIN.splitlines()))
    assert not reading.profiles
    (table,) = reading.tables
    totals = {one.name: one.total_share for one in table.symbols if one.total_share}
    assert totals["filemap_get_entry"] == pytest.approx(0.0235)
    assert totals["main"] == pytest.approx(0.0219)


def test_the_help_on_keys_at_the_end_belongs_to_the_screen():
    content = (DATA / "perf-table" / "perf-top.g-callee.txt").read_text()
    assert "Mapped keys:" in content
    reading = whole("perf-table/perf-top.g-callee.txt")
    assert [(row.reason, row.count) for row in reading.skipped] == [("perf top's key help", 12)]


def test_callers_that_the_screen_omits_are_unknown():
    (profile,) = whole("perf-table/perf-top.g-no-children.txt").profiles
    assert any(names[:1] == [OPEN] for names, _ in stacks(profile))
