"""The native perf script reader matches the reference reader, with any number of threads."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.native import PerfScriptText
from tests.ingest.native import reference

DATA = Path(__file__).parents[2] / "data" / "perf-script"
REGULAR = ["default", "ns", "pid_tid", "symoff_period", "fields_full"]
PART_BYTES = 4 << 20


def text_of(name):
    path = DATA / name
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return content.decode()


def parse(text, threads=1, chunk=1 << 20):
    parser = PerfScriptText(threads=threads)
    content = text.encode()
    for at in range(0, len(content), chunk):
        parser.feed(content[at : at + chunk])
    return parser.finish()


def samples_of(parts):
    """Return the samples in the form of the reference, in the order of lines."""
    lines = []
    for profile in parts.profiles:
        for at, node in enumerate(profile.sample_node.tolist()):
            stack = []
            while node >= 0:
                frame = profile.frames[profile.node_frame[node]]
                stack.append((frame.name, frame.module))
                node = int(profile.node_parent[node])  # noqa: PLW2901 - walking up
            thread = profile.threads[profile.sample_thread[at]]
            has_period = profile.unit.startswith("period:")
            lines.append(
                reference.Sample(
                    event=profile.event,
                    comm=thread.comm,
                    pid=thread.pid,
                    tid=thread.tid,
                    cpu=-1 if profile.sample_cpu is None else int(profile.sample_cpu[at]),
                    time=float(profile.sample_time[at]),
                    period=float(profile.sample_weight[at]) if has_period else None,
                    line=int(profile.sample_line[at]),
                    stack=tuple(reversed(stack)),
                )
            )
    return sorted(lines, key=lambda sample: sample.line)


def columns_of(parts):
    """Return everything of a reading as plain values."""
    return [
        (
            profile.event,
            profile.unit,
            profile.frames,
            profile.threads,
            *(
                None if column is None else column.tolist()
                for column in (
                    profile.node_parent,
                    profile.node_frame,
                    profile.node_line,
                    profile.sample_node,
                    profile.sample_weight,
                    profile.sample_time,
                    profile.sample_cpu,
                    profile.sample_thread,
                    profile.sample_line,
                )
            ),
        )
        for profile in parts.profiles
    ] + [parts.comments, parts.skipped, parts.lost, parts.lost_line, parts.cut_line]


@pytest.mark.parametrize("form", REGULAR)
def test_a_recording_is_read_as_the_obvious_reader_reads_it(form):
    text = text_of(f"memcg-reclaim.{form}.txt").rstrip("\n") + "\n"
    text = text[: text.rindex("\n\n") + 1]
    assert samples_of(parse(text)) == reference.read(text)


WORD = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.:~-]{0,12}", fullmatch=True)
FRAME = st.tuples(
    st.integers(0, 2**64 - 1),
    st.one_of(WORD, st.just("[unknown]"), st.just("operator()(int) const")),
    st.sampled_from(["[kernel.kallsyms]", "/usr/lib/libc.so.6", "/opt/a b (deleted)", "[unknown]"]),
    st.booleans(),
)
SAMPLE = st.tuples(
    st.from_regex(r"[A-Za-z][A-Za-z0-9/_-]{0,6}( [A-Za-z_]{1,6})?", fullmatch=True),
    st.integers(0, 4_194_304),
    st.integers(0, 4_194_304),
    st.integers(0, 4095),
    st.integers(0, 10**15),
    st.integers(1, 10**9),
    st.sampled_from(["cycles", "cpu-clock:ppp", "sched:sched_switch"]),
    st.lists(FRAME, min_size=1, max_size=8),
)


def printed(sample):
    comm, pid, tid, cpu, nanoseconds, period, event, frames = sample
    seconds, rest = divmod(nanoseconds, 10**9)
    head = f"{comm} {pid}/{tid} [{cpu:03}] {seconds}.{rest:09}: {period:10} {event}: \n"
    lines = (
        f"\t{address:16x} {name}{'+0x1f' if has_offset else ''} ({module})\n"
        for address, name, module, has_offset in frames
    )
    return head + "".join(lines)


@settings(max_examples=150, deadline=None)
@given(st.lists(SAMPLE, min_size=1, max_size=12))
def test_generated_text_is_read_as_the_obvious_reader_reads_it(samples):
    text = "\n".join(printed(sample) for sample in samples)
    assert samples_of(parse(text)) == reference.read(text)


@pytest.mark.parametrize(
    "name",
    [
        "memcg-reclaim.default.txt",
        "memcg-reclaim.tracepoints_vmscan.txt",
        "healthy-database.fields_full.txt.gz",
    ],
)
def test_the_number_of_threads_and_the_size_of_chunks_change_nothing(name):
    whole = text_of(name)
    text = whole[: whole.rindex("\n\n") + 2] * (3 * PART_BYTES // len(whole) + 1)
    assert len(text) > 2 * PART_BYTES
    expected = columns_of(parse(text))
    assert columns_of(parse(text, threads=2)) == expected
    assert columns_of(parse(text, threads=5, chunk=70_001)) == expected


def test_a_text_where_every_line_is_odd_loses_no_line():
    odd = "Warning: nothing here\nxyzzy\n\n"
    text = (odd + "a 1 [000] 1.5: 7 cycles: \n\tffffffff81000000 f ([kernel.kallsyms])\n\n") * 40_000
    parts = parse(text, threads=2)
    assert sum(row.count for row in parts.skipped) == 80_000
    assert parts.profiles[0].samples == 40_000
    assert np.array_equal(parts.profiles[0].sample_line, np.arange(40_000) * 6 + 4)
