"""Outputs below what `date` prints have the time at which they were read."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from ingest.sections.dated import date_of
from ingest.sections.split import split

FIRST = "    100 times the listen queue of a socket overflowed"
SECOND = "    321 times the listen queue of a socket overflowed"
DATES = ("Fri May  5 15:39:58 CST 2017", "Fri May  5 15:39:59 CST 2017")


def parts_of(*lines):
    """Return lines and relative time of each part that is read."""
    parts = split(lines).parts
    times = [part.at for part in parts if part.at is not None]
    return [
        (
            part.first_line,
            part.last_line,
            list(part.text.lines),
            None if part.at is None else part.at - times[0],
        )
        for part in parts
        if part.reader.NAME == "netstat-statistics"
    ]


def test_readings_below_dates_are_cut_there_and_timed():
    assert parts_of(DATES[0], FIRST, DATES[1], SECOND) == [(1, 2, [FIRST], 0.0), (3, 4, [SECOND], 1.0)]


def test_the_output_of_a_command_that_begins_with_date_is_timed():
    prompt = "$ date; netstat -s | egrep listen"
    found = parts_of(prompt, DATES[0], FIRST, "", prompt, DATES[1], SECOND)
    assert [(lines, at) for _, _, lines, at in found] == [([FIRST], 0.0), ([SECOND], 1.0)]


def test_a_line_of_date_is_no_skipped_line():
    text = "\n".join((DATES[0], FIRST, DATES[1], SECOND)) + "\n"
    sections = read_bytes(text.encode(), name="x").sections
    assert [one.reading.skipped for one in sections] == [(), ()]
    assert [one.reading.facts[0].lines.first for one in sections] == [2, 4]


def test_what_stands_above_the_first_date_has_no_time():
    found = parts_of(FIRST, DATES[0], FIRST, DATES[1], SECOND)
    assert [(lines, at) for _, _, lines, at in found] == [([FIRST], None), ([FIRST], 0.0), ([SECOND], 1.0)]


@pytest.mark.parametrize(
    "dates",
    [
        DATES[:1],
        (DATES[0], "Fri May  5 15:39:59 UTC 2017"),
        (DATES[0], DATES[0]),
        (DATES[1], DATES[0]),
        (DATES[0], "Fri May  5 15:39:59 2017"),
    ],
    ids=["one", "two zones", "the same", "falling", "one without a zone"],
)
def test_dates_that_tell_no_distance_give_no_times(dates):
    lines = [line for date in dates for line in (date, FIRST)]
    assert {part.at for part in split(lines).parts} == {None}


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("Fri May  5 15:39:58 CST 2017", "CST"),
        ("Fri May  5 15:39:58 2017", ""),
        ("Fri May 05 03:39:58 PM +03 2017", "+03"),
        ("Fri May  5 03:39:58 PM 2017", ""),
        ("Fri 05 May 2017 03:39:58 PM CEST", "CEST"),
        ("Fri 05 May 2017 15:39:58", ""),
        ("2017-05-05 15:39:58", ""),
        ("2017-05-05T15:39:58+08:00", "+08:00"),
        ("2017-05-05T15:39:58,123Z", "Z"),
    ],
)
def test_the_forms_of_date(line, zone):
    assert date_of(line)[:2] == (1493998798.0, zone)


@pytest.mark.parametrize(
    ("line", "hour"), [("Fri May  5 12:39:58 AM 2017", 0), ("Fri May  5 12:39:58 PM 2017", 12)]
)
def test_noon_and_midnight(line, hour):
    assert (date_of(line).at % 86_400) // 3600 == hour


@pytest.mark.parametrize(
    "line",
    [
        "Fri May  5 15:39:58 CST 2017 the load rose",
        "  Fri May  5 15:39:58 CST 2017",
        "[Fri May  5 15:39:58 2017] oom",
        "Fri May  5 24:39:58 CST 2017",
        "Fri May  5 13:39:58 PM CST 2017",
        "Fri May 32 15:39:58 CST 2017",
        "Fri May  0 15:39:58 CST 2017",
        "Fri Mai  5 15:39:58 CST 2017",
        "2017-13-05 15:39:58",
        "2017-05-05 15:39:58 started",
        "15:39:58 up 3 days",
        "2493969998",
        "1493969998 kB",
    ],
)
def test_other_lines_are_no_date(line):
    assert date_of(line) is None


@pytest.mark.parametrize(
    "times",
    [
        ("15:39:58", "15:39:59", "15:40:00"),
        ("1493969998", "1493969999", "1493970000"),
        ("2017-05-05 15:39:58", "2017-05-05 15:39:59", "2017-05-05 15:40:00"),
    ],
    ids=["clocks", "seconds since 1970", "dates"],
)
def test_looks_below_short_times_are_timed(times):
    found = parts_of(*(line for time in times for line in (time, FIRST)))
    assert [at for *_, at in found] == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    "times",
    [
        ("15:39:58", "15:39:59"),
        ("15:39:58", "15:39:57", "15:40:00"),
        ("15:39:58", "1493969999", "15:40:00"),
        ("1100000000", "1200000000", "1300000000"),
    ],
    ids=["two", "not rising", "of two forms", "hours apart"],
)
def test_numbers_that_are_no_times_time_nothing(times):
    assert all(at is None for *_, at in parts_of(*(line for time in times for line in (time, FIRST))))
