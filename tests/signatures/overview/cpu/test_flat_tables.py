"""A hot lock in a table without stacks is reported as a lock whose owner the table does not show."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes, read_file
from signatures.document.files import LIBRARY
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.signatures.evidence import PUBLISHED

TABLES = LIBRARY / "mm/mglru-evict-folios-lru-lock/evidence"


def spinning(evidence):
    return next(panel for panel in run(items_of([evidence])) if panel.name == "spinning")


@pytest.mark.parametrize(
    ("path", "share", "function"),
    [
        (TABLES / "neg-iova-tree/top.txt", 0.612, "native_queued_spin_lock_slowpath"),
        (
            LIBRARY / "mm/mmap-lock-contention/evidence/neg-inode-semaphore/top.txt",
            0.549,
            "rwsem_spin_on_owner",
        ),
    ],
)
def test_the_spinning_function_is_named_and_the_lock_is_not(path, share, function):
    panel = spinning(read_file(path))
    assert (panel.state, panel.figures[0].value) == ("notable", share)
    assert panel.summary.endswith(f"spins on a lock ({function}); the table does not show which lock.")
    assert panel.lacks == ("perf record -a -g -F 99 -- sleep 30",)


def test_an_unlock_is_not_said_to_spin():
    panel = spinning(read_file(PUBLISHED / "vanishing-cpu/perf-top.mglru.txt"))
    assert (panel.state, panel.figures[0].value) == ("notable", 0.6752)
    assert panel.summary == (
        "67.5 % of the time is counted at _raw_spin_unlock_irq, where interrupts come back: what a timer "
        "cannot see, a wait for the lock or work with interrupts off; the table does not show which lock."
    )


def test_every_spinning_function_is_cited():
    panel = spinning(read_file(PUBLISHED / "vanishing-cpu/perf-top.mglru.txt"))
    assert [(one.label, one.places[0].first_line) for one in panel.figures[1:]] == [
        ("_raw_spin_unlock_irq", 1),
        ("_raw_spin_unlock_irqrestore", 2),
    ]


def test_a_table_in_which_nothing_spins_has_no_answer():
    table = b"    93.09%  [kernel]  [k] shrink_lruvec\n     2.00%  [kernel]  [k] clear_page_erms\n"
    assert spinning(read_bytes(table, name="top")).state == "unknown"
