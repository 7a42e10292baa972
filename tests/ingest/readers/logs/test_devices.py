"""Tests of the devices that a message of the kernel names."""

from __future__ import annotations

import pytest

from ingest.readers.logs.kernel_log.devices import devices_in


@pytest.mark.parametrize(
    ("message", "devices"),
    [
        ("sd 6:0:0:0: [sde] tag#3 FAILED Result: hostbyte=DID_OK", ("6:0:0:0", "sde")),
        ("scsi 10:2:13:105: Direct-Access", ("10:2:13:105",)),
        ("res 50/00:58:58:89:03/00:00:05:00:00/40 Emask 0x10 (ATA bus error)", ()),
        ("e1000e 0000:00:19.0 eno1: Detected Hardware Unit Hang", ("0000:00:19.0", "eno1")),
    ],
)
def test_registers_of_a_command_are_no_scsi_address(message: str, devices: tuple[str, ...]) -> None:
    assert devices_in(message) == devices
