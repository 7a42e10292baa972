"""Interfaces that drop and file systems that are full speak with their base; healthy ones are silent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run

MACHINE = Path(__file__).parents[2] / "data/files/machine"
DEV = (MACHINE / "proc/net/dev").read_text()
LINK = (MACHINE / "sos_commands/networking/ip_-s_-d_link").read_text()
DF = (MACHINE / "sos_commands/filesys/df_-al_-x_autofs").read_text()
INODES = (MACHINE / "sos_commands/filesys/df_-ali_-x_autofs").read_text()


def statements(text):
    return [
        one.text for panel in run(items_of([read_bytes(text.encode(), name="x")])) for one in panel.statements
    ]


@pytest.mark.parametrize("text", [DEV, LINK])
def test_an_interface_without_drops_is_silent(text):
    assert statements(text) == []


def with_drops(text, count):
    """Return the text with so many drops of packets that eth0 received, of 208,880 that it passed on."""
    changed = re.sub(r"(?m)^( *eth0: \d+ +)\d{6}( +0 +)0 ", rf"\g<1>208880\g<2>{count} ", text)
    assert changed.count(str(count)) == 1
    return changed


def test_a_dropping_interface_speaks_with_its_packets():
    assert statements(with_drops(DEV, 9120)) == [
        "4.18 % of packets that arrived at eth0 were dropped (9,120 of 218,000, since boot)"
    ]
    full = re.sub(r"(?m)^( +\d+ +)\d{6}( +0 +0 +)0", r"\g<1>208880\g<2>9120", LINK, count=1)
    assert statements(full) == [
        "4.18 % of packets found the receive ring of eth0 full (9,120 of 218,000, since boot)"
    ]


def test_one_packet_in_a_hundred_that_nobody_asked_for_is_usual():
    assert statements(with_drops(DEV, 1100)) == []


def test_full_file_systems_speak_and_others_do_not():
    assert statements(DF) == ["/srv/spool has no space left: 100 % of 4 MiB used"]
    assert statements(INODES) == ["/srv/spool has no inodes left: 100 % of the inodes used"]
    healthy = "".join(line for line in DF.splitlines(keepends=True) if "spool" not in line)
    assert statements(healthy) == []


def test_read_only_images_are_full_by_nature():
    head = "Filesystem     1K-blocks  Used Available Use% Mounted on\n"
    assert statements(head + "/dev/loop3         56960 56960         0 100% /snap/core18/2074\n") == []
