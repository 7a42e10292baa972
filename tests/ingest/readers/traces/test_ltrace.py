"""Readings from ltrace."""

from __future__ import annotations

from ingest.readers.traces import ltrace, strace_calls
from tests.ingest.samples import lines_of, read, rows, values


def test_calls_keep_result_and_duration():
    calls = rows(read(ltrace, "ltrace/ltrace-f-T.txt"), "ltrace")
    second = calls[1]
    assert (second["pid"], second["call"], second["result"], second["duration_s"]) == (
        10893.0,
        "setlocale",
        "0x5627b6037f40",
        0.000925,
    )


def test_the_table_gives_totals():
    facts = values(read(ltrace, "ltrace/ltrace-c.txt"), call="strcoll")
    assert facts == {"library_call.count": 80.0, "library_call.seconds": 0.002473}


def test_strace_and_ltrace_do_not_take_each_others_lines():
    library, kernel = lines_of("ltrace/ltrace-f-T.txt"), lines_of("strace-calls/strace.T-f-tt.txt")
    assert not strace_calls.begins(library, 0)
    assert not any(ltrace.begins(kernel, at) for at in range(len(kernel)))


def test_every_line_of_a_real_trace_is_read():
    assert sum(skip.count for skip in read(ltrace, "ltrace/ltrace-f-T.txt").skipped) == 0
