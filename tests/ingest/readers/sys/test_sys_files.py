"""Readings of kernel switches and the kernel configuration."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.sections import captured_files
from tests.ingest.readers.captured import facts, read, value


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
