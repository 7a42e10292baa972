"""Readings from a tracepoint's format file."""

from __future__ import annotations

from pathlib import Path

from ingest.model.section import Text
from ingest.readers.traces import tracepoint_format

DATA = Path(__file__).parents[3] / "data" / "tracepoint-format"
LINES = (DATA / "tracepoint-format.inode_switch_wbs.txt").read_text().splitlines()


def test_the_kernel_has_the_tracepoint():
    reading = tracepoint_format.read(Text(LINES))
    (fact,) = reading.facts
    assert (fact.name, fact.value, fact.labels) == ("feature.tracepoint", True, {"name": "inode_switch_wbs"})
    assert reading.skipped == ()


def test_the_path_identifies_the_system():
    path = "sys/kernel/tracing/events/writeback/inode_switch_wbs/format"
    (fact,) = tracepoint_format.read(Text(LINES, path=path)).facts
    assert fact.labels["system"] == "writeback"


def test_it_begins_at_its_name_and_covers_all():
    assert tracepoint_format.begins(LINES, 0)
    assert all(tracepoint_format.continues(line) for line in LINES[1:])


def test_a_name_alone_is_not_claimed():
    assert not tracepoint_format.begins(["name: inode_switch_wbs", "kind: tracepoint"], 0)
