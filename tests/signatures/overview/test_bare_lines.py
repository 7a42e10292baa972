"""Lines of drivers and services that people paste without stamp, level or host."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview

LINES = {
    "e1000e 0000:00:19.0 eth0: Detected Hardware Unit Hang:": "NIC transmit hang",
    "tg3 0000:02:00.0 eth0: transmit timed out, resetting": "NIC transmit hang",
    "iwlwifi 0000:02:00.0: Microcode SW error detected. Restarting 0x0.": "Device firmware crashed",
    "megaraid_sas 0000:18:00.0: FW detected to be in faultstate, restarting it...": "Firmware fault",
    "acme 0000:01:00.6: BMC returned incorrect response": "a line about a failure",
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
    "systemd[1]: Dependency failed for /data.": "A unit of systemd did not start",
}

OF_OTHERS = (
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


def test_a_link_that_comes_up_is_not_noted():
    line = "igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX"
    assert "notes" not in overview(f"{line}\n").headline.text
