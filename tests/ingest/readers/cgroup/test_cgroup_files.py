"""Readings of control group files."""

from __future__ import annotations

import math

from ingest.model.section import Text
from ingest.sections import captured_files
from tests.ingest.readers.captured import facts, value

V1 = "sys/fs/cgroup/memory/lakehouse"
V2 = "sys/fs/cgroup/lakehouse"


def test_the_limit_of_version_1_has_its_group():
    assert facts(f"{V1}/memory.limit_in_bytes", "memcg.limit_bytes") == [
        (402653184.0, "bytes", {"cgroup": "/lakehouse"})
    ]
    assert value(f"{V1}/memory.limit_in_bytes", "cgroup.version") == "v1"


def test_no_limit_is_infinite_in_both_versions():
    assert value(f"{V1}/memory.kmem.limit_in_bytes", "memcg.kmem.limit_bytes") == math.inf
    assert value(f"{V2}/memory.high", "memcg.high_bytes") == math.inf


def test_the_limit_of_version_2_has_its_group():
    ((limit, unit, labels),) = facts(f"{V2}/memory.max", "memcg.limit_bytes")
    assert (unit, labels) == ("bytes", {"cgroup": "/lakehouse"})
    assert limit > 0


def test_failures_are_counted():
    assert facts(f"{V1}/memory.failcnt", "memcg.failcnt")[0][:2] == (6041559.0, "count")


def test_sizes_are_bytes_and_events_are_counts():
    assert facts(f"{V1}/memory.stat", "memcg.stat.rss")[0][:2] == (377909248.0, "bytes")
    assert facts(f"{V1}/memory.stat", "memcg.stat.workingset_refault_file")[0][:2] == (21297004.0, "count")
    assert facts(f"{V1}/memory.stat", "memcg.stat.total_pgpgin")[0][1] == "count"
    assert facts(f"{V1}/memory.stat", "memcg.stat.hierarchical_memory_limit")[0][0] == 402653184.0


def test_version_2_has_scans_and_steals():
    assert facts(f"{V2}/memory.stat", "memcg.stat.pgscan")[0][1] == "count"
    assert facts(f"{V2}/memory.stat", "memcg.stat.pgsteal")[0][1] == "count"
    assert facts(f"{V2}/memory.stat", "memcg.stat.anon")[0][1] == "bytes"


def test_events_of_version_2():
    assert value(f"{V2}/memory.events", "memcg.events.max") == 1173.0
    assert value(f"{V2}/memory.events", "memcg.events.oom_kill") == 0.0


def test_flags_of_oom_control_are_booleans():
    assert value(f"{V1}/memory.oom_control", "memcg.oom_control.under_oom") is False
    assert value(f"{V1}/memory.oom_control", "memcg.oom_control.oom_kill") == 0.0


def test_dying_groups_are_counted():
    assert value(f"{V2}/cgroup.stat", "cgroup.stat.nr_dying_descendants") == 12.0


def test_no_quota_is_infinite_and_throttling_is_in_seconds():
    assert value(f"{V2}/cpu.max", "cgroup.cpu.quota_cpus") == math.inf
    assert facts(f"{V2}/cpu.stat", "cgroup.cpu.throttled_seconds")[0][1] == "seconds"


def test_throttling_of_version_1_is_nanoseconds():
    reader = captured_files.reader_of_path("sys/fs/cgroup/cpu,cpuacct/a/cpu.stat")
    reading = reader.read(Text(["throttled_time 2500000000"], 1, "sys/fs/cgroup/cpu,cpuacct/a/cpu.stat"))
    assert [(f.name, f.value, f.labels) for f in reading.facts] == [
        ("cgroup.cpu.throttled_seconds", 2.5, {"cgroup": "/a"})
    ]


def test_groups_and_hierarchies():
    assert value("proc/cgroups", "cgroups.memory.num_cgroups") == 119.0
    assert value("proc/cgroups", "cgroups.memory.hierarchy") == 4.0
    assert value("proc/cgroups", "cgroup.version") == "v1"


def test_an_annotation_is_no_value():
    reader = captured_files.reader_of_path("memory.failcnt")
    (fact,) = reader.read(Text(["31 # the number of times cgroup hit the limit"], 2, "memory.failcnt")).facts
    assert (fact.value, fact.lines) == (31.0, (2, 2))
