"""What a healthy machine may print at boot is stated, and is no alarm."""

from __future__ import annotations

import pytest

from tests.signatures.overview.kernel_log.test_chains import chains, dmesg, panel

BOOT = (0.0, "Linux version 6.1.0-20-amd64 (gcc)")
UNCLEAN = "FAT-fs (sda1): Volume was not properly unmounted. Some data may be corrupt. Please run fsck."
FAULT = (
    "DMAR: DRHD: handling fault status reg 2",
    "DMAR: [DMA Read] Request device [01:00.0] fault addr 0 [fault reason 06] PTE Read access is not set",
)
THROTTLED = (
    "mce: CPU0: Core temperature above threshold, cpu clock throttled (total events = 1)",
    "mce: CPU0: Core temperature/speed normal",
    "mce: [Hardware Error]: Machine check events logged",
)
WATCHDOG = "watchdog: watchdog0: watchdog did not stop!"
SHUTDOWN = "systemd-shutdown[1]: Sending SIGTERM to remaining processes..."


def statement(*lines: tuple[float, str]):
    return panel(dmesg(BOOT, *lines)).statements[0]


@pytest.mark.parametrize(
    ("lines", "subject"),
    [
        ([(9.6, UNCLEAN)], "sda1"),
        ([(4000.0, UNCLEAN)], "sda1"),
        ([(1.5, one) for one in FAULT], "01:00.0"),
        ([(0.1, "tsc: Marking TSC unstable due to could not calculate TSC khz")], "TSC"),
        ([(4000.0, one) for one in THROTTLED], "each sensor once"),
        ([(4000.0, WATCHDOG), (4000.1, SHUTDOWN)], "while the machine shuts down"),
        ([(4000.0, WATCHDOG)], "meant so at a shutdown"),
        ([(1.9, "Initramfs unpacking failed: Decoding failed")], "initrd"),
        ([(0.4, "BUG: not creating mapping for 0x00002000 at 0x0d002185 in user region")], "mapping"),
    ],
    ids=[
        "FAT at boot",
        "FAT later",
        "firmware's DMA",
        "no TSC",
        "throttled once",
        "shutdown",
        "armed watchdog",
        "padded initrd",
        "a driver's BUG:",
    ],
)
def test_it_is_notable_and_no_alarm(lines, subject):
    found = statement(*lines)
    assert (found.kind, found.level) == ("fact", "notable")
    assert subject in found.text
    assert chains(dmesg(BOOT, *lines)) == []


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ([(30.0, one) for one in FAULT], "iommu_fault"),
        ([(1.0 + at / 10, FAULT[at % 2]) for at in range(20)], "iommu_fault"),
        ([(1.5, one) for one in FAULT] + [(900.0, FAULT[1])], "iommu_fault"),
        (
            [
                (5.0, "BUG: key ffff888101a2b3c0 has not been registered!"),
                (5.0, "CPU: 1 PID: 1 Comm: swapper/0 Not tainted 6.1.0 #1"),
                (5.0, "Call Trace:"),
                (5.0, " dump_stack+0x10/0x20"),
                (5.0, " lockdep_init_map_type+0x1f0/0x2b0"),
            ],
            "bug_message",
        ),
        ([(4000.0, THROTTLED[2])], "mce_logged"),
        ([(4000.0, one.replace("= 1", "= 812")) for one in THROTTLED], "thermal"),
        ([(4000.0, THROTTLED[0])], "thermal"),
    ],
    ids=[
        "after the boot",
        "a storm",
        "again later",
        "with a report",
        "events of hardware",
        "throttled often",
        "still hot",
    ],
)
def test_it_is_an_alarm(lines, kind):
    assert chains(dmesg(BOOT, *lines))[0][0] == kind


def test_a_line_of_a_program_between_lines_of_the_kernel_is_no_crash():
    log = dmesg(BOOT, (9.5, "UBIFS: recovery completed")) + "BUG: no suitable fs found\n"
    assert chains(log + dmesg((9.9, "UBIFS: media format: w4/r0"))) == []


def test_what_android_programs_write_to_the_log_is_no_error_of_the_kernel():
    program = (
        900.0,
        "init: failed to write pid to files: couldn't write 73 to /dev/cpuset/tasks: No such file",
    )
    assert not any(one.engine == "catalogue" for one in panel(dmesg(BOOT, program, level=3)).statements)


def test_a_driver_that_looks_what_a_partition_holds_is_no_error_of_a_file_system():
    probes = (
        "squashfs: Unknown parameter 'discard'",
        "F2FS-fs (sda128): Magic Mismatch, valid(0xf2f52010) - read(0x91c3b70e)",
        "F2FS-fs (sda128): Can't find valid F2FS filesystem in 1th superblock",
        "exFAT-fs (sda128): invalid boot record signature",
        "exFAT-fs (sda128): failed to read boot sector",
        "exFAT-fs (sda128): failed to recognize exfat type",
        "XFS (sda128): Invalid superblock magic number",
    )
    assert chains(dmesg(BOOT, *((41.8, one) for one in probes))) == []
    damaged = (41.8, "F2FS-fs (sda128): inconsistent node block, nid:4, node_footer[nid:9,ino:9,ofs:0]")
    broken = (41.9, "F2FS-fs (sda1): Failed to get valid F2FS checkpoint")
    assert chains(dmesg(BOOT, damaged, broken))
