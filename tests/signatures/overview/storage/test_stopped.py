"""Reads and writes that stop while tasks are blocked speak; bursts and the end of the work do not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ingest.evidence import read_file
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.storage.stopped import Stop, stops
from tests.signatures.overview.stated import statements
from tests.signatures.overview.test_first_screen import overview, states

ENDED = Path(__file__).parents[3] / "data/vmstat/vmstat.narrow-end-of-writes.txt"
HEADS = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
"""
STEADY = [81_204, 79_310, 80_870, 82_016, 78_655, 80_101]
MIB = 1024.0**2
FAST = [80.0 * MIB] * 6


def rows(writes, *, blocked=0, reads=None, heads=HEADS):
    """Return vmstat of the writes and reads of each row, 2 tasks running."""
    pairs = zip(reads or [0] * len(writes), writes, strict=True)
    shape = " 2 {}      0 8214{:03} 103512 2214880    0    0 {:5} {:5} 2810 4012  3  4 93  0  0\n"
    return heads + "".join(
        shape.format(blocked if max(pair) < 1000 else 0, at, *pair) for at, pair in enumerate(pairs)
    )


def test_writes_that_stop_while_a_task_is_blocked_lead_with_their_lines():
    found = overview(rows([12, *STEADY, 30_120, 96, 0, 0, 0], blocked=1))
    assert found.headline.text == (
        "Writes stop: 80,500 blocks per second over 6 rows, then 96, 0, 0 and 0, while 1 task is blocked "
        "(the end of the work looks the same, but leaves none of its tasks blocked)"
    )
    assert found.headline.kind == "fact"
    assert states(found)["io"] == "notable"
    assert [(one.first_line, one.last_line) for one in found.statements[0].statement.places] == [
        (11, 14),
        (4, 9),
    ]
    assert "/proc/$p/stack" in found.next_capture.command
    assert "iostat -xd 1 5" in found.next_capture.command
    assert "discards" in found.first_steps[1]


def test_reads_that_stop_speak_as_well():
    found = rows([0] * 12, reads=[5, *STEADY, 0, 0, 3, 0, 9], blocked=3)
    assert (
        "Reads stop: 80,500 blocks per second over 6 rows, then at most 9 over 5, while 3 tasks are"
        in str(statements(found))
    )


def test_without_a_blocked_task_the_work_has_ended():
    assert not any("stop" in one for one in statements(rows([12, *STEADY, 0, 0, 0, 0])))


def test_a_recorded_end_of_writes_is_a_figure_and_no_sentence():
    (panel,) = (one for one in run(items_of([read_file(ENDED)])) if one.name == "stopped-io")
    assert [(one.label, one.value, one.is_notable) for one in panel.figures] == [
        ("Writes before they stop", 153_600 * 1024, False)
    ]
    assert panel.statements == ()
    assert panel.summary == "Reads or writes stop while no task is blocked: they may have ended."


def test_the_average_since_boot_is_no_row():
    least = STEADY[:5]
    assert any("over 5 rows" in one for one in statements(rows([12, *least, 0, 0, 0], blocked=1)))
    assert not any("stop" in one for one in statements(rows([*least, 0, 0, 0], blocked=1)))


@pytest.mark.parametrize(
    "values",
    [
        [*FAST[:4], 0, 0, 0, 0],
        [*FAST, 0, 0, *FAST],
        [*FAST, 0.1 * MIB * 80, 0.3 * MIB * 80, 0, 0],
        [one / 10 for one in (*FAST, 0, 0, 0)],
        [80 * MIB, 0, 0, 80 * MIB, 0, 0, 0, 80 * MIB, 0, 0, 0, 0],
        [],
    ],
    ids=["a burst", "a short gap", "too few rows of a stop", "slow", "writeback", "nothing"],
)
def test_what_comes_and_goes_is_no_stop(values):
    assert not list(stops(np.array(values)))


def test_each_stop_has_its_rows_and_one_may_lie_between():
    series = [5 * MIB, *FAST, 0, 0, 0, *FAST, 30 * MIB, 0, 0, 0, 0]
    assert list(stops(np.array(series))) == [Stop(1, 7, 7, 10), Stop(10, 16, 17, 21)]
