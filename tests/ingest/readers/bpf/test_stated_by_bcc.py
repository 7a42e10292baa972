"""Reports of bcc tools that are no tables: critical sections, and mutexes taken in a cycle."""

from __future__ import annotations

from tests.ingest.samples import rows, values, whole


def test_the_longest_critical_section_has_the_facts_of_the_tracers():
    found = values(whole("criticalstat/preemptoff.txt"), tracer="preemptoff")
    assert found["ftrace.latency.longest_seconds"] == 0.000618437
    assert found["ftrace.latency.started_at"] == "preempt_count_add"


def test_a_cycle_of_mutexes_is_stated_and_its_stacks_are_no_waits():
    reading = whole("bcc-deadlock/lock-inversion.txt")
    assert list(values(reading, what="lock_order_cycle")) == ["tool.outcome"]
    assert [row["tid"] for row in rows(reading, "lock_order")] == [357250, 357251, 357247, 357248]
    assert reading.profiles == ()


def test_calls_that_trace_printed_are_counted_by_function():
    assert values(whole("bcc-rows/trace.txt"), function="sys_read") == {"trace.calls": 4}
