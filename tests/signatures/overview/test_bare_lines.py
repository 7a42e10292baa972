"""Lines of drivers and services that people paste without stamp, level or host."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview

LINES = {
    "bnx2x: [bnx2x_attn_int_deasserted3:4329(eth0)]MC assert!": "NIC or NIC firmware failed",
    "i2c_designware AMDI0010:03: controller timed out": "Device timeout",
    "tpm tpm0: A TPM error (2314) occurred attempting the self test": "error of tpm on tpm0",
    "UBI error: ubi_io_read: error -74 while reading 64 bytes from PEB 1:0, read 64 bytes": "error of ubi",
    "overlayfs: maximum fs stacking depth exceeded": "error of overlay",
    "CPU3: Core temperature above threshold, cpu clock throttled (total events = 1)": "CPU throttled for",
    "{1}[Hardware Error]: event severity: corrected": "Hardware error",
    "smp: csd: Detected non-responsive CSD lock (#1) on CPU#5, waiting 5000000032 ns for": "CSD lock",
    "VERIFY3(size <= rt->rt_space) failed (281442900373504 <= 3210571776)": "ZFS: an assertion failed",
    "PANIC at range_tree.c:368:range_tree_remove_impl()": "ZFS: an assertion failed",
    " kernel:XFS (sdb1): Corruption of in-memory data (0x8) detected at x. Shutting down filesystem.": (
        "XFS shutdown"
    ),
    "n1: kern: err: [2024-02-11T10:00:00.123456789Z]: nvme nvme0: I/O 12 QID 3 timeout": "NVMe command",
    "KVM: entry failed, hardware error 0x80000021": "KVM could not go on",
    "dracut-initqueue[312]: Warning: dracut-initqueue timeout - starting timeout scripts": "root file system",
    "   38912 CLOSE_WAIT": "CLOSE-WAIT",
    "  28211 TIME_WAIT": "TIME-WAIT",
    "e1000e 0000:00:19.0 eth0: Detected Hardware Unit Hang:": "NIC transmit hang",
    "tg3 0000:02:00.0 eth0: transmit timed out, resetting": "NIC transmit hang",
    "iwlwifi 0000:02:00.0: Microcode SW error detected. Restarting 0x0.": "Device firmware crashed",
    "megaraid_sas 0000:18:00.0: FW detected to be in faultstate, restarting it...": "Firmware fault",
    "acme 0000:01:00.6: BMC returned incorrect response": "May be an error of acme on 0000:01:00.6",
    "nginx[22]: segfault at 0 ip 00007f2c0a4b1d2c sp 00007ffd1bc5c2e8 error 4 in libc.so": "crashed",
    "SError Interrupt on CPU2, code 0xbf000002 -- SError": "SError",
    "Set blocklist is full, maxelem 65536 reached": "Ipset is full",
    "xen:grant_table: xen/grant-table: max_grant_frames reached cur=64 extra=1": "Xen grant table",
    "IPv4: martian source 10.1.2.3 from 127.0.0.1, on dev eth0": "Martian packet",
    "clocksource: Long readout interval, skipping watchdog check: cs_nsec: 1 wd_nsec: 2": "watchdog ran late",
    "bluetooth hci0: Direct firmware load for intel/x.sfi failed with error -2": "Firmware file not found",
    "WARNING: inconsistent lock state": "lockdep: inconsistent lock state",
    "systemd-oomd[8]: Killed /a.slice/b.scope due to memory pressure for /a.slice being 71.23% > 50.00%": (
        "systemd-oomd killed a cgroup"
    ),
    "n1: kern: err: [2024-99-99T10:00:00.1Z]: nvme nvme0: I/O 12 QID 3 timeout": "NVMe command",
    "systemd[1]: Dependency failed for /data.": "A unit of systemd did not start",
}

OF_OTHERS = (
    "app: the firmware crash was reported by CPU vendors",
    "    912 TIME_WAIT",
    "01:00.0 Ethernet controller: Intel Corporation 82574L",
    "drivers/net/tg3.c: transmit timed out",
    "transmit timed out, resetting",
    'dev_err(&pdev->dev, "transmit timed out");',
    "usb: error: the device failed",
)


@pytest.mark.parametrize("line", LINES)
def test_the_headline_says_what_a_bare_line_is_about(line):
    found = overview(f"{line}\n")
    assert LINES[line] in found.headline.text
    assert found.headline.kind != "nothing unusual"


@pytest.mark.parametrize("line", OF_OTHERS)
def test_words_of_drivers_in_other_texts_are_no_kernel_log(line):
    assert overview(f"{line}\n").headline.kind == "no evidence"


def test_a_message_of_a_device_that_works_is_no_alarm():
    found = overview("usb 1-2: new high-speed USB device number 5 using xhci_hcd\n")
    assert found.headline.kind == "not assessed"
    assert all(one.statement.kind == "fact" for one in found.statements)


LINKED = """\
[ 7395.936692] ata4.00: exception Emask 0x10 SAct 0xe000 SErr 0x280100 action 0x6 frozen
[ 7395.936703] ata4: SError: { UnrecovData 10B8B BadCRC }
[ 7395.936705] ata4.00: failed command: READ FPDMA QUEUED
"""
FAILED_TWICE = """\
[ 7395.936692] ata4.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen
[ 7395.936705] ata4.00: failed command: READ FPDMA QUEUED
[ 7395.936708] ata4.00: cmd 60/00:68:20:7c:b0/04:00:7c:00:00/40 tag 13 ncq 524288 in
[ 7395.936710] ata4.00: failed command: READ FPDMA QUEUED
[ 7395.936712] ata4.00: cmd 60/00:70:20:80:b0/04:00:7c:00:00/40 tag 14 ncq 524288 in
"""
UNMOUNTED = """\
[  980.375513] BTRFS warning (device loop0): log replay required on RO media
[  980.381652] BTRFS error (device loop0): open_ctree failed
"""
ESCAPED = (
    r"2017-01-12T11:55:40.742685+01:00 db7 kernel: \[65567.582895\] cgroup: fork rejected by pids "
    "controller in /system.slice/icinga2.service\n"
)
HOSTED = "db7 kernel: [1284098.325062] novfsd: page allocation failure: order:4, mode:0xd0\n" * 2


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        (LINKED, "Errors on the SATA link: cable, connector, power or controller, not the medium on ata4"),
        (FAILED_TWICE, "ata command failed (2)"),
        (UNMOUNTED, "log replay required on RO media; then: btrfs mount failed"),
        (ESCAPED, "fork rejected by pids.max of a cgroup"),
        (HOSTED, "asked for by novfsd"),
        ("Kernel panic \u2013 not syncing \u2013 Fatal exception\n", "kernel panic"),
        ("[5.123456] e1000e: eth0 NIC Link is Down\n", "Network link down on eth0"),
    ],
)
def test_the_cause_leads_in_whatever_form_it_was_pasted(text, headline):
    assert headline.lower() in overview(text).headline.text.lower()


@pytest.mark.parametrize(
    "line",
    [
        "EXT4-fs (vda1): mounted filesystem with ordered data mode. Opts: errors=remount-ro",
        "x86/split lock detection: #AC: crashing the kernel on kernel split_locks and warning on user-space",
        "ERR:          0",
        "Command line: BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet panic=10",
        "Kernel command line: console=ttyS0 reboot=k panic=1 pci=off nomodules",
    ],
)
def test_what_would_happen_on_an_error_is_no_failure(line):
    found = overview(f"[    3.805449] {line}\n")
    assert "failure" not in found.headline.text
    assert all(one.statement.kind == "fact" for one in found.statements)


def test_a_link_that_comes_up_is_not_noted():
    line = "igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX"
    assert "notes" not in overview(f"{line}\n").headline.text
