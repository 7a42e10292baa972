"""The output formats that are read, one module each; the first that begins at a line takes it.

`text` is not among `FORMATS`: it is what no format knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.formats import (
    bare_stack,
    bpftrace_text,
    folded,
    kernel_log,
    packet_rows,
    perf_script,
    perf_stat,
    perf_table,
    pidstat,
    round_trips,
    strace_calls,
    systemd_cgls,
    time_command,
    tracepoint_format,
)

if TYPE_CHECKING:
    from ingest.registry import Format, StreamFormat

FORMATS: tuple[Format, ...] = (
    perf_script,
    perf_table,
    perf_stat,
    pidstat,
    strace_calls,
    time_command,
    round_trips,
    packet_rows,
    tracepoint_format,
    systemd_cgls,
    bpftrace_text,
    kernel_log,
    bare_stack,
    folded,
)

STREAMS: dict[str, StreamFormat] = {stream.NAME: stream for stream in (perf_script, folded)}
"""Formats whose input may be larger than memory, by name."""
