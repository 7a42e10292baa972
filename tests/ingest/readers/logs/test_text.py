"""Readings from text that no format recognises."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ingest.model.citation import Lines
from ingest.model.reading import Reading
from ingest.model.section import Text
from ingest.readers.logs import text

DATA = Path(__file__).parents[3] / "data" / "text"
DESCRIPTION = {"text.shape", "text.stated"}
"""Facts that describe a text which is not read."""


def latencies(*lines):
    sets = text.read(Text(lines)).row_sets
    return [list(row) for rows in sets for row in rows.rows]


def test_a_latency_without_a_unit_has_that_of_the_threshold_it_exceeded():
    lines = (DATA / "app-log.memcached.txt").read_text().splitlines()
    assert text.continues(lines[0])
    assert latencies(*lines) == [["Tue Sep 24 21:20:54 2024", 1.354682922]]


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("2026-11-21T10:00:01.250Z WARN query took 812 ms", 0.812),
        ("2026-11-21 10:00:01 db elapsed=2.5s rows=3", 2.5),
        ("Nov 21 10:00:01 db1 app[7]: response_time=34us", 0.000034),
        ('10:00:01.5 slow: latency_ms="20.5"', 0.0205),
    ],
)
def test_a_line_that_begins_with_a_time_may_state_how_long_something_took(line, seconds):
    ((_, found),) = latencies(line)
    assert found == pytest.approx(seconds)


@pytest.mark.parametrize(
    "line",
    [
        "it took 3 days to find",
        "2026-11-21T10:00:01Z uptime 812",
        '2026-11-21T10:00:01Z latency="33"',
        "2026-11-21T10:00:01Z the time 812 ms is wrong",
    ],
)
def test_without_a_time_a_unit_or_a_duration_nothing_is_read(line):
    reading = text.read(Text([line]))
    assert replace(reading, facts=()) == Reading()
    assert {fact.name for fact in reading.facts} <= DESCRIPTION


def test_the_longest_is_a_fact_and_cites_its_line():
    lines = [f"2026-11-21T10:00:0{at}Z call took {at} ms" for at in (1, 9, 4)]
    (fact,) = (one for one in text.read(Text(lines, 7)).facts if one.name not in DESCRIPTION)
    assert (fact.value, fact.unit, fact.lines) == (0.009, "seconds", Lines.at(8))


@pytest.mark.parametrize(
    ("sentence", "tools"),
    [
        ("ps aux hangs", ["ps"]),
        ("Since ten, `ps aux` hangs and perf top is stuck.", ["ps", "perf"]),
        ("pgrep -f java never returns, load 400", ["pgrep"]),
        ("ps hangs on db-07, can somebody look?", ["ps"]),
        ("ps can hang there", []),
        ("ps does not hang", []),
        ("ps no longer hangs", []),
        ("if ps hangs, collect stacks", []),
        ("ps hung yesterday", []),
        ("the deploy hangs", []),
        ('operation="set" maps hangs', []),
        ("ps " + "x" * 400 + " hangs", []),
    ],
)
def test_a_person_reports_which_tool_hangs(sentence, tools):
    facts = text.read(Text([sentence])).facts
    assert [fact.labels["tool"] for fact in facts] == tools
    assert {fact.name for fact in facts} <= {"human.hung_tool"}
