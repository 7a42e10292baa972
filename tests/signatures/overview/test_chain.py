"""The chain of causes of a headline: each node has its own line, in the order of the log."""

from __future__ import annotations

from pathlib import Path

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.combined import rows
from signatures.overview.first_screen import overview_of
from signatures.overview.screen_document import overview_document
from signatures.rendering.overview_text import chain_words

DEAD_DRIVE = """\
[  100.1] nvme nvme0: I/O 17 QID 4 timeout, aborting
[  130.2] nvme nvme0: Disabling device after reset failure: -19
[  131.2] EXT4-fs error (device nvme0n1p2): ext4_find_entry:1455: inode #2: comm ls: reading directory
[  131.3] EXT4-fs (nvme0n1p2): Remounting filesystem read-only
"""


LIBRARY = Path(__file__).parents[3] / "signatures/library"


def _document(*texts):
    evidence = [read_bytes(text.encode(), name=str(at)) for at, text in enumerate(texts)]
    return overview_document(overview_of(run(items_of(evidence)), (), (), ()))


def test_what_followed_from_a_dead_drive_is_a_chain_with_the_line_of_each():
    found = _document(DEAD_DRIVE)
    assert [one.citation.first_line for one in found.chain] == [1, 2, 3, 4]
    assert [one.edge for one in found.chain] == ["", "then", "then", "then"]
    assert [one.relation for one in found.chain] == ["", "device", "device", "device"]
    assert "30 s" in found.chain[1].reason
    assert [at.first_line for at in found.chain[3].proof] == [3, 4]
    first, *_, last = chain_words(found).split(" → ")
    assert "timeout" in first
    assert "read-only" in last
    assert "nvme0n1p2" in last


def test_what_is_read_together_without_an_order_has_no_arrow():
    (row,) = (one for one in rows() if one["name"] == "reclaim-and-io-wait")
    found = _document(str(row["sample"]))
    assert [one.edge for one in found.chain] == ["", "with", "with"]
    assert "→" not in chain_words(found)


def test_an_alarm_of_the_same_disk_in_another_file_stands_beside_the_chain_without_an_order():
    disks = (
        "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
        "           2.00    0.00    3.00   45.00    0.00   50.00\n\n"
        "Device            r/s     w/s     rkB/s     wkB/s r_await w_await  aqu-sz  %util\n"
        "sda              5.00  400.00     80.00  12000.00   45.00  180.00   32.00 100.00\n"
        "sdb              0.00    1.00      0.00      8.00    0.00    0.40    0.00   0.10\n"
    )
    errors = (
        "[  100.0] I/O error, dev sda, sector 2048 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2\n"
        "[  100.1] I/O error, dev sda, sector 4096 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2\n"
    )
    found = _document(errors, disks)
    beside = found.chain[-1]
    assert (beside.edge, beside.relation) == ("with", "device")
    assert {at.evidence for at in beside.proof} == {"0", "1"}
    assert _document(errors.replace("sda", "sdc"), disks).chain == ()


def test_a_wait_goes_from_its_root_to_those_that_wait_for_what_it_holds():
    fixture = LIBRARY / "fs/fuse-server-hang/evidence/pos-directory-lock/stacks.txt"
    found = _document(fixture.read_text())
    root, waiters = found.chain
    assert "mkdir:14954" in root.text
    assert (waiters.edge, waiters.relation) == ("then", "wait")
    assert root.citation in waiters.proof
    assert waiters.citation in waiters.proof


def test_one_thing_that_happened_is_no_chain():
    assert _document("[  100.1] nvme nvme0: I/O 17 QID 4 timeout, aborting\n").chain == ()
