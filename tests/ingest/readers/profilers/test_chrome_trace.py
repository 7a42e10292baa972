"""Readings from Chrome's traces and V8's CPU profiles."""

from __future__ import annotations

import json

import pytest

from ingest.evidence import read_bytes
from ingest.model.errors import MalformedInputError
from ingest.readers.profilers import chrome_trace
from tests.ingest.samples import DATA, stacks, whole


def test_a_cpu_profile_weighs_the_time_until_the_next_sample():
    (profile,) = whole("chrome-trace/node.cpuprofile").profiles
    document = json.loads((DATA / "chrome-trace/node.cpuprofile").read_text())
    assert profile.weight == sum(document["timeDeltas"][1:])
    names = {frame.name for frame in profile.frames}
    assert {"work", "parse"} <= names
    assert "(root)" not in names


def test_an_event_weighs_what_no_event_inside_it_takes():
    events = [
        {"ph": "X", "name": "outer", "ts": 0, "dur": 10, "pid": 1, "tid": 2},
        {"ph": "X", "name": "inner", "ts": 2, "dur": 3, "pid": 1, "tid": 2},
        {"ph": "B", "name": "open", "ts": 6, "pid": 1, "tid": 2},
        {"ph": "E", "name": "open", "ts": 7, "pid": 1, "tid": 2},
    ]
    (profile,) = chrome_trace.read_document(json.dumps({"traceEvents": events}).encode()).profiles
    assert stacks(profile) == [
        (["outer"], 2.0),
        (["outer", "inner"], 3.0),
        (["outer"], 1.0),
        (["outer", "open"], 1.0),
        (["outer"], 3.0),
    ]


def test_a_real_trace_names_its_threads():
    (profile,) = whole("chrome-trace/node.trace-events.json").profiles
    assert any(thread.comm for thread in profile.threads)


def test_events_without_duration_are_counted():
    events = [{"ph": "i", "name": "mark", "ts": 1}, {"ph": "X", "name": "f", "ts": 0, "dur": 1}]
    reading = chrome_trace.read_document(json.dumps({"traceEvents": events}).encode())
    assert [skip.count for skip in reading.skipped] == [1]


def test_a_trace_in_which_nothing_took_time_is_refused():
    with pytest.raises(MalformedInputError, match="no event in this trace took any time"):
        chrome_trace.read_document(b'{"traceEvents": []}')


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([{"ph": "X", "name": "f", "ts": 0, "dur": 1, "pid": 1, "tid": 2}]),
        '[{"ph": "X", "name": "f", "ts": 0, "dur": 1, "pid": 1, "tid": 2},\n',
        json.dumps({"traceEvents": [{"ph": "X", "name": "f", "ts": 0, "dur": 1}]}, indent=2),
        json.dumps(
            {"metadata": {"source": "DevTools", "notes": "x" * 4000}, "traceEvents": [{"ph": "X", "dur": 1}]}
        ),
    ],
    ids=["array", "array without its end", "pretty-printed", "metadata first"],
)
def test_every_form_of_a_trace_is_one(text):
    (section,) = read_bytes(text.encode(), name="trace.json").sections
    assert section.format == "chrome-trace"
    assert section.reading.profiles[0].weight == 1.0


def test_a_pretty_printed_cpu_profile_is_one():
    document = json.loads((DATA / "chrome-trace/node.cpuprofile").read_text())
    (section,) = read_bytes(json.dumps(document, indent=2).encode(), name="x").sections
    assert [stacks(profile) for profile in section.reading.profiles] == [
        stacks(profile) for profile in whole("chrome-trace/node.cpuprofile").profiles
    ]


@pytest.mark.parametrize("text", ['[{"ph": 7.1, "ts": 4, "pid": "pool"}]', '{"events": ["traceEvents"]}'])
def test_other_json_is_no_trace(text):
    assert not chrome_trace.claims(text.encode())
