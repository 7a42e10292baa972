"""`casebook explain-line` tells where the kernel prints a line, and shows no text of the sources."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from cli import main

NVME = "[ 2225.621988] nvme nvme0: I/O 12 QID 5 timeout, completion polled"


def run(*words: str, stdin: str | None = None):
    return CliRunner().invoke(main, ["explain-line", *words], input=stdin)


def one(line: str) -> dict:
    return json.loads(run(line, "--format", "json").output)["lines"][0]


def test_a_line_has_level_device_driver_layer_place_and_releases():
    text = run(NVME).output
    for words in (
        "warning",
        "nvme0",
        "driver nvme",
        "controller (NVMe)",
        "nvme_timeout in drivers/nvme/host/pci.c",
    ):
        assert words in text
    assert "not by 4.4" in text


def test_only_words_of_the_line_itself_are_shown():
    assert "%" not in run(NVME).output
    assert one(NVME)["message"] == NVME.partition("] ")[2]


def test_lines_come_from_standard_input():
    found = run("--format", "json", stdin=f"{NVME}\n\nFAT-fs (sdb1): codepage cp437 not found\n")
    paths = [line["places"][0]["path"] for line in json.loads(found.output)["lines"]]
    assert paths == ["drivers/nvme/host/pci.c", "fs/fat/inode.c"]


def test_the_level_of_the_line_stands_beside_that_of_the_source():
    found = one("<6>[    1.000000] usb 1-1: device descriptor read/64, error -71")
    assert found["stated_level"] == "information"
    assert found["places"][0]["level"] == "error"
    assert [kind["name"] for kind in found["classes"]] == ["usb_device_error"]


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("Feb  1 18:58:28 db-1 systemd[1]: Started session 1 of user root.", "program"),
        ("[    1.000000] qwertz: no such message in any kernel zzz", "unknown"),
        ("", "unknown"),
        ("x" * 100_000, "unknown"),
    ],
)
def test_what_is_no_catalogued_message_has_no_place(line, state):
    found = one(line)
    assert (found["state"], found["places"]) == (state, [])
    assert run(line).exit_code == 3


def test_common_words_without_a_prefix_are_no_evidence_of_the_kernel():
    bare, in_a_log = one("failed to allocate memory"), one("[    1.000000] failed to allocate memory")
    assert bare["state"] == "weak"
    assert in_a_log["state"] == "kernel"
    assert in_a_log["place_count"] > 3
    assert "ambiguous: " in run("[    1.000000] failed to allocate memory").output
