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


def statement(*lines: tuple[float, str]):
    return panel(dmesg(BOOT, *lines)).statements[0]


@pytest.mark.parametrize(
    ("lines", "subject"),
    [
        ([(9.6, UNCLEAN)], "sda1"),
        ([(4000.0, UNCLEAN)], "sda1"),
        ([(1.5, one) for one in FAULT], "01:00.0"),
        ([(0.1, "tsc: Marking TSC unstable due to could not calculate TSC khz")], "TSC"),
        ([(0.4, "BUG: not creating mapping for 0x00002000 at 0x0d002185 in user region")], "mapping"),
    ],
    ids=["FAT at boot", "FAT later", "firmware's DMA", "no TSC", "a driver's BUG:"],
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
    ],
    ids=["after the boot", "a storm", "again later", "with a report"],
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
