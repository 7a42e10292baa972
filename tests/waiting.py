"""Waiting for a condition, the one place where tests poll."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def until(
    is_so: Callable[[], object],
    *,
    seconds: float = 300.0,
    every: float = 0.02,
    output: Callable[[], str] = str,
) -> None:
    """Return once `is_so` returns something true.

    Args:
        is_so: The condition.
        seconds: How long to wait at most; with time to spare on a busy machine.
        every: Pause between two looks, in seconds.
        output: What to show if the condition does not come true, such as the log of a process.

    Raises:
        AssertionError: It was not so in time.
    """
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise AssertionError(f"not so within {seconds:g} s\n{output()}")
        time.sleep(every)
