"""Readings from top."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.readers.commands import top
from tests.ingest.samples import read, rows, values


def test_the_head_gives_load_cpu_and_memory():
    facts = values(top.read(Text(top.EXAMPLE.splitlines())))
    assert (facts["loadavg.1m"], facts["tasks.zombie"]) == (19.37, 3.0)


def test_shares_of_all_modes_are_read():
    facts = values(read(top, "top/top-b.txt"))
    modes = ("user", "system", "nice", "idle", "iowait", "irq", "softirq", "steal")
    assert sum(facts[f"cpu.{mode}_share"] for mode in modes) == pytest.approx(1.0, abs=0.003)


def test_sizes_with_a_suffix_are_bytes():
    found = next(row for row in rows(read(top, "top/top-b.txt"), "top") if row["pid"] == 20171.0)
    assert found["resident_bytes"] == 1.8 * 1024**3


def test_threads_are_rows_with_a_tid_and_no_facts():
    reading = read(top, "top/top.threads.txt")
    assert all("tid" in row for row in rows(reading, "top"))
    assert not [fact for fact in reading.facts if fact.name.startswith("process.")]


def test_idle_processes_are_rows_only():
    reading = read(top, "top/top-b.txt")
    busy = {fact.labels["pid"] for fact in reading.facts if fact.name == "process.cpu.total_share"}
    idle = {f"{row['pid']:.0f}" for row in rows(reading, "top") if row["cpu_share"] == 0}
    assert idle - busy


def test_every_line_of_a_real_screen_is_read():
    assert read(top, "top/top-b.txt").skipped == ()


def test_rows_of_htop_are_rows_of_top():
    lines = [
        "    PID△USER      PRI  NI  VIRT   RES   SHR S CPU%▽MEM%   TIME+  Command",
        "    812 root       20   0     0     0     0 R  99.4  0.0  0:41.22 kworker/6:1+inode_switch_wbs",
        "   4411 memcache   20   0 10.2G  9.1G  2.1G S  31.0  1.9  1h12:10 /usr/bin/memcached -m 9000",
    ]
    worker, server = rows(top.read(Text(lines)), "top")
    assert (worker["comm"], worker["cpu_share"]) == ("kworker/6:1+inode_switch_wbs", 0.994)
    assert server["resident_bytes"] == 9.1 * 1024**3
    assert top.begins(lines, 0)
