"""A format is data: its shape recognises, reads and describes it."""

from __future__ import annotations

import re

from ingest.model.section import Text
from ingest.parsing.fact_reader import pid_labels
from ingest.parsing.shapes import Column, Lines, Table

_HEAD = re.compile(r"^# queue waiting\b")
_ROW = re.compile(r"^(?P<queue>\w+) (?P<waiting>\d+)(?: (?P<state>[a-z]+))?$")
QUEUES = Table(
    name="queues",
    title="/proc/PID/queues",
    example="# queue waiting\na 2",
    paths=("proc/*/queues",),
    first=_HEAD,
    below=_ROW,
    head=_HEAD,
    row=_ROW,
    columns={"waiting": Column("queue.waiting_bytes", "bytes", 1024), "state": Column("queue.state")},
    labels=("queue",),
    labels_of_path=pid_labels,
    skipped="not a queue",
)


def test_a_row_of_a_table_is_a_fact_for_each_column_it_has():
    lines = ["# queue waiting", "a 2", "b 0 idle", "", "torn", "a 3"]
    reading = QUEUES.read(Text(lines, 11, "proc/7/queues"))
    assert [(one.name, one.value, one.unit, one.labels, one.snapshot) for one in reading.facts] == [
        ("queue.waiting_bytes", 2048.0, "bytes", {"pid": "7", "queue": "a"}, 0),
        ("queue.waiting_bytes", 0.0, "bytes", {"pid": "7", "queue": "b"}, 0),
        ("queue.state", "idle", "", {"pid": "7", "queue": "b"}, 0),
        ("queue.waiting_bytes", 3072.0, "bytes", {"pid": "7", "queue": "a"}, 1),
    ]
    assert [one.lines.first for one in reading.facts] == [12, 13, 13, 16]
    assert [(one.reason, one.count, one.first_line) for one in reading.skipped] == [("not a queue", 1, 15)]


def test_a_text_begins_with_its_first_line_and_the_one_below():
    assert QUEUES.begins(["# queue waiting", "a 2"], 0)
    assert not QUEUES.begins(["# queue waiting"], 0)
    assert not QUEUES.begins(["a 2", "b 2"], 0)
    assert [QUEUES.continues(line) for line in ("a 2", "# queue waiting", "a")] == [True, True, False]


def test_a_text_without_a_first_line_is_recognised_by_its_path_only():
    bare = Lines(name="bare", title="/proc/bare", example="7", paths=("proc/bare",), read=QUEUES.read)
    assert bare.methods() == {"read"}
    assert "STARTS" not in bare.attributes()
    assert QUEUES.methods() == {"begins", "continues", "read"}
    assert QUEUES.attributes()["STARTS"] == (_HEAD.pattern,)


def test_a_command_makes_the_output_of_a_tool_and_none_a_captured_file():
    output = Lines(name="bare", title="bare", example="7", command="bare -a", first=_ROW, read=QUEUES.read)
    assert "PATHS" not in output.attributes()
    assert output.attributes()["COMMAND"] == "bare -a"
    assert QUEUES.attributes()["PATHS"] == ("proc/*/queues",)
