"""The words for spinning: an unlock does not spin.

A timer does not interrupt while interrupts are off. What waits for a lock or works in that time is counted at
the unlock that switches them on again (perf_swevent_hrtimer, kernel/events/core.c). Hardware counters that
interrupt by an NMI, as on x86, see inside: their samples at an unlock are of the release itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Mapping

UNLOCK = "_raw_spin_unlock"
"""Beginning of the names of functions that release a spin lock."""

_TIMER = re.compile(r"(?:cpu|task)-clock\b|profile:(?:hz|us|ms|s):")
_COUNTER = re.compile(
    r"(?:cpu[\w-]{0,8}/)?(?:cpu-)?(?:cycles|instructions|branches|branch-misses|cache-misses|ref-cycles)\b"
)


def is_unlock(name: str) -> bool:
    """Return whether a function releases a spin lock."""
    return name.startswith(UNLOCK)


def is_timer(event: str) -> bool:
    """Return whether the samples of an event may be those of a timer: all but hardware counters."""
    return bool(_TIMER.search(event)) or not _COUNTER.search(event)


def spin_words(
    share: float,
    of: Literal["samples", "the time"],
    *,
    function: str = "",
    at_unlock: bool,
    event: str = "",
) -> str:
    """Return the sentence of a share that spins, or that is counted at the unlock.

    `function` is the name of one, or the words of several (`functions_words`).
    """
    s = "" if of == "samples" else "s"
    start = f"{value_words(share, 'share')} of {of}"
    if not at_unlock:
        named = f", in {function}" if " " in function else f" ({function})" if function else ""
        return f"{start} spin{s} on a lock{named}"
    are = "are" if of == "samples" else "is"
    where = function or "the unlock of a spin lock"
    if not is_timer(event):
        return (
            f"{start} {are} counted at {where}, which releases a lock: no wait where counters use NMIs (x86)"
        )
    before = "what a timer cannot see, a wait for the lock or work with interrupts off"
    return f"{start} {are} counted at {where}, where interrupts come back: {before}"


def functions_words(shares: Mapping[str, float]) -> str:
    """Return the name of one, of several the largest: `a (57.7 %) and 2 other lock functions`."""
    first = max(shares, key=lambda name: shares[name])
    others = len(shares) - 1
    more = f" and {others} other lock function{'s' if others > 1 else ''}"
    return f"{first} ({value_words(shares[first], 'share')}){more}" if others else first
