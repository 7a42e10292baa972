"""Row sets over time: the clock runs on over midnight, lines are reported apart, the heaviest come first."""

from __future__ import annotations

import pytest

from ingest.export import series
from ingest.model.reading import RowSet

PIDSTAT = RowSet.of_rows(
    "pidstat",
    ("time_text", "pid", "user_share", "comm"),
    (
        ("11:59:59 PM", 66.0, 0.5, "clickhouse"),
        ("11:59:59 PM", 7.0, 0.25, "mysqld"),
        ("12:00:01 AM", 66.0, 0.75, "clickhouse"),
        ("12:00:01 AM", 7.0, None, "mysqld"),
    ),
    (3, 4, 6, 7),
)


def test_columns_are_classified_by_name_and_content():
    shape_of = series.shape(PIDSTAT.columns, PIDSTAT.rows)
    assert (shape_of.time, shape_of.labels, shape_of.values) == (
        "time_text",
        ("pid", "comm"),
        ("user_share",),
    )


def test_a_clock_runs_on_over_midnight_and_an_empty_cell_is_no_point():
    axis, origin, lines, omitted = series.lines(PIDSTAT, "user_share", ("comm",), limit=9)
    assert (axis, origin, omitted) == ("seconds", "11:59:59 PM", 0)
    assert lines[0] == {"label": {"comm": "clickhouse"}, "time": [0, 2], "value": [0.5, 0.75], "line": [3, 6]}
    assert lines[1] == {"label": {"comm": "mysqld"}, "time": [0], "value": [0.25], "line": [4]}


def test_what_is_not_finite_is_no_point():
    rows = RowSet.of_rows(
        "x", ("time_s", "rate"), ((0.0, 1.0), (1.0, float("inf")), (2.0, float("nan"))), (1, 2, 3)
    )
    _, _, lines, _ = series.lines(rows, "rate", (), limit=9)
    assert (lines[0]["time"], lines[0]["value"]) == ([0], [1])


def test_lines_beyond_the_limit_are_counted():
    _, _, lines, omitted = series.lines(PIDSTAT, "user_share", ("pid",), limit=1)
    assert (lines[0]["label"], omitted) == ({"pid": "66"}, 1)


def test_rows_without_a_clock_keep_their_order():
    rows = RowSet.of_rows("ping", ("seq", "rtt_ms"), ((1.0, 0.2), (2.0, 99.0)), (1, 2))
    axis, origin, lines, _ = series.lines(rows, "rtt_ms", (), limit=9)
    assert (axis, origin, lines[0]["time"], lines[0]["value"]) == ("order", None, [0, 1], [0.2, 99])


def test_stated_times_are_seconds_whatever_their_unit():
    rows = RowSet.of_rows("memcg", ("time_ms", "elapsed_ns"), ((346.0, 5.0), (1346.0, 7.0)), (1, 2))
    axis, _, lines, _ = series.lines(rows, "elapsed_ns", (), limit=9)
    assert (axis, lines[0]["time"]) == ("seconds", [0, 1])


@pytest.mark.parametrize(
    ("column", "unit"),
    [
        ("user_share", "share"),
        ("read_bytes_per_second", "bytes_per_second"),
        ("switches_per_second", "per_second"),
        ("elapsed_ns", "ns"),
        ("real_s", "s"),
        ("nr_reclaimed", ""),
    ],
)
def test_the_unit_ends_the_name(column, unit):
    assert series.unit_of(column) == unit
