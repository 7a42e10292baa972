"""Waits for mutexes as klockstat counts them are those of `perf lock contention`."""

from __future__ import annotations

from tests.ingest.samples import whole


def test_waits_and_holds_are_told_apart():
    sets = {rows.name: rows for rows in whole("klockstat/klockstat.txt").row_sets}
    waits, holds = sets["lock_contention"], sets["lock_holds"]
    assert waits.rows[0] == ("mutex", "psi_avgs_work", 5.0, 18379.0, 5468.0, 3675.0)
    assert holds.columns[2:5] == ("acquired", "total_hold_ns", "max_hold_ns")
    assert holds.rows[0][1] == "flush_to_ldisc"
