"""CPU time of a few statements."""

from __future__ import annotations

import gc
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class CpuTime:
    """The CPU time that the statements of a `with` block took."""

    seconds = 0.0


@contextmanager
def cpu_time() -> Iterator[CpuTime]:
    """Measure the block; its seconds are known after it.

    Garbage is not collected meanwhile: a full collection walks everything that the tests before have left
    in the process, half a second of it at times, and says nothing of the code that is measured.
    """
    taken = CpuTime()
    collects = gc.isenabled()
    gc.disable()
    started = time.process_time()
    try:
        yield taken
    finally:
        taken.seconds = time.process_time() - started
        if collects:
            gc.enable()
