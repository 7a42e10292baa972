"""Of alarms that stand close together on one device the loss of the lowest layer leads."""

from __future__ import annotations

import pytest

from ingest.catalogue.log_classes import classes_by_name
from ingest.evidence import read_bytes
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.first_screen import overview_of
from signatures.overview.kernel_log import layer_order
from signatures.reporting.report import finding_document
from tests.signatures.evidence import library
from tests.signatures.overview.kernel_log.test_chains import DISK, chains, dmesg

WARN = "WARNING: CPU: 2 PID: 8597 at kernel/kthread.c:659 kthread_park+0x81/0x90"
CUT = "------------[ cut here ]------------"
LINK_DOWN = "pcieport 0000:00:02.3: pciehp: Slot(0): Link Down"
WIFI = (
    (11456.170894, "mt7921e 0000:03:00.0: driver own failed"),
    (11456.278532, LINK_DOWN),
    (11458.400442, CUT),
    (11458.400443, WARN),
)
UNCORRECTED = (
    "pcieport 0000:00:1c.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer, "
    "(Requester ID)"
)
CORRECTED = "pcieport 0000:00:1c.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)"
DPC = classes_by_name()["pcie_dpc"].sample.replace("0000:3a:00.0", "0000:00:1c.0")
TIMEOUT = "nvme nvme0: I/O 12 QID 5 timeout, aborting"
GONE = "ath10k_pci 0000:01:00.0: failed to read device register, device is gone"
FIRMWARE = "ath10k_pci 0000:01:00.0: firmware crashed! (guid 16926f7d-c59b-47f7-97b5-09bb26f6b46b)"
SWAP = "Read-error on swap-device (259:0:6406504)"
LOW = "hwmon hwmon1: Undervoltage detected!"
CARD = "mmc0: Timeout waiting for hardware interrupt."
LOST_USB = "usb 1-1: device descriptor read/64, error -71"
RAMDISK = "RAMDISK: EOF while reading compressed data"
NO_ROOT = 'VFS: Cannot open root device "(null)" or unknown-block(0,0): error -6'
NO_INIT = "---[ end Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)"
DENIED = "ceph: mds0 reconnect denied"
DROPPED = "ceph:  dropping dirty+flushing Fw state for ffff88071c3a0518 1099941120455"
JOURNAL = "JBD2: Detected IO errors while flushing file data on nvme0n1p2-8"


def screen(*lines):
    """Return the first screen of a log that the whole library was judged against."""
    items = items_of([read_bytes(dmesg(*lines).encode(), name="dmesg.txt")])
    findings = [finding_document(one) for one in judge(items, library())]
    return overview_of(run(items), findings, (), {"kernel-log"})


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (WIFI, [["pcie_link_down", "warn"]]),
        (((100.0, TIMEOUT), (105.0, UNCORRECTED)), [["pcie_aer_uncorrected", "nvme_timeout"]]),
        (((100.0, SWAP), (100.1, JOURNAL)), [["jbd2_io_error", "swap_io_error"]]),
        (((100.0, GONE), (100.1, FIRMWARE)), [["device_lost", "firmware_crash"]]),
        (((100.0, CORRECTED), (101.0, DPC)), [["pcie_dpc", "pcie_aer_corrected"]]),
        (
            ((100.0, LOW), (101.0, CARD), (102.0, LOST_USB)),
            [["undervoltage", "mmc_error", "usb_device_error"]],
        ),
        (((1.6, RAMDISK), (1.7, NO_ROOT), (1.8, NO_INIT)), [["initrd_unreadable", "root_missing", "panic"]]),
        (((100.0, DENIED), (100.1, DROPPED)), [["ceph_client_evicted", "ceph_data_dropped"]]),
    ],
    ids=[
        *("bus over warning", "bus over controller", "file system over swap", "device over firmware", "DPC"),
        *("supply over devices", "initrd over root", "eviction over lost data"),
    ],
)
def test_a_loss_of_a_lower_layer_leads_also_over_what_came_first(lines, expected):
    assert chains(dmesg(*lines)) == expected


@pytest.mark.parametrize(
    "lines",
    [
        ((100.0, TIMEOUT), (131.0, UNCORRECTED)),
        ((100.0, "e1000e 0000:01:00.0: PCIe Bus Error: severity=Uncorrected (Fatal)"), (101.0, TIMEOUT)),
        ((100.0, GONE), (101.0, classes_by_name()["firmware_crash"].sample)),
        ((100.0, CUT), (100.0, WARN), (102.0, LINK_DOWN)),
        ((100.0, classes_by_name()["oom_kill"].sample), (101.0, DISK[1][1])),
    ],
    ids=["later", "another device", "firmware of another card", "a warning before", "memory of a host"],
)
def test_what_is_late_or_of_another_device_has_its_own_cause(lines):
    assert len(chains(dmesg(*lines))) == 2


def test_without_times_near_lines_count_and_far_ones_do_not():
    assert chains(f"{TIMEOUT}\n{UNCORRECTED}\n") == [["pcie_aer_uncorrected", "nvme_timeout"]]
    between = "usb 1-1: new high-speed USB device number 2 using xhci_hcd\n" * 50
    assert len(chains(f"{TIMEOUT}\n{between}{UNCORRECTED}\n")) == 2


def test_the_headline_is_the_loss_and_not_a_signature_of_its_consequence():
    found = screen((100.0, GONE), (100.1, FIRMWARE))
    assert found.headline.kind == "statement"
    assert "device is gone" in found.headline.text
    assert "hw/firmware-crash" in [one.signature for one in found.matrix.hypotheses]


def test_a_signature_of_a_crash_without_a_loss_still_leads():
    assert screen((100.1, FIRMWARE)).headline.signature == "hw/firmware-crash"


def test_what_began_before_the_lead_is_not_told_as_its_consequence():
    found = screen((100.0, TIMEOUT), (105.0, UNCORRECTED), (106.0, JOURNAL))
    words = next(one.statement.text for one in found.statements if one.statement.question == "kernel-log")
    assert "before it: nvme timeout" in words
    assert "then: jbd2 io error" in words


def test_every_row_is_of_a_class_and_every_loss_has_a_layer_that_explains_something():
    rows = layer_order.rows()
    names = {*rows["losses"], *rows["never_lead"], *rows["layers"]}
    assert names - classes_by_name().keys() == set()
    kinds = {name for one in classes_by_name().values() for name in (one.area, one.subsystem, one.name)}
    assert {name for above in rows["explains"].values() for name in above} - kinds == set()
    classes = [one for one in classes_by_name().values() if one.is_alarming]
    for loss in (classes_by_name()[name] for name in rows["losses"]):
        assert any(layer_order.explains(loss, one) for one in classes), loss.name


def test_of_two_classes_at_most_one_explains_the_other():
    classes = classes_by_name().values()
    assert [
        (one.name, other.name)
        for one in classes
        for other in classes
        if layer_order.explains(one, other) and layer_order.explains(other, one)
    ] == []
