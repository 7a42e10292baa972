"""In logs without levels the sources of the kernel tell which messages of no class are errors."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.engines import Engines
from signatures.judging.scope import items_of
from signatures.overview import run

CODEPAGE = "FAT-fs (sdb1): codepage cp437 not found"
LOG = (
    f"[    1.000000] usb 1-1: new high-speed USB device number 2 using xhci_hcd\n[    2.000000] {CODEPAGE}\n"
)


def stated(text: str, **engines: str) -> list:
    panels = run(items_of([read_bytes(text.encode(), name="x")]), engines=Engines(**engines))
    return [one for panel in panels for one in panel.statements if one.engine == "catalogue"]


def test_an_error_of_no_class_is_stated_with_its_driver_and_file():
    [found] = stated(LOG)
    assert all(words in found.text for words in ("error level", CODEPAGE, "driver fat", "fs/fat/inode.c"))
    assert [place.first_line for place in found.places] == [2]
    assert found.level == "notable"


@pytest.mark.parametrize(
    "text",
    [
        LOG.replace("[    1", "<6>[    1").replace("[    2", "<3>[    2"),
        LOG.replace(CODEPAGE, "usb 1-1: device descriptor read/64, error -71"),
        LOG.replace(
            CODEPAGE, "usb 1-1: New USB device found, idVendor=1d6b, idProduct=0002, bcdDevice= 6.12"
        ),
        LOG.replace(CODEPAGE, "qwertz: nothing that any kernel prints"),
    ],
    ids=["stated levels", "a class", "information", "no message"],
)
def test_nothing_is_stated_of_other_messages(text):
    assert stated(text) == []


def test_a_line_of_a_report_is_no_error_of_its_own():
    hung = "INFO: task df:1177107 blocked for more than 120 seconds."
    rest = '"echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message.'
    assert stated(f"[    2.000000] {rest}\n")
    assert not stated(f"[    2.000000] {hung}\n[    3.000000] {rest}\n")


@pytest.mark.parametrize("state", ["off", "shadow"])
def test_the_engine_can_be_switched_off(state):
    assert stated(LOG, catalogue=state) == []
