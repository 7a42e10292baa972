"""Readings from heaptrack_print."""

from __future__ import annotations

from ingest.readers.profilers.heaptrack import FORMAT
from tests.ingest.samples import whole


def facts_of(reading):
    return {(one.name, one.labels.get("function", "")): one for one in reading.facts}


def test_what_leaked_is_of_the_function_that_allocated_it_and_its_callers():
    reading = whole("heaptrack/leaks.txt")
    facts = facts_of(reading)
    leaked = facts["heap.leaked_bytes", "leak_cache"]
    assert (leaked.value, leaked.labels["caller"], leaked.lines.first) == (8_190_000, "work ← main", 66)
    assert facts["heap.leaked_calls", "leak_cache"].value == 2000
    assert facts["heap.total_leaked_bytes", ""].value == 8_190_000
    assert facts["heap.total_peak_bytes", ""].value == 8_260_000
    assert not reading.skipped


def test_functions_of_the_peak_are_apart_from_those_that_allocate_often():
    facts = facts_of(whole("heaptrack/peaks.txt"))
    peaks = {function: one.value for (name, function), one in facts.items() if name == "heap.peak_bytes"}
    assert peaks == {"leak_cache": 8_190_000, "0x7f7ed96a57b9": 72_700}
    assert ("heap.leaked_bytes", "leak_cache") not in facts


def test_lines_of_a_log_below_end_the_report():
    assert FORMAT.continues("std::vector<int, std::allocator<int> >::push_back(int const&)")
    assert FORMAT.continues("operator new(unsigned long)")
    assert not FORMAT.continues("[   12.345678] Out of memory: Killed process 4242 (cache)")
    assert not FORMAT.continues("Nov 29 08:46:16 host kernel: usb 1-1: new device")
