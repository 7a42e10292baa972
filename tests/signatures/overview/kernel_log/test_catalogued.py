"""Level, words, repetition and healthy boots tell which messages of no class are errors, and of what."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.engines import Engines
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.kernel_log.healthy_boots import machine_count
from signatures.overview.kernel_log.score import factors, score
from tests.signatures.overview.test_first_screen import overview

CODEPAGE = "FAT-fs (sdb1): codepage cp437 not found"
USB = "[  100.000000] usb 1-1: new high-speed USB device number 2 using xhci_hcd\n"
LOG = f"{USB}[  200.000000] {CODEPAGE}\n"
IN_PARTS = "[  300.000000] widget: the one at 0000:b3:00.0\n[  300.000010] widget: does not respond\n"
RESETS = """\
[Sun Nov 20 22:57:43 2016] sd 2:2:0:0: [sda] widget: RESET cmd=28 retries=0
[Sun Nov 20 22:57:43 2016] widget: [ 0]waiting for 2 commands to complete
[Sun Nov 20 22:57:44 2016] widget: reset successful
[Mon Nov 21 04:12:43 2016] sd 2:2:0:0: [sda] widget: RESET cmd=28 retries=0
[Mon Nov 21 04:12:44 2016] widget: reset successful
[Mon Nov 21 05:53:26 2016] sd 2:2:0:0: [sda] widget: RESET cmd=28 retries=0
"""
STACKED = "".join(
    f"[{uptime:12.6f}] overlayfs: maximum fs stacking depth exceeded\n" for uptime in (900.0, 902.5, 905.1)
)


def stated(text: str, **engines: str) -> list:
    panels = run(items_of([read_bytes(text.encode(), name="x")]), engines=Engines(**engines))
    return [one for panel in panels for one in panel.statements if one.engine == "catalogue"]


def state_of(text: str) -> str:
    panels = run(items_of([read_bytes(text.encode(), name="x")]))
    return next(panel.state for panel in panels if panel.name == "first-bad-line")


@pytest.mark.parametrize(
    ("text", "line", "words", "device", "level"),
    [
        (LOG, 2, ("error of fat", CODEPAGE, "fs/fat/inode.c"), "sdb1", "degraded"),
        (LOG.replace("FAT-fs (sdb1)", "FAT"), 2, ("error of fat", "cp437"), "", "degraded"),
        (IN_PARTS, 2, ("error of widget", "does not respond"), "0000:b3:00.0", "degraded"),
        (RESETS, 1, ("error of sd", "3 times", "RESET"), "2:2:0:0", "degraded"),
        (STACKED, 1, ("error of overlay", "3 lines", "stacking depth"), "", "degraded"),
    ],
    ids=["codepage", "codepage without device", "in parts", "controller", "overlay"],
)
def test_an_error_of_no_class_is_stated_with_driver_and_device(text, line, words, device, level):
    found = stated(text)[0]
    assert [word for word in words if word not in found.text] == []
    assert (found.places[0].first_line, found.device) == (line, device)
    assert (found.kind, found.level) == ("unclassified", level)


@pytest.mark.parametrize(
    "message",
    [
        "usb 1-1: device descriptor read/64, error -71",
        "usb 1-1: New USB device found, idVendor=1d6b, idProduct=0002, bcdDevice= 6.12",
        "qwertz: nothing that any kernel prints",
        "megaraid_sas 0000:18:00.0: Reset successful for scsi0.",
        "EXT4-fs (sda1): mounted filesystem with ordered data mode. Opts: errors=remount-ro",
        "ubi0: good PEBs: 896, bad PEBs: 0, corrupted PEBs: 0",
        "systemd[1]: Failed to insert module 'autofs4'",
        "INPUT-rejected: IN=wlan0 OUT= MAC=01:00:5e:00:00:01 SRC=192.0.2.1 DST=224.0.0.1 LEN=32",
    ],
    ids=["class", "information", "unknown", "success", "options", "zero", "program", "firewall"],
)
def test_nothing_is_stated_of_other_messages(message):
    assert stated(LOG.replace(CODEPAGE, message)) == []


def test_what_healthy_machines_print_is_no_error_whatever_its_level():
    printed = "<3>[  300.000000] integrity: Problem loading X.509 certificate -65\n"
    whole = "<6>[    0.000000] Linux version 6.1.0-25-amd64 (gcc)\n"
    assert stated(whole + printed) == []
    assert state_of(whole + printed) == "calm"
    assert state_of(whole + printed.replace("integrity: Problem loading", "widget: cannot load")) != "calm"


def test_an_error_of_the_first_minute_may_be_one_and_is_not_stated_as_one():
    assert not [one for one in stated(LOG.replace("[  200", "[    2")) if one.kind == "unclassified"]


@pytest.mark.parametrize("begin", [0, 300])
def test_without_uptimes_the_boot_is_the_minute_after_its_first_message(begin):
    first = (
        f"[Mon Jan  5 10:00:00 2026] Linux version 6.12.1 (gcc)\n[Mon Jan  5 10:{begin // 60:02}:05 2026] "
    )
    assert bool([one for one in stated(first + CODEPAGE + "\n") if one.kind == "unclassified"]) == (
        begin > 60
    )


def test_a_line_of_a_report_is_no_error_of_its_own():
    hung = "INFO: task df:1177107 blocked for more than 120 seconds."
    rest = "Not tainted, which failed to end, and 0x12 is lost"
    assert stated(f"[  200.000000] {CODEPAGE}\n[  300.000000] {rest}\n")
    printed = '"echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message.'
    assert not stated(f"[  200.000000] {hung}\n[  300.000000] {printed}\n")


@pytest.mark.parametrize("state", ["off", "shadow"])
def test_the_engine_can_be_switched_off(state):
    assert stated(LOG, catalogue=state) == []


BASE = {"level": 3, "spells": 1, "machines": 0, "is_boot": False}


@pytest.mark.parametrize(
    ("message", "worse"),
    [
        ("widget: failed", {"level": 2}),
        ("widget: failed", {"spells": 2}),
        ("widget is gone", {}),
        ("widget: timed out", {}),
    ],
    ids=["level", "repetition", "loss", "time-out"],
)
def test_each_factor_raises_the_score(message, worse):
    assert score(message, **BASE | worse) > score("widget: failed", **BASE)


@pytest.mark.parametrize(
    "less", [{"level": 4}, {"machines": 1}, {"machines": machine_count()}, {"is_boot": True}, {"level": None}]
)
def test_each_factor_lowers_the_score(less):
    assert score("widget: failed", **BASE | less) < score("widget: failed", **BASE)


def test_a_warning_of_a_failure_alone_is_no_alarm_and_one_of_a_loss_is():
    warning = BASE | {"level": 4}
    assert score("widget: failed", **warning) < factors().alarm <= score("widget is gone", **warning)


DEAD = "aacraid: Host adapter is dead (or got a PCI error) 0x30000"
ABORTED = "Aborting journal on device sda1-8."


@pytest.mark.parametrize(
    ("dead", "aborted", "leads"),
    [(900.0, 903.0, True), (800.0, 903.0, False), (903.0, 900.0, False)],
    ids=["just before", "long before", "after"],
)
def test_a_loss_of_no_class_leads_over_what_it_explains(dead, aborted, leads):
    lines = sorted([(dead, DEAD), (aborted, ABORTED)])
    found = overview("".join(f"[{uptime:12.6f}] {message}\n" for uptime, message in lines))
    assert ("Host adapter is dead" in found.headline.text) is leads
    assert "journal aborted" in found.headline.text


def test_a_message_that_tells_of_no_loss_leads_over_no_alarm():
    found = overview(f"[  900.000000] mvsas 0000:01:00.0: phy3 Attached Device\n[  903.000000] {ABORTED}\n")
    assert found.headline.text.startswith("jbd2")


def test_what_the_device_said_just_before_an_error_is_quoted_with_it():
    log = (
        "[13902.841326] WDGT: chip 0000:01:00.0: the option keep_memory is set; no hook ran before it\n"
        "[13902.841346] widget 0000:01:00.0: PM: pci_pm_suspend(): widget_suspend [widget] returns -5\n"
    )
    found = stated(log)[0]
    assert "returns -5" in found.text
    assert "just before: WDGT: chip 0000:01:00.0: the option keep_memory is set" in found.text
    assert "just before" not in stated(log.replace("13902.841326", "13802.841326"))[0].text
