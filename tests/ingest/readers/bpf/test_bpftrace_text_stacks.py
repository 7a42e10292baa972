"""Maps of bpftrace output whose keys are stacks, and what bounds their counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest.model.profile import ROOT
from ingest.model.reading import Skipped
from ingest.model.section import Text
from ingest.readers.bpf import bpftrace_text
from tests.ingest.samples import leaf_first

if TYPE_CHECKING:
    from ingest.model.reading import Reading

DATA = Path(__file__).parents[3] / "data" / "bpftrace-text"


def lines_of(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines()


def reading_of(name: str) -> Reading:
    return bpftrace_text.read(Text(lines_of(name)))


def read(text: str, command: str = "") -> Reading:
    return bpftrace_text.read(Text(text.splitlines(), command=command))


class TestStacks:
    def test_a_stack_key_is_a_sample_weighing_its_count(self):
        (profile,) = reading_of("memcg-reclaim-kstack-comm.txt").profiles
        assert (len(profile.sample_node), profile.weight, profile.unit) == (70, 22858, "count")
        assert profile.threads[0].comm == "arrow-read-00"
        assert leaf_first(profile, 0)[0] == "try_to_free_mem_cgroup_pages"
        assert leaf_first(profile, 0)[-1] == "asm_exc_page_fault"

    def test_counts_are_events_unless_the_script_samples(self):
        (counted,) = reading_of("memcg-reclaim-kstack-comm.txt").profiles
        command = "bpftrace -e 'profile:hz:99 { @[kstack] = count(); }'"
        (sampled,) = read("Attaching 1 probe...\n@[\n    do_idle+1\n]: 5\n", command).profiles
        assert (counted.what, counted.event, sampled.what, sampled.event) == (
            "event",
            "@",
            "cpu",
            "profile:hz:99",
        )

    def test_an_empty_stack_is_a_sample_without_stack(self):
        (profile,) = reading_of("profile-kstack-comm.txt").profiles
        comms = {
            profile.threads[thread].comm for thread in profile.sample_thread[profile.sample_node == ROOT]
        }
        assert "rustc" in comms

    def test_stacks_are_classified_as_user_or_kernel_by_vote(self):
        (kernel,) = reading_of("profile-kstack-comm.txt").profiles
        (user,) = reading_of("profile-ustack.txt").profiles
        assert {frame.kind for frame in kernel.frames} == {"kernel"}
        assert {frame.kind for frame in user.frames} == {"user"}

    def test_two_stacks_in_a_key_join_below_the_kernel_entry(self):
        text = "@[\n    vfs_read+1\n    do_syscall_64+2\n, \n    read+3\n    main+4\n, cat]: 2\n"
        (profile,) = read(text).profiles
        assert leaf_first(profile, 0) == ["vfs_read", "do_syscall_64", "read", "main"]
        assert {frame.name: frame.kind for frame in profile.frames}["read"] == "user"

    def test_a_number_in_the_key_is_a_pid_only_if_the_script_shows_it(self):
        text = "@[\n    do_syscall_64+2\n, cat, 256]: 2\n"
        (unsaid,) = read(text).profiles
        (profile,) = read(text, "bpftrace -e 'k:x { @[kstack, comm, pid] = count(); }'").profiles
        assert (unsaid.threads[0].pid, profile.threads[0].pid) == (-1, 256)

    def test_perf_mode_frames_lose_their_address(self):
        profile = reading_of("kstack-perf-mode.cut.txt").profiles[0]
        assert leaf_first(profile, 0)[:2] == ["shrink_folio_list", "shrink_lruvec"]

    def test_a_truncated_last_entry_is_counted_and_reported(self):
        reading = reading_of("kstack-perf-mode.cut.txt")
        assert [row.reason for row in reading.skipped] == ["map key without an end"]
        assert reading.quality_names == {"cut_off"}

    def test_script_residue_is_counted_and_the_stack_still_read(self):
        reading = reading_of("mmap_lock-kstack.txt")
        (profile,) = reading.profiles
        assert leaf_first(profile, 0)[-1] == "asm_exc_page_fault"
        assert reading.skipped == (Skipped("script or shell around it", 5, 1),)
        assert (reading.quality_names, reading.facts) == ({"no_header"}, ())

    def test_a_second_print_of_a_map_is_a_second_profile(self):
        stack = "@[\n    do_syscall_64+2\n]: 3\n@[\n    do_idle+2\n]: 9\n"
        assert [profile.weight for profile in read(stack + "\n" + stack).profiles] == [12, 12]

    def test_equal_texts_with_rising_counts_are_one_print(self):
        assert [p.weight for p in read("@[\n    f+2\n]: 3\n@[\n    f+2\n]: 9\n").profiles] == [12]


class TestConditions:
    SCRIPT = """tracepoint:mmap_lock:mmap_lock_released /@start[tid]/ {
        $d = (nsecs - @start[tid]) / 1000;
        if ($d > 1000000) {
            @[kstack] = count();
        }
    }
    @[
        do_user_addr_fault+727
    ]: 1
    """

    def test_the_duration_a_stack_was_counted_under_is_a_fact(self):
        (fact,) = read(self.SCRIPT).facts
        assert (fact.name, fact.value, fact.unit) == ("bpftrace.condition_min_us", 1_000_000, "us")
        assert (fact.labels, fact.lines.first) == ({"map": "@"}, 3)

    def test_a_predicate_is_a_condition_and_nanoseconds_are_converted(self):
        command = "bpftrace -e 'kretprobe:f /nsecs - @s[tid] > 2000000/ { @x[kstack] = count(); }'"
        (fact,) = read("@x[\n    f+1\n]: 1", command).facts
        assert (fact.value, fact.labels) == (2000, {"map": "@x"})

    def test_an_unstated_unit_is_not_guessed(self):
        (fact,) = read("if ($d > 1000000) {\n@[kstack] = count();\n}\n}\n\n@[\n    f+1\n]: 1").facts
        assert (fact.name, fact.value, fact.unit) == ("bpftrace.condition_min", 1_000_000, "")


class TestMaps:
    def test_scalars_are_facts_with_the_unit_of_the_name(self):
        (fact,) = reading_of("mmap_lock-hold.txt").facts
        assert (fact.name, fact.value, fact.unit, fact.lines.first) == (
            "bpftrace.hold_avg_us",
            1190,
            "us",
            27,
        )

    def test_each_print_is_a_snapshot(self):
        facts = [
            f for f in reading_of("vmscan-counts.txt").facts if f.labels["key"].endswith("reclaim_begin")
        ]
        assert [(fact.snapshot, fact.value) for fact in facts] == [
            (0, 2541),
            (1, 2130),
            (2, 5090),
            (3, 4650),
            (4, 2865),
        ]

    @pytest.mark.parametrize(
        "value",
        ["count 3, average 2, total 6", "{ .count = 3, .average = 2, .total = 6 }"],
        ids=["old", "new"],
    )
    def test_stats_are_three_facts(self, value):
        facts = read(f"@lat_us[a b]: {value}").facts
        assert [(fact.name, fact.value, fact.unit) for fact in facts] == [
            ("bpftrace.lat_us.count", 3, "count"),
            ("bpftrace.lat_us.average", 2, "us"),
            ("bpftrace.lat_us.total", 6, "us"),
        ]

    def test_empty_output_is_reported(self):
        assert reading_of("nothing-printed.txt").quality_names == {"few_samples"}


class TestJson:
    def test_hist_bounds_are_made_exclusive(self):
        histogram = next(
            h for h in reading_of("vmscan-memcg-reclaim.json.txt").histograms if h.name == "@reclaim_us"
        )
        assert (histogram.lows[0], histogram.highs[0], histogram.counts[0]) == (16, 32, 277)

    def test_stats_and_maps_read_as_in_text(self):
        facts = {
            (f.name, f.labels.get("key")): f.value for f in reading_of("vmscan-memcg-reclaim.json.txt").facts
        }
        assert facts["bpftrace.by_comm.count", "arrow-read-30"] == 647

    def test_stacks_in_keys_are_samples(self):
        line = '{"type": "map", "data": {"@": {"\\n    do_idle+1\\n    start_secondary+2\\n,swapper/1": 7}}}'
        (profile,) = read(line).profiles
        assert (leaf_first(profile, 0), profile.threads[0].comm) == (
            ["do_idle", "start_secondary"],
            "swapper/1",
        )

    def test_a_truncated_object_is_reported(self):
        reading = read(
            '{"type": "attached_probes", "data": {"probes": 3}}\n{"type": "map", "data": {"@": {"a'
        )
        assert "cut_off" in reading.quality_names


@pytest.mark.parametrize(("name", "what"), [("@oncpu", "cpu"), ("@on_cpu", "cpu"), ("@k", "event")])
def test_a_map_of_a_program_that_is_not_shown_may_say_that_it_samples(name, what):
    text = f"{name}[\n    shrink_lruvec+29\n    shrink_node+329\n    do_syscall_64+59\n]: 812\n"
    (profile,) = bpftrace_text.read(Text(text.splitlines())).profiles
    assert profile.what == what
