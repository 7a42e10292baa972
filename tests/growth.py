"""Growth of the CPU time of a function with its input size."""

from __future__ import annotations

import gc
import time
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (4_000, 8_000, 16_000)
RATIO = 2.5
ROUNDS = 3

SCREENED = (60, 1000)
"""Characters at which everything is tried before it is measured."""

FOURFOLD = 5.5
"""What takes fewer times as long for four times the characters is linear; quadratic time takes 16 times."""

SIXTEENFOLD = 48
"""What takes fewer times as long for 16 times the objects is linear; quadratic time takes 256 times.

More objects miss the caches of the processor more often: 23 times as long was measured, idle.
"""

SHORTEST_TIME = 0.0002
"""Seconds of CPU: what takes less for the screened characters does not grow.

A quadratic walk over 1,000 characters is 500,000 steps of at least a nanosecond each.
"""

CONFIRMED = 4
"""Measurements that must all show growth: a machine that others use slows down for seconds at a time."""

EQUAL = 4
"""Short runs that take about as long as the one they are compared with."""

CERTAIN = 0.05
"""Seconds of a run that need no second one: what disturbs is short."""

LONG = 0.004
"""Seconds for the screened characters above which smaller sizes than `SIZES` are measured."""


def seconds(*runs: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Return the CPU seconds of the fastest of `rounds` runs of each, without garbage collection.

    They run in turn, so that a machine whose speed changes from one moment to the next meets all alike.
    """
    best = [float("inf")] * len(runs)
    collects = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for at, run in enumerate(runs):
                if CERTAIN < best[at] < float("inf"):
                    continue
                started = time.thread_time()
                run()
                best[at] = min(best[at], time.thread_time() - started)
    finally:
        if collects:
            gc.enable()
    return best


def is_linear(once: Callable[[], object], more: Callable[[], object], limit: float = FOURFOLD) -> bool:
    """Return whether `more` takes less than `limit` times as long as `once` does.

    It is measured until it does, `CONFIRMED` times at most, since a busy machine disturbs. After the first
    time `once` is run `EQUAL` times in a row: a short run alone meets a quiet moment that no long run meets.
    """
    for attempt in range(CONFIRMED):
        times = EQUAL if attempt else 1
        short, long = seconds(lambda times=times: [once() for _ in range(times)], more)
        if long < short / times * limit:
            return True
    return False


def grows(
    made: Callable[[int], Callable[[], object]],
    shortest: float = SHORTEST_TIME,
    screened: tuple[int, ...] = SCREENED,
) -> str:
    """Return how the time grows when every doubling of the size takes more than `RATIO` times as long, or "".

    Args:
        made: Returns, for a number of characters, the call that is measured.
        shortest: Seconds for the screened characters below which it is not measured.
        screened: Characters at which it is tried first.
    """
    for size in screened:
        run = made(size)
        (taken,) = seconds(run, rounds=1)
        if taken >= shortest:
            taken = min(taken, *seconds(run))
        if taken > LONG:
            if is_linear(made(size // 4), made(size)):
                return ""
            return _measured(made, (size // 4, size // 2, size))
    if taken < shortest or is_linear(made(screened[-1]), made(screened[-1] * 4)):
        return ""
    return _measured(made, SIZES)


def _measured(made: Callable[[int], Callable[[], object]], sizes: tuple[int, ...]) -> str:
    """Return what `grows` does; what grows is measured `CONFIRMED` times, since a busy machine disturbs."""
    report = ""
    for _ in range(CONFIRMED):
        took = seconds(*(made(size) for size in sizes))
        if any(after < before * RATIO for before, after in pairwise(took)):
            return ""
        report = ", ".join(f"{size}: {one * 1000:.1f} ms" for size, one in zip(sizes, took, strict=True))
    return report
