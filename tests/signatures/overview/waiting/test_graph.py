"""Root blockers in the overview: a hang leads with who blocks whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_paths
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.first_screen import overview_of

HANGS = Path(__file__).parents[3] / "data" / "recorded" / "hangs"


def statements(name):
    items = items_of(read_paths([HANGS / name]))
    found = overview_of(run(items), (), (), {item.format for item in items})
    return found, [one.statement for one in found.statements]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("work-item-waits/dmesg.txt", "4 tasks wait behind kworker/0:2:54, which waits for"),
        (
            "loop-device-stalls/stacks.1.txt",
            "6 tasks wait behind kworker/u8:3+loop0:3152, which waits for reply",
        ),
        (
            "fuse-server-stops/dmesg.txt",
            "4 tasks wait behind mkdir:14954, which waits for reply of a FUSE server",
        ),
    ],
)
def test_a_notable_root_blocker_leads_the_overview_and_cites_its_lines(name, sentence):
    found, (first, *_) = statements(name)
    assert found.headline.text.startswith(sentence)
    assert (first.question, first.kind) == ("locks", "alarm")
    assert all(place.first_line >= 1 for place in first.places)


def test_waits_for_storage_in_one_snapshot_are_a_fact_that_needs_a_second_look():
    found, sentences = statements("dm-suspended-under-ext4/dmesg.txt")
    waits = next(one for one in sentences if one.question == "locks")
    assert waits.kind == "fact"
    assert waits.text.startswith("7 tasks wait for writeback of page cache in __filemap_fdatawait_range")
    assert (found.headline.kind, found.next_capture.command) == ("not assessed", waits.capture)
    assert "iostat" in waits.capture
    items = items_of(read_paths([HANGS / "dm-suspended-under-ext4/dmesg.txt"]))
    panel = next(panel for panel in run(items) if panel.name == "waits")
    assert (panel.state, panel.summary) == (
        "unknown",
        "7 tasks wait for writeback of page cache; one snapshot does not show whether they are stuck.",
    )


def test_threads_whose_files_were_read_twice_are_counted_once_by_wait_channel():
    _, found = statements("nfs-server-stops")
    texts = [one.text for one in found]
    assert "11 tasks are in uninterruptible sleep, 3 of them in folio_wait_bit_common" in texts
