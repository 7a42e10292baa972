"""Garbage collection of a process that reads evidence once and ends.

A reading is hundreds of thousands of small tuples without cycles: with the interpreter's threshold of 700 new
objects, a third of the time that a kernel log of 10 MB takes goes into looking for cycles among them.
"""

from __future__ import annotations

import gc

_THRESHOLDS = (50_000, 20, 20)


def collect_rarely() -> None:
    """Collect after every 50,000 new objects; peak memory of the same log grew by less than 1 %."""
    gc.set_threshold(*_THRESHOLDS)
