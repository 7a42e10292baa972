"""The chain of causes of a headline: each node has its own line, in the order of the log."""

from __future__ import annotations

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


def _document(text):
    return overview_document(overview_of(run(items_of([read_bytes(text.encode(), name="x")])), (), (), ()))


def test_what_followed_from_a_dead_drive_is_a_chain_with_the_line_of_each():
    found = _document(DEAD_DRIVE)
    assert [one.citation.first_line for one in found.chain] == [1, 2, 3, 4]
    assert [one.edge for one in found.chain] == ["", "then", "then", "then"]
    first, *_, last = chain_words(found).split(" → ")
    assert "timeout" in first
    assert "read-only" in last
    assert "nvme0n1p2" in last


def test_what_is_read_together_without_an_order_has_no_arrow():
    (row,) = (one for one in rows() if one["name"] == "steal-with-a-run-queue")
    found = _document(str(row["sample"]))
    assert [one.edge for one in found.chain] == ["", "with"]
    assert "→" not in chain_words(found)


def test_one_thing_that_happened_is_no_chain():
    assert _document("[  100.1] nvme nvme0: I/O 17 QID 4 timeout, aborting\n").chain == ()
