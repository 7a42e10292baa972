"""Readings from turbostat."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from ingest.model.section import Text
from ingest.readers.commands import turbostat
from tests.ingest.samples import whole


def facts_of(reading):
    return {(fact.name, fact.labels.get("cpu", "")): fact.value for fact in reading.facts}


def test_several_intervals_are_averaged_for_the_system_and_each_cpu():
    found = facts_of(whole("turbostat/one-busy-cpu.txt"))
    assert found["turbostat.busy_share", ""] == pytest.approx(0.12555)
    assert found["turbostat.busy_share", "4"] == pytest.approx(0.9999)
    assert found["turbostat.average_mhz", "0"] == 16
    assert found["turbostat.busy_mhz", "4"] == 3900


def test_the_power_of_a_package_is_read_in_the_row_of_the_system_alone():
    lines = ["Package Core CPU Busy% Bzy_MHz PkgWatt", "- - - 50.00 2100 180.50", "0 0 0 90.00 2100 91.20"]
    found = facts_of(turbostat.read(Text(lines)))
    assert found["turbostat.package_watts", ""] == 180.5
    assert ("turbostat.package_watts", "0") not in found


def test_the_configuration_above_the_table_is_of_it():
    content = b"""turbostat version 2023.11.07 - Len Brown <lenb@kernel.org>
CPUID(0): GenuineIntel 0x16 CPUID levels
cpu0: MSR_PKG_POWER_LIMIT: 0x428348001a82a0 (UNlocked)
35 * 100.0 = 3500.0 MHz base frequency
10.003837 sec
Core CPU Busy% Bzy_MHz
- - 50.00 2100
0 0 50.00 2100
"""
    (section,) = read_bytes(content, name="paste").sections
    assert (section.format, section.reading.skipped) == ("turbostat", ())


def test_a_summary_alone_is_of_the_system():
    found = facts_of(turbostat.read(Text(["Busy%\tBzy_MHz\tPkgWatt", "99.10\t799\t14.90"])))
    assert found["turbostat.busy_mhz", ""] == 799
