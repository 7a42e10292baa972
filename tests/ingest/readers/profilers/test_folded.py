"""Folded stacks: weights are stored, order is stored where lines are samples."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.export import folded as export
from ingest.model.section import Text
from ingest.native import parse_folded
from ingest.readers.profilers import folded

DATA = Path(__file__).parents[3] / "data" / "folded"
MERGED = (DATA / "memcg-reclaim.folded.txt").read_text()
ORDERED = (DATA / "perf-ordered-folded.txt").read_text()


def read(text: str):
    return folded.read(Text(lines=text.splitlines()))


def test_the_weight_is_the_sum_of_the_numbers():
    profile = read(MERGED).profiles[0]
    assert profile.samples == sum(int(line.rsplit(" ", 1)[1]) for line in MERGED.splitlines())
    assert not profile.is_ordered


def test_lines_without_weights_are_samples_in_order_and_neighbours_stay_apart():
    profile = read(ORDERED).profiles[0]
    lines = [line for line in ORDERED.splitlines() if ";" in line]
    assert profile.is_ordered
    assert profile.samples == len(lines)
    assert [profile.threads[at].comm for at in profile.sample_thread] == [
        line.split(";")[0] for line in lines
    ]


def test_a_thread_bound_to_a_cpu_has_the_cpu():
    profile = read(ORDERED).profiles[0]
    cpus = {
        profile.threads[thread].comm: cpu
        for thread, cpu in zip(profile.sample_thread, profile.sample_cpu, strict=True)
    }
    assert cpus["ksoftirqd/11"] == 11
    assert {cpu for comm, cpu in cpus.items() if not comm.startswith("ksoftirqd")} == {-1}


def test_what_is_called_from_a_kernel_entry_is_kernel():
    profile = read("app;main;entry_SYSCALL_64_after_hwframe;ksys_read;vfs_read 3\n").profiles[0]
    kinds = {frame.name: frame.kind for frame in profile.frames}
    assert kinds["vfs_read"] == "kernel"
    assert kinds["main"] == "unknown"


def test_a_line_that_is_no_stack_is_counted():
    reading = read(MERGED + "no stack at all\n" + MERGED)
    assert [(row.count, row.first_line) for row in reading.skipped] == [(1, len(MERGED.splitlines()) + 1)]


@pytest.mark.parametrize("line", ["see: a; b 3", "load average 3", "a 1", "x = y; z = 3"])
def test_prose_with_semicolons_is_not_claimed(line):
    assert not folded.begins([line], 0)


def test_what_we_fold_is_read_as_the_same_stacks():
    profile = read(MERGED).profiles[0]
    assert export.text(profile) == MERGED


NAME = st.text(
    st.characters(codec="ascii", categories=["L", "N"], include_characters="_:<>"), min_size=1, max_size=8
)
STACK = st.lists(NAME.map(lambda name: f"f{name}"), min_size=3, max_size=9)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(STACK.map(";".join), st.integers(1, 10**9), min_size=1, max_size=30))
def test_folding_and_reading_are_inverse(stacks):
    text = "".join(f"{stack} {weight}\n" for stack, weight in sorted(stacks.items()))
    profile = parse_folded([text.encode()]).profile
    assert profile.weight == sum(stacks.values())
    again = parse_folded([export.fold(profile)]).profile
    assert export.fold(again) == export.fold(profile)
    assert again.weight == profile.weight


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, len(MERGED)), max_size=12))
def test_chunks_may_break_anywhere(cuts):
    content = MERGED.encode()
    bounds = [0, *sorted(cuts), len(content)]
    parts = parse_folded(content[a:b] for a, b in itertools.pairwise(bounds))
    assert export.fold(parts.profile) == MERGED.encode()


RECLAIM = "postgres;do_syscall_64;exc_page_fault;try_to_free_mem_cgroup_pages;evict_folios;shrink_folio_list"
WAITS = "folio_wait_writeback;io_schedule;schedule"


@pytest.mark.parametrize("leaf", ["finish_task_switch.isra.0", "__schedule_[k]", "schedule"])
def test_stacks_that_end_where_tasks_leave_the_cpu_are_waits(leaf):
    waits = (
        f"{RECLAIM};{WAITS};{leaf} 912334412\npostgres;do_syscall_64;futex_wait;schedule;{leaf} 42334412\n"
    )
    assert read(waits).profiles[0].what == "offcpu"
    assert read(f"{waits}postgres;main;parse 300000000\n").profiles[0].what == "cpu"
    assert read(MERGED).profiles[0].what == "cpu"
