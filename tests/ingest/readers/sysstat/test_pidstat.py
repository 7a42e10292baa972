"""Readings from pidstat."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.model.section import Text
from ingest.readers.sysstat import pidstat

DATA = Path(__file__).parents[3] / "data" / "pidstat"


def read(name):
    return pidstat.read(Text((DATA / name).read_text().splitlines()))


def read_lines(*lines, **header):
    return pidstat.read(Text(lines, **header))


def rows_of(reading, name="pidstat"):
    (found,) = [row_set for row_set in reading.row_sets if row_set.name == name]
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def facts_of(reading, pid):
    return {fact.name: fact.value for fact in reading.facts if fact.labels.get("pid") == pid}


def test_thirty_cpus_of_kernel_time_are_thirty():
    reading = read("pidstat.in-a-namespace.txt")
    assert facts_of(reading, "66") == {
        "process.cpu.user_share": 0.0,
        "process.cpu.system_share": 30.0,
        "process.cpu.wait_share": 0.0,
        "process.cpu.total_share": 30.0,
    }


def test_the_column_named_cpu_is_a_number_not_a_load():
    (row,) = rows_of(read("pidstat.in-a-namespace.txt"))
    assert (row["cpu"], row["cpu_share"], row["comm"]) == (39.0, 30.0, "clickhouse-serv")


def test_a_pid_of_a_container_is_marked():
    reading = read("pidstat.in-a-namespace.txt")
    assert {fact.labels["pid_namespace"] for fact in reading.facts} == {"inner"}


@pytest.mark.parametrize("prompt", ["kubectl exec web-0 -- pidstat 1", "docker exec -it db pidstat 1"])
def test_other_container_commands_are_recognised(prompt):
    lines = (DATA / "pidstat.in-a-namespace.txt").read_text().splitlines()[1:]
    reading = pidstat.read(Text(lines, command=prompt))
    assert {fact.labels["pid_namespace"] for fact in reading.facts} == {"inner"}


def test_without_an_interval_all_is_the_average_since_boot():
    reading = read("pidstat.since-boot.txt")
    assert reading.quality_names == {"since_boot"}
    assert facts_of(reading, "77")["process.cpu.total_share"] == 0.0112


def test_one_interval_is_one_sample():
    assert read("pidstat.in-a-namespace.txt").quality_names == {"few_samples"}


def test_the_stated_average_beats_our_own():
    facts = facts_of(read("pidstat.threads.txt"), "1")
    assert (facts["process.cpu.system_share"], facts["process.cpu.total_share"]) == (0.0072, 0.0096)


def test_without_a_stated_average_samples_are_averaged():
    header = "10:00:00      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command"
    reading = read_lines(
        header,
        "10:00:01        0        14   10.00   20.00    0.00    0.00   30.00     0  java",
        "10:00:02        0        14   30.00   40.00    0.00    0.00   70.00     0  java",
    )
    facts = facts_of(reading, "14")
    assert (facts["process.cpu.user_share"], facts["process.cpu.total_share"]) == (0.2, 0.5)
    assert reading.row_sets[0].duration == 2.0


def test_threads_belong_to_the_process_above_them():
    rows = rows_of(read("pidstat.threads.txt"))
    thread = next(row for row in rows if row["tid"] == 75.0)
    assert (thread["pid"], thread["comm"]) == (1.0, "tokio-rt-worker")


def test_threads_are_rows_and_not_facts():
    assert facts_of(read("pidstat.threads.txt"), "75") == {}


def test_the_host_line_gives_host_kernel_and_cpus():
    facts = {fact.name: fact.value for fact in read("pidstat.processes.txt").facts if not fact.labels}
    assert facts == {"host.name": "vm", "kernel.release": "6.18.44-fc-v669", "cpu.online": 2.0}


def test_afternoons_and_decimal_commas_are_read():
    reading = read_lines(
        "11:59:59 AM   UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command",
        "12:00:04 PM     0         1    3,00   12,00    0,00    1,00   15,00     0  systemd",
    )
    assert facts_of(reading, "1")["process.cpu.total_share"] == 0.15
    assert reading.row_sets[0].duration == 5.0


def test_memory_disk_and_switches_are_tables_of_their_own():
    reading = read_lines(
        "10:00:00      UID       PID  minflt/s  majflt/s     VSZ     RSS   %MEM  Command",
        "10:00:01        0        14      5.00      0.00   20000   10000   0.10  java",
        "10:00:00      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command",
        "10:00:01        0        14      1.00      2.00      0.00       3  java",
        "10:00:00      UID       PID   cswch/s nvcswch/s  Command",
        "10:00:01        0        14    100.00      7.00  java",
    )
    assert rows_of(reading, "pidstat_memory")[0]["resident_bytes"] == 10000 * 1024
    assert rows_of(reading, "pidstat_disk")[0]["written_bytes_per_second"] == 2048.0
    assert rows_of(reading, "pidstat_switches")[0]["involuntary_switches_per_second"] == 7.0
    assert facts_of(reading, "14")["process.rss.pidstat_bytes"] == 10000 * 1024


def test_a_command_with_blanks_stays_whole():
    reading = read_lines(
        "10:00:00      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command",
        "10:00:01        0        14    1.00    1.00    0.00    0.00    2.00     0  IO Task Pool (3",
    )
    assert rows_of(reading)[0]["comm"] == "IO Task Pool (3"


@pytest.mark.parametrize(
    "lines",
    [
        ["Linux 5.10 (db) \t11/21/26 \t_x86_64_\t(2 CPU)", "", "10:00:00  CPU    %usr   %nice    %sys"],
        ["Linux 5.10 (db) \t11/21/26 \t_x86_64_\t(2 CPU)", "", "Device  tps  kB_read/s"],
        ["    PID TTY          TIME CMD"],
        ["  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND"],
    ],
)
def test_mpstat_iostat_ps_and_top_are_not_claimed(lines):
    assert not any(pidstat.begins(lines, at) for at in range(len(lines)))


def test_json_has_the_same_facts_over_all_looks_also_those_without_rows():
    reading = read("pidstat.processes.json")
    found = facts_of(reading, "19031")
    assert found["process.cpu.total_share"] == pytest.approx((0.18 + 0.23) / 5)
    assert [row["system_share"] for row in rows_of(reading)] == [0.13, 0.16]
    assert found["process.rss.pidstat_bytes"] == 1444 * 1024
