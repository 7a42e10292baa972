"""The words for spinning: an unlock does not spin.

A timer does not interrupt while interrupts are off. What waits for a lock or works in that time is counted at
the unlock that switches them on again (perf_swevent_hrtimer, kernel/events/core.c).
"""

from __future__ import annotations

from typing import Literal

from signatures.language.number_format import value_words

UNLOCK = "_raw_spin_unlock"
"""Beginning of the names of functions that release a spin lock."""


def is_unlock(name: str) -> bool:
    """Return whether a function releases a spin lock."""
    return name.startswith(UNLOCK)


def spin_words(
    share: float, of: Literal["samples", "the time"], *, function: str = "", at_unlock: bool
) -> str:
    """Return the sentence of a share that spins, or that is counted at the unlock."""
    s = "" if of == "samples" else "s"
    verbs = f"wait{s} for a spin lock or run{s} with interrupts off" if at_unlock else f"spin{s} on a lock"
    counted = "counted at " if at_unlock else ""
    words = f"{value_words(share, 'share')} of {of} {verbs}"
    return f"{words} ({counted}{function or 'the unlock'})" if function or at_unlock else words
