"""Readings of files below /proc."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.readers.proc import sysctl
from ingest.sections import captured_files
from tests.ingest.readers.captured import facts, read, value

V2 = "sys/fs/cgroup/lakehouse"


def test_only_functions_that_date_a_kernel_are_stored():
    named = [labels["name"] for _, _, labels in facts("proc/kallsyms", "feature.function")]
    assert {"evict_folios", "tmigr_handle_remote"} <= set(named)
    assert "fixed_percpu_data" not in named


def test_meminfo_is_in_bytes_and_huge_pages_are_a_count():
    assert facts("proc/meminfo", "meminfo.memtotal_bytes")[0][1] == "bytes"
    assert facts("proc/meminfo", "meminfo.active_anon_bytes")
    assert facts("proc/meminfo", "meminfo.hugepages_total") == [(0.0, "count", {})]


def test_load_and_pressure():
    assert value("proc/loadavg", "loadavg.1m") == 20.29
    assert value("proc/pressure/memory", "pressure.memory.some.avg10_share") == pytest.approx(0.6635)
    assert facts(f"{V2}/memory.pressure", "pressure.memory.full.avg10_share") == [
        (pytest.approx(0.5302), "share", {"cgroup": "/lakehouse"})
    ]


def test_a_process_read_three_times_has_three_snapshots():
    rss = [
        fact for fact in read("proc/6879/smaps_rollup").facts if fact.name == "process.rss.smaps_rollup_bytes"
    ]
    assert (rss[0].value, rss[0].snapshot, rss[0].labels) == (
        203268 * 1024.0,
        0,
        {"pid": "6879"},
    )
    assert len(rss) == 3
    assert {fact.value for fact in read("proc/6879/status").facts if fact.name == "process.threads"} == {
        801.0
    }


def test_softirq_rounds_cut_short_are_per_cpu():
    assert facts("proc/net/softnet_stat", "softnet.time_squeeze") == [
        (0.0, "count", {"cpu": "0"}),
        (5.0, "count", {"cpu": "1"}),
    ]


def test_interprocessor_interrupts_are_stored_per_cpu():
    assert facts("proc/interrupts", "interrupts.per_cpu") == [
        (float(count), "count", {"irq": irq, "cpu": cpu})
        for irq, counts in {
            "RES": (606450, 480575),
            "CAL": (2185571, 2061048),
            "TLB": (2107559, 2013358),
        }.items()
        for cpu, count in zip("01", counts, strict=True)
    ]


def test_proc_version_of_cos():
    reader = captured_files.reader_of_path("proc/version")
    line = "Linux version 5.15.65+ (builder@host) (clang version 14) #1 SMP Sat Jan 21 10:23:11 UTC 2023"
    names = {fact.name: fact.value for fact in reader.read(Text([line], 1, "proc/version")).facts}
    assert names == {
        "kernel.release": "5.15.65+",
        "kernel.build_text": "#1 SMP Sat Jan 21 10:23:11 UTC 2023",
        "kernel.builder_text": "(builder@host) (clang version 14)",
    }


def test_settings_are_numbers_where_they_are_one_number():
    assert value("sos_commands/kernel/sysctl_-a", "sysctl.vm.zone_reclaim_mode") == 0.0
    assert isinstance(value("sos_commands/kernel/sysctl_-a", "sysctl.vm.lowmem_reserve_ratio"), str)


def test_the_three_marks_of_tcp_memory_are_numbers_in_pages():
    reading = sysctl.read(
        Text(["net.ipv4.tcp_mem = 189864\t253153\t379728", "net.ipv4.tcp_rmem = 4096\t131072\t6291456"])
    )
    facts = {fact.name: fact.value for fact in reading.facts}
    assert facts["sysctl.net.ipv4.tcp_mem.low"] == 189864.0
    assert facts["sysctl.net.ipv4.tcp_mem.high"] == 379728.0
    assert "sysctl.net.ipv4.tcp_rmem.high" not in facts
