"""What ftrace and trace-cmd print."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.traces import ftrace
from tests.ingest.samples import stacks, whole

GRAPH = "ftrace/function-graph.txt"


def durations(reading, name):
    return {
        fact.labels["function"]: fact.value
        for fact in reading.facts
        if fact.name == f"ftrace.function.{name}_seconds"
    }


def test_a_duration_at_a_closing_brace_is_of_the_function_that_it_closes():
    longest = durations(whole(GRAPH), "longest")
    assert longest["mutex_unlock"] == 194.758e-6
    assert longest["kvmalloc_node"] == 20.210e-6
    assert longest["p9_get_mapped_pages.part.0.constprop.0"] == 55.749e-6


def test_a_closing_brace_with_a_name_needs_no_opening_one():
    assert durations(whole(GRAPH), "longest")["p9_client_prepare_req"] == 173.208e-6


def test_time_and_task_columns_and_trace_cmd_give_the_same_kind_of_facts():
    longest = durations(whole("ftrace/function-graph-with-time-and-task.txt"), "longest")
    assert longest["__cond_resched"] == 0.01753966
    assert durations(whole("ftrace/trace-cmd-graph.txt"), "longest")["irq_enter_rcu"] == 398.046e-6


def test_calls_are_counted_without_durations():
    calls = {fact.labels["function"]: fact.value for fact in whole("ftrace/function.txt").facts}
    assert calls["vfs_statx"] == 12
    assert durations(whole("ftrace/function.txt"), "total") == {}


def test_stacks_of_events_are_stacks_without_weights():
    (profile,) = whole("ftrace/events-with-stacks.txt").profiles
    assert not profile.has_weights
    assert stacks(profile)[0][0][-1] == "trace_event_raw_event_sched_wakeup_template"


def test_events_whose_fields_are_known_are_rows_with_the_time_they_span():
    (switched,) = whole("ftrace/events-inode-switch.txt").row_sets
    assert switched.name == "inode_switch_wbs"
    assert switched.columns == ("time_s", "inode", "old_cgroup_ino", "new_cgroup_ino")
    assert (switched.rows[0], switched.row_lines[0]) == ((101.369705, 60015.0, 154.0, 1.0), 13)
    assert len(switched.rows) == 388
    assert switched.duration == switched.rows[-1][0] - switched.rows[0][0]


def test_ends_of_reclaim_calls_are_rows_with_their_duration():
    lines = [
        "     java-711     [003] ...1.   411.000000: mm_vmscan_memcg_reclaim_begin: order=0",
        "     java-712     [001] ...1.   411.200000: mm_vmscan_memcg_reclaim_end: nr_reclaimed=7",
        "     java-711     [003] ...1.   412.500000: mm_vmscan_memcg_reclaim_end: nr_reclaimed=32",
    ]
    (found,) = ftrace.read(Text(lines)).row_sets
    assert found.name == "memcg_reclaim_end"
    (row,) = (dict(zip(found.columns, row, strict=True)) for row in found.rows)
    assert (row["nr_reclaimed"], row["tid"], row["elapsed_ns"]) == (32.0, 711.0, 1.5e9)
