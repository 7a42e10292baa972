"""Each class that alarms has a first step of its own, with its reason."""

from __future__ import annotations

import pytest

from ingest.catalogue.log_classes import classes_by_name
from signatures.overview.do_first import by_class, step_of, without_row
from tests.signatures.overview.test_first_screen import overview

ALARMS = {name for name, one in classes_by_name().items() if one.is_alarming}


def test_each_class_that_alarms_has_one_step_or_the_reason_why_none():
    assert by_class().keys() | without_row().keys() == ALARMS
    assert not by_class().keys() & without_row().keys()
    assert all(without_row().values())
    assert all(row["do"] and row["why"] for row in by_class().values())


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (
            "[   90.100000] pcieport 0000:00:1c.4: AER: Corrected error received: 0000:00:1c.4\n",
            "cat /sys/bus/pci/devices/0000:00:1c.4/aer_dev_correctable",
        ),
        ("[   90.100000] nvme nvme3: I/O 12 QID 5 timeout, aborting\n", "error-log of nvme3"),
    ],
    ids=["an address", "a device"],
)
def test_the_step_names_what_the_log_names(log, words):
    assert words in overview(log).first_steps[0]


@pytest.mark.parametrize("device", ["sda; reboot", "$(reboot)", "a`id`", "x" * 400, "-rf", "\nreboot"])
def test_a_name_that_a_shell_would_read_is_not_part_of_a_command(device):
    assert device not in step_of("nvme_timeout", device)
    assert "NAME" in step_of("nvme_timeout", device)
