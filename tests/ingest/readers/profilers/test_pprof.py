"""Readings from pprof's protocol buffers."""

from __future__ import annotations

import gzip

import pytest

from ingest.evidence import read_bytes
from ingest.model.errors import MalformedInputError
from ingest.readers.profilers import pprof
from tests.ingest.samples import DATA, whole

CPU = DATA / "pprof/go.cpu.pb.gz"


def test_every_type_of_sample_is_a_profile():
    samples, cpu = whole("pprof/go.cpu.pb.gz").profiles
    assert (samples.event, samples.unit) == ("samples", "count")
    assert (cpu.event, cpu.unit, cpu.what) == ("cpu", "ns", "cpu")
    assert cpu.weight == samples.weight * 10_000_000


def test_go_names_and_outermost_frames_are_right():
    cpu = whole("pprof/go.cpu.pb.gz").profiles[1]
    assert {"main.hashBlocks", "main.sortRows", "runtime.main"} <= {frame.name for frame in cpu.frames}
    roots = {
        cpu.frames[cpu.node_frame[at]].name for at in range(len(cpu.node_parent)) if cpu.node_parent[at] < 0
    }
    assert "runtime.main" in roots


def test_a_type_that_is_zero_everywhere_is_counted():
    reading = whole("pprof/go.heap.pb.gz")
    reasons = [skip.reason for skip in reading.skipped]
    events = {profile.event for profile in reading.profiles}
    assert "alloc_space" in events
    assert all("is zero everywhere" in reason for reason in reasons)


def test_a_cut_profile_is_refused():
    whole_bytes = gzip.decompress(CPU.read_bytes())
    with pytest.raises(MalformedInputError, match="cut off or broken"):
        pprof.read_document(whole_bytes[: len(whole_bytes) // 2])


def test_evidence_has_no_lines_but_a_section():
    evidence = read_bytes(CPU.read_bytes(), name="cpu.pb.gz")
    assert (evidence.state, evidence.line_count) == ("read", 0)
    assert [section.format for section in evidence.sections] == ["pprof"]


@pytest.mark.parametrize(
    "head", [b"", b"\n\n\nhello", b"main;read 3\n", b"\x0a\x04", b"ZZZZZZZ", b"\x7fELF\x02"]
)
def test_other_bytes_are_not_claimed(head):
    assert not pprof.claims(head)
