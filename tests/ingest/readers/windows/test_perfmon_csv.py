"""Readings from Windows counters."""

from __future__ import annotations

from ingest.readers.windows import perfmon_csv
from tests.ingest.samples import read, rows, values


def test_processor_counters_have_the_names_of_cpus_everywhere():
    reading = read(perfmon_csv, "perfmon-csv/typeperf.csv")
    assert values(reading)["cpu.system_share"] == (0.415 + 0.455) / 2
    assert values(reading, cpu="0")["cpu.system_share"] == 0.85


def test_blank_cells_are_no_looks():
    reading = read(perfmon_csv, "perfmon-csv/typeperf.csv")
    busy = [row for row in rows(reading, "perfmon") if row["counter"] == "% Processor Time"]
    assert len(busy) == 2


def test_other_counters_keep_object_instance_and_name():
    reading = read(perfmon_csv, "perfmon-csv/typeperf.csv")
    labels = {"object": "PhysicalDisk", "instance": "0 C:", "counter": "Avg. Disk sec/Read"}
    assert values(reading, **labels) == {"windows.counter": 0.01}
