"""Windows put into real rows are found where they are; calm rows have none."""

from __future__ import annotations

from benchmarks.windows import calm, injected

SEED, SIZE = 2026, 40


def test_nine_of_ten_windows_are_found_within_an_interval():
    cases = injected(SEED, SIZE)
    assert len({case.tool for case in cases}) > 5
    assert sum(not case.outcome for case in cases) >= 0.9 * SIZE


def test_calm_series_have_no_alarm():
    assert [case for case in calm(SEED, SIZE) if case.outcome] == []
