"""`series`: windows of rows that last, whatever their mean."""

from __future__ import annotations

import pytest

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import RowSet
from signatures.judging.observation import State
from signatures.language.errors import SignatureError
from tests.signatures.build import ask

FACT = Fact("cpu.system_share", 0.2, Lines(1, 9), "share")
CONDITION = {"series": {"fact": "cpu.system_share", "above": "50 %", "for": "3 s"}}


def rows(*values: float, seconds: float | None = 1.0, clock: bool = False) -> RowSet:
    columns = ("time_text", "system_share") if clock else ("system_share",)
    cells = [(f"10:00:{at:02d}", value) if clock else (value,) for at, value in enumerate(values)]
    duration = None if seconds is None else seconds * (len(values) - 1)
    return RowSet.of_rows("vmstat", columns, cells, range(4, 4 + len(values)), duration)


@pytest.mark.parametrize(
    ("table", "state"),
    [
        (rows(0.1, 0.9, 0.9, 0.9, 0.1), State.TRUE),
        (rows(0.1, 0.9, 0.9, 0.1, 0.9), State.FALSE),
        (rows(0.1, 0.1), State.FALSE),
        (rows(0.1, 0.9, 0.1, seconds=60.0), State.TRUE),
        (rows(0.1, 0.9, 0.9, 0.9, seconds=None), State.UNKNOWN),
        (rows(0.1, 0.9, 0.9, 0.9, clock=True), State.TRUE),
    ],
    ids=["long", "broken", "calm", "one-minute", "no-interval", "clock"],
)
def test_a_window_counts_when_it_lasts(table, state):
    (found,) = ask(CONDITION, facts=[FACT], row_sets=[table])
    assert found.state is state


def test_the_window_is_cited_with_its_time():
    (found,) = ask(CONDITION, facts=[FACT], row_sets=[rows(0.1, 0.9, 0.95, 0.9, clock=True)])
    assert (found.observed, found.citations[0].first_line, found.citations[0].last_line) == (0.95, 5, 7)
    assert "10:00:01" in found.note


def test_low_values_are_a_window_too():
    condition = {"series": {"fact": "cpu.system_share", "below": 0.2, "for": 0}}
    (found,) = ask(condition, facts=[FACT], row_sets=[rows(0.9, 0.1, 0.9)])
    assert (found.state, found.observed) == (State.TRUE, 0.1)


def test_evidence_without_rows_says_nothing():
    assert ask(CONDITION, facts=[FACT]) == ()


def test_one_threshold_is_needed():
    with pytest.raises(SignatureError, match="name one of above, below"):
        ask({"series": {"fact": "cpu.system_share"}}, facts=[FACT])
