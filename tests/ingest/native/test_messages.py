"""The catalogue finds the source line of messages as kernels printed them, and no lines of programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.native import messages
from ingest.readers.logs.kernel_log import prefix

LIBRARY = Path(__file__).parents[3] / "signatures" / "library"

MEGARAID = "drivers/scsi/megaraid/megaraid_sas_base.c"
KILLED = (
    "Memory cgroup out of memory: Killed process 6262 (python3) total-vm:213940kB, anon-rss:203904kB, "
    "file-rss:6644kB, shmem-rss:0kB, UID:0 pgtables:456kB oom_score_adj:0"
)
LOCKUP = "hpsa 0000:06:00.0: Controller lockup detected: 0x0015002f after 30"
PRINTED = [
    ("nvme nvme0: I/O 12 QID 5 timeout, completion polled", "nvme_timeout", "drivers/nvme/host/pci.c", 4),
    ("sd 2:2:0:0: [sda] megasas: RESET cmd=28 retries=0", "megasas_generic_reset", MEGARAID, 5),
    ("FAT-fs (sdb1): codepage cp437 not found", "fat_fill_super", "fs/fat/inode.c", 3),
    (LOCKUP, "controller_lockup_detected", "drivers/scsi/hpsa.c", 4),
    ("usb 1-1: device descriptor read/64, error -71", "hub_port_init", "drivers/usb/core/hub.c", 3),
    (KILLED, "__oom_kill_process", "mm/oom_kill.c", 3),
]


@pytest.mark.parametrize(("line", "function", "path", "level"), PRINTED, ids=[row[1] for row in PRINTED])
def test_a_message_has_the_place_and_level_of_its_call(line, function, path, level):
    found = messages.find(line)
    assert found is not None
    entry = messages.entry(found.entry)
    assert (function, path, level) in {(one.function, one.path, one.level) for one in entry.places}
    assert entry.bits == found.bits


def test_what_stands_before_the_first_constant_word_is_the_device():
    line = "e1000e 0000:00:19.0 eno1: Detected Hardware Unit Hang:"
    found = messages.find(line)
    assert line.encode()[: found.start] == b"e1000e 0000:00:19.0 eno1: "
    assert line.encode()[found.start : found.end] == b"Detected Hardware Unit Hang"


@pytest.mark.parametrize(
    "line",
    [
        "sshd[812]: Accepted publickey for root from 10.0.0.1 port 22 ssh2",
        "postgres: could not receive data from client: Connection reset by peer",
        "failed to open file",
        "* g10/export.c, g10/import.c, g10/keyedit.c, g10/trustdb.c: Include",
        "the USB device descriptor is read, then error handling begins",
        "",
        "\0" * 300,
        "\udcff failed",
        "x" * 1_000_000,
        "failed to " * 100_000,
    ],
)
def test_a_line_of_a_program_or_prose_is_no_message_of_the_kernel(line):
    found = messages.message_bits(line)
    assert found is None or found[0] < messages.LEAST_BITS


def test_words_in_another_order_are_another_message():
    line = "usb 1-1: error device descriptor read/64, -71"
    found = messages.find(line)
    assert found is None or messages.entry(found.entry).places[0].function != "hub_port_init"


def test_releases_that_print_a_message_are_told_from_those_that_do_not():
    kernels = [one.release for one in messages.sources() if one.kind == "kernel"]
    assert len(kernels) >= 8
    found = messages.find("nvme nvme0: I/O 12 QID 5 timeout, completion polled")
    printed = dict(zip(messages.sources(), messages.entry(found.entry).releases, strict=True))
    by_release = {source.release: is_printed for source, is_printed in printed.items()}
    assert not by_release["4.4"]
    assert by_release["5.10"]


@pytest.mark.parametrize("path", ["fs/xfs-log-stall/evidence/pos-suspended-device/dmesg.txt"])
def test_many_lines_of_a_boot_are_catalogued(path):
    lines = (LIBRARY / path).read_text(errors="replace").splitlines()
    entries = (prefix.entry(line, 1) for line in lines)
    texts = [one.text for one in entries if one.has_prefix and one.is_kernel and one.text[:1].strip()]
    assert len(texts) > 300
    found = [match for match in messages.find_all(texts) if match is not None]
    assert len(found) / len(texts) > 0.4


def test_every_name_of_a_place_can_be_read():
    seen = set()
    for line, *_ in PRINTED:
        seen |= {one.path for one in messages.entry(messages.find(line).entry).places}
    assert all(path.endswith((".c", ".h")) for path in seen)
