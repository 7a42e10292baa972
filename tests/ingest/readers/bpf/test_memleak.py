"""Readings from memleak of bcc."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.bpf import memleak
from tests.ingest.samples import leaf_first, rows, values, whole


def test_the_last_report_is_the_profile_and_the_growth_a_fact():
    reading = whole("memleak/growing.txt")
    assert values(reading) == {"trace.outstanding_bytes": 160.0, "trace.outstanding_growth_bytes": 80.0}
    (profile,) = reading.profiles
    assert (profile.unit, profile.sample_weight.tolist(), profile.samples) == ("bytes", [160.0], 10.0)
    assert leaf_first(profile, 0) == ["main", "__libc_start_main"]


def test_kernel_stacks_are_of_the_kernel():
    (profile,) = whole("memleak/kernel.txt").profiles
    assert leaf_first(profile, 0) == ["bpf_prog_load", "sys_bpf"]
    assert {frame.kind for frame in profile.frames} == {"kernel"}
    assert profile.sample_weight.tolist() == [248.0, 328.0, 464.0, 8192.0]


def test_addresses_in_front_of_frames_are_left_out():
    (profile,) = whole("memleak/with-addresses.txt").profiles
    assert leaf_first(profile, 0)[:2] == ["zmalloc", "serverCron"]
    assert profile.frames[0].module in {"redis-server", "libc.so.6"}


def test_single_allocations_are_counted():
    reading = whole("memleak/single-allocations.txt")
    assert {skip.reason: skip.count for skip in reading.skipped}["a single allocation"] == 14


def test_a_stack_that_is_lost_has_its_bytes():
    lines = [*memleak.EXAMPLE.splitlines()[:2], "\t\tstack information lost"]
    reading = memleak.read(Text(lines))
    assert values(reading)["trace.outstanding_bytes"] == 80.0
    assert [skip.reason for skip in reading.skipped] == ["not of a report"]


def test_tables_of_tools_with_names_of_several_words_are_read():
    found = rows(
        whole("bcc-rows/tool-virtiostat.txt"), "rows:driver,device,vq_name,in_sgs,out_sgs,in_bw,out_bw"
    )
    assert (found[3]["driver"], found[3]["in_bw"]) == ("9pnet_virtio", 1883687.0)
    name = "rows:cpu,pid,tid,time_us,method"
    assert rows(whole("bcc-rows/tool-uflow.txt"), name)[0]["method"] == "<- IO.gets"
    (exits,) = whole("bcc-rows/tool-kvmexit.txt").row_sets
    assert len(exits.rows) == 18
    (runtimes,) = whole("bcc-rows/tool-ustat.txt").row_sets
    assert runtimes.rows[2][1:3] == ("java -XX:+ExtendedDT", 2776045.0)
