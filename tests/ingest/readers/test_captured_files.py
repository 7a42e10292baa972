"""Readings from captured files, from real ones."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ingest import readers
from ingest.model.section import Text
from ingest.sections import captured_files

DATA = Path(__file__).parents[2] / "data" / "files"


def read(path: str):
    (tree,) = {child.name for child in DATA.iterdir() if (child / path).is_file()}
    lines = (DATA / tree / path).read_text().splitlines()
    reader = captured_files.reader_of_path(path)
    assert reader is not None, path
    return reader.read(Text(lines, 1, path))


def facts(path: str, name: str):
    return [(fact.value, fact.unit, dict(fact.labels)) for fact in read(path).facts if fact.name == name]


def value(path: str, name: str):
    (found,) = facts(path, name)
    return found[0]


CAPTURED = sorted(
    str(path.relative_to(tree))
    for tree in DATA.iterdir()
    if tree.is_dir() and tree.name != "loose"
    for path in tree.rglob("*")
    if path.is_file()
)
EXCLUDED = {
    "inner value of the scheduler",
    "page set of one CPU",
    "option of a device driver",
    "function that dates no code",
    "a kind of ICMP message, repeated below IcmpMsg",
}
V1 = "sys/fs/cgroup/memory/lakehouse"
V2 = "sys/fs/cgroup/lakehouse"


@pytest.mark.parametrize("path", CAPTURED)
def test_every_captured_file_is_read_without_a_skipped_line(path):
    reading = read(path)
    assert reading.facts or reading.row_sets
    unread = [skipped for skipped in reading.skipped if skipped.count > 3 and skipped.reason not in EXCLUDED]
    assert unread == []


@pytest.mark.parametrize("path", CAPTURED)
def test_every_fact_cites_a_line_of_the_file(path):
    (tree,) = {child.name for child in DATA.iterdir() if (child / path).is_file()}
    count = len((DATA / tree / path).read_text().splitlines())
    for fact in read(path).facts:
        assert 1 <= fact.lines.first <= fact.lines.last <= count
        assert isinstance(fact.value, float | str | bool)


def test_only_functions_that_date_a_kernel_are_stored():
    named = [labels["name"] for _, _, labels in facts("proc/kallsyms", "feature.function")]
    assert {"evict_folios", "tmigr_handle_remote"} <= set(named)
    assert "fixed_percpu_data" not in named


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


def test_the_kernel_and_its_host():
    path = "sos_commands/kernel/uname_-a"
    assert value(path, "kernel.release") == "6.12.117+deb12-cloud-amd64"
    assert value(path, "host.name") == "analytics-db-02"
    assert value(path, "kernel.build_text").startswith("#1 SMP PREEMPT_DYNAMIC Debian 6.12.117-1~deb12u1")


def test_proc_version_of_cos():
    reader = captured_files.reader_of_path("proc/version")
    line = "Linux version 5.15.65+ (builder@host) (clang version 14) #1 SMP Sat Jan 21 10:23:11 UTC 2023"
    names = {fact.name: fact.value for fact in reader.read(Text([line], 1, "proc/version")).facts}
    assert names == {
        "kernel.release": "5.15.65+",
        "kernel.build_text": "#1 SMP Sat Jan 21 10:23:11 UTC 2023",
    }


def test_the_distribution():
    assert value("etc/os-release", "os.id") == "debian"
    assert value("etc/os-release", "os.version_id") == "12"


def test_switches():
    assert value("sys/kernel/mm/lru_gen/enabled", "mm.lru_gen.enabled") is True
    assert value("sys/kernel/mm/transparent_hugepage/enabled", "mm.thp.enabled") in {
        "always",
        "madvise",
        "never",
    }
    assert value("sys/devices/system/cpu/online", "cpu.online") == 4.0


@pytest.mark.parametrize(
    ("printed", "enabled"), [("0x0000", False), ("0x0006", False), ("0x0001", True), ("y", True)]
)
def test_bit_0_is_the_switch_of_the_multi_generational_lru(printed, enabled):
    path = "sys/kernel/mm/lru_gen/enabled"
    (fact,) = captured_files.reader_of_path(path).read(Text([printed], 1, path)).facts
    assert fact.value is enabled


def test_settings_are_numbers_where_they_are_one_number():
    assert value("sos_commands/kernel/sysctl_-a", "sysctl.vm.zone_reclaim_mode") == 0.0
    assert isinstance(value("sos_commands/kernel/sysctl_-a", "sysctl.vm.lowmem_reserve_ratio"), str)


def test_cpus_and_nodes():
    assert value("sos_commands/processor/lscpu", "cpu.online") == 4.0
    assert value("sos_commands/processor/lscpu", "numa.nodes") == 1.0
    assert value("proc/cpuinfo", "cpu.online") == 4.0


def test_free_is_in_bytes_whatever_its_unit():
    kib = value("sos_commands/memory/free", "free.mem.total_bytes")
    mib = value("sos_commands/memory/free_-m", "free.mem.total_bytes")
    assert kib == 2472784 * 1024
    assert mib == pytest.approx(kib, rel=0.001)


@pytest.mark.parametrize("path", [path for path in CAPTURED if "/ps_" in path])
def test_every_form_of_ps_is_one_row_set(path):
    (rows,) = read(path).row_sets
    assert rows.name == "ps"
    assert len(rows.rows) == 19
    assert "pid" in rows.columns
    assert rows.row_lines[0] == 2


def test_an_annotation_is_no_value():
    reader = captured_files.reader_of_path("memory.failcnt")
    (fact,) = reader.read(Text(["31 # the number of times cgroup hit the limit"], 2, "memory.failcnt")).facts
    assert (fact.value, fact.lines) == (31.0, (2, 2))


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("cat /proc/meminfo", "/proc/meminfo"),
        ("sudo cat /proc/meminfo 2>/dev/null", "/proc/meminfo"),
        ("grep oom /proc/vmstat", ""),
        ("tail -n 100 *", ""),
        ("head -5 /proc/vmstat", "/proc/vmstat"),
        ("cat /proc/vmstat | grep oom", "/proc/vmstat"),
        ("echo 1 > /proc/sys/vm/drop_caches", ""),
    ],
)
def test_the_file_a_command_prints(command, path):
    assert captured_files.path_of_command(command) == path


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("uname -a", "kernel-version"),
        ("uname -r", "kernel-version"),
        ("sudo sysctl -a", "sysctl"),
        ("nproc", "kernel-switch"),
        ("ps aux | grep rss", "ps"),
        ("find /sys/fs/cgroup/memory -type d | wc -l", "cgroup-dirs"),
        ("free -m", "free"),
        ("hostname", "host-text"),
    ],
)
def test_who_reads_what_a_command_prints(command, name):
    reader = captured_files.reader_of_command(command)
    assert reader is not None
    assert name == reader.NAME


@pytest.mark.parametrize("reader", [reader for reader in readers.FILES if reader.PATHS], ids=lambda r: r.NAME)
def test_its_own_example_is_read(reader):
    path = reader.PATHS[0].replace("*", "1")
    reading = reader.read(Text(reader.EXAMPLE.splitlines(), 1, path))
    assert reading.facts or reading.row_sets
    assert reading.skipped == ()


def test_names_are_unique():
    names = [reader.NAME for reader in readers.FILES]
    assert len(names) == len(set(names))


def test_an_option_is_built_in_a_module_or_not_set():
    path = "boot/config-6.18.44"
    assert value(path, "kernel.config.futex_private_hash") == "y"
    assert value(path, "kernel.config.hz") == "250"
    assert value(path, "kernel.config.lru_gen") == "n"
    assert facts(path, "kernel.config.no_such_option") == []


def test_options_of_device_drivers_are_only_counted():
    (skipped,) = read("boot/config-6.18.44").skipped
    assert (skipped.reason, skipped.count) == ("option of a device driver", 22)
    assert facts("boot/config-6.18.44", "kernel.config.pci") == []
    assert facts("boot/config-6.18.44", "kernel.config.ext4_fs")


def test_what_hung_while_collecting_is_a_fact_with_its_process():
    collector = "casebook/collector"
    assert facts(collector, "collector.timeout") == [
        (5.0, "seconds", {"path": "/proc/864720/task/864721/stack", "pid": "864720"}),
        (20.0, "seconds", {"command": "perf"}),
    ]
    assert facts(collector, "collector.skipped") == [("not there", "", {"what": "pidstat"})]
    assert value(collector, "collector.is_root") is True
    assert value(collector, "collector.suspect_pid") == 864720.0


def test_a_skipped_command_is_named_whole_although_it_holds_colons():
    command = "bpftrace -e tracepoint:vmscan:mm_vmscan_memcg_reclaim_begin /pid == 7/ { @b[tid] = nsecs; }"
    reader = captured_files.reader_of_path("casebook/collector")
    read = reader.read(Text([f"skipped {command}: ERROR: Unknown error -1", "timeout 6 perf stat"]))
    assert [(fact.name, fact.value, fact.labels) for fact in read.facts] == [
        ("collector.skipped", "ERROR: Unknown error -1", {"what": command}),
        ("collector.timeout", 6.0, {"command": "perf stat"}),
    ]
    assert not read.skipped


def test_ps_without_commands_is_read_below_its_own_command():
    lines = ["    PID STAT WCHAN", "      1 Ss   do_epoll_wait", "     12 D    rwsem_down_read_slowpath"]
    reader = captured_files.reader_of_command("ps -e -o pid,stat,wchan:32")
    (rows,) = reader.read(Text(lines, 1, "", "ps -e -o pid,stat,wchan:32")).row_sets
    assert rows.columns == ("pid", "state", "wchan")
    assert rows.rows[1] == (12.0, "D", "rwsem_down_read_slowpath")
