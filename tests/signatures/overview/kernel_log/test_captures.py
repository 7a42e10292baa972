"""The next command of an alarm of the kernel log shows more about that alarm."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import pytest

from ingest.catalogue.log_classes import ALARMING, CLASSES, SUBSYSTEMS, classes_by_name
from signatures.overview.cpu.lone_stacks import DUMP
from signatures.overview.kernel_log.captures import BY_CLASS, BY_GROUP, BY_SUBSYSTEM, capture_of


def captured(name: str, **fields: str) -> str:
    return capture_of(SimpleNamespace(fields=fields), classes_by_name()[name])


@pytest.mark.parametrize(
    ("name", "fields", "part"),
    [
        ("oops", {}, "/var/crash"),
        ("lockdep_deadlock", {}, "/var/crash"),
        ("soft_lockup", {}, "perf record"),
        ("hung_task", {}, "/stack"),
        ("block_io_error", {"device": "sdk"}, "smartctl -x /dev/sdk; iostat"),
        ("nvme_timeout", {"device": "nvme0"}, "smartctl -x /dev/nvme0; iostat"),
        ("ext4_error", {"device": "sda1"}, "iostat"),
        ("oom_kill", {}, "slabtop"),
        ("netdev_watchdog", {"device": "eth0"}, "ip -s -s link"),
        ("pcie_aer_fatal", {"device": "0000:3b:00.0"}, "lspci"),
    ],
)
def test_the_command_is_about_the_alarm(name, fields, part):
    assert part in captured(name, **fields)


def test_a_device_that_is_no_disk_is_not_asked_for_its_health():
    assert not captured("block_io_error", device="sda; reboot").startswith("smartctl")
    assert not captured("block_io_error", device="vda").startswith("smartctl")


def test_every_entry_names_what_there_is_and_parses_as_shell():
    assert set(BY_GROUP) == set(SUBSYSTEMS.values())
    assert set(BY_SUBSYSTEM) <= set(SUBSYSTEMS)
    assert set(BY_CLASS) <= set(classes_by_name())
    commands = {capture_of(SimpleNamespace(fields={}), one) for one in CLASSES if one.severity in ALARMING}
    assert DUMP in commands
    subprocess.run(["bash", "-n", "-c", "\n".join(commands)], check=True)
