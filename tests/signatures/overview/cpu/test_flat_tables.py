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
    ("path", "share", "where"),
    [
        (TABLES / "neg-iova-tree/top.txt", 0.612, " (native_queued_spin_lock_slowpath)"),
        (
            LIBRARY / "mm/mmap-lock-contention/evidence/neg-inode-semaphore/top.txt",
            0.549,
            ", in rwsem_spin_on_owner (38.7 %) and 1 other lock function",
        ),
    ],
)
def test_the_spinning_function_is_named_and_the_lock_is_not(path, share, where):
    panel = spinning(read_file(path))
    assert (panel.state, panel.figures[0].value) == ("notable", share)
    assert panel.summary.endswith(f"spins on a lock{where}; the table does not show which lock.")
    assert panel.lacks == ("perf record -a -g -F 99 -- sleep 30",)


def test_an_unlock_is_not_said_to_spin():
    panel = spinning(read_file(PUBLISHED / "vanishing-cpu/perf-top.mglru.txt"))
    assert (panel.state, panel.figures[0].value) == ("notable", 0.6752)
    assert panel.summary == (
        "67.5 % of the time is counted at _raw_spin_unlock_irq (55.5 %) and 1 other lock function, where "
        "interrupts come back: what a timer cannot see, a wait for the lock or work with interrupts off; "
        "the table does not show which lock."
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


def test_the_named_function_has_its_own_share_and_the_others_are_counted():
    table = b"    41.50%  [kernel]  [k] native_queued_spin_lock_slowpath\n"
    table += b"     2.25%  [kernel]  [k] _raw_spin_lock\n     1.25%  [kernel]  [k] _raw_spin_lock_bh\n"
    panel = spinning(read_bytes(table + b"     9.00%  [kernel]  [k] clear_page_erms\n", name="top"))
    assert panel.summary == (
        "45 % of the time spins on a lock, in native_queued_spin_lock_slowpath (41.5 %) and 2 other lock "
        "functions; the table does not show which lock."
    )


def test_one_function_in_several_processes_is_one():
    row = "    {share}%  {comm}  [kernel.kallsyms]  [k] native_queued_spin_lock_slowpath\n"
    table = row.format(share="21.50", comm="web") + row.format(share="20.50", comm="db ")
    panel = spinning(read_bytes(table.encode(), name="top"))
    assert panel.summary.startswith("42 % of the time spins on a lock (native_queued_spin_lock_slowpath)")
