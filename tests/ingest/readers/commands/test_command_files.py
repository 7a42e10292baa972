"""Readings of captured output of commands."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.sections import captured_files
from tests.ingest.readers.captured import CAPTURED, facts, read, value


def test_the_kernel_and_its_host():
    path = "sos_commands/kernel/uname_-a"
    assert value(path, "kernel.release") == "6.12.117+deb12-cloud-amd64"
    assert value(path, "host.name") == "analytics-db-02"
    assert value(path, "kernel.build_text").startswith("#1 SMP PREEMPT_DYNAMIC Debian 6.12.117-1~deb12u1")


def test_the_distribution():
    assert value("etc/os-release", "os.id") == "debian"
    assert value("etc/os-release", "os.version_id") == "12"


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
