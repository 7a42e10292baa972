"""The output formats that are read, one module each; the first that begins at a line takes it.

`text` is not among `FORMATS`: it is what no format knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.formats import (
    bare_stack,
    bcc_histogram,
    bcc_rows,
    bcc_stacks,
    bpftrace_text,
    chrome_trace,
    etw_stacks,
    fio_json,
    firefox_profile,
    folded,
    iostat,
    kernel_log,
    ltrace,
    mpstat,
    packet_rows,
    perf_diff,
    perf_lock,
    perf_sched,
    perf_script,
    perf_stat,
    perf_table,
    perf_trace,
    perfmon_csv,
    pidstat,
    pprof,
    round_trips,
    sar,
    speedscope,
    strace_calls,
    systemd_cgls,
    thread_dump,
    time_command,
    top,
    tracepoint_format,
    vmstat,
    wrk,
)

if TYPE_CHECKING:
    from ingest.registry import DocumentFormat, Format, StreamFormat

FORMATS: tuple[Format, ...] = (
    perf_script,
    perf_diff,
    perf_table,
    perf_stat,
    perf_lock,
    perf_sched,
    perf_trace,
    pidstat,
    mpstat,
    iostat,
    sar,
    vmstat,
    top,
    ltrace,
    strace_calls,
    time_command,
    round_trips,
    packet_rows,
    tracepoint_format,
    systemd_cgls,
    perfmon_csv,
    etw_stacks,
    fio_json,
    wrk,
    thread_dump,
    bcc_histogram,
    bcc_stacks,
    bcc_rows,
    bpftrace_text,
    kernel_log,
    bare_stack,
    folded,
)

STREAMS: dict[str, StreamFormat] = {stream.NAME: stream for stream in (perf_script, folded)}
"""Formats whose input may be larger than memory, by name."""

DOCUMENTS: tuple[DocumentFormat, ...] = (speedscope, firefox_profile, chrome_trace, pprof)
"""Formats that are one whole document; the first that claims the beginning reads it."""
