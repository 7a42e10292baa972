"""Quality caps and remarks: what weak readings do to match results.

A weakness that could make the tested number wrong is a cap: it prevents a match. Otherwise it is a remark.
That a frame was *seen* remains true in an excerpt, in few samples, and where other stacks are truncated. Each
kind of condition names the weaknesses that cap it.
"""

from __future__ import annotations

from functools import lru_cache

NO_WEIGHTS = "no weights: frequency unknown"
SINCE_BOOT = "the average since boot, not a look at now"

_ALWAYS = frozenset({"mixed_hosts", "since_boot"})
"""Weaknesses that cap every condition."""

_CAPS = {
    "user_only": "user stacks only: no kernel frames by construction",
    "lost_events": "events were lost while recording",
    "no_weights": NO_WEIGHTS,
    "excerpt": "excerpt: omitted parts have no share",
    "filtered": "filtered by its command line: shares are of the remaining lines",
    "few_samples": "few samples: shares are coarse",
    "unknown_frames": "unresolved symbols: shares by name are incomplete",
    "truncated_stacks": "truncated stacks: callers are missing",
    "too_short": "recorded for less than a second",
    "skid": "cpu-clock sampling: time with interrupts off is charged to the unlock",
    "mixed_hosts": "lines of several hosts in one file",
    "since_boot": SINCE_BOOT,
}
_REMARKS = {
    "skid": "cpu-clock sampling: time with interrupts off is charged to the unlock",
    "excerpt": "excerpt",
    "filtered": "filtered by its command line",
    "cut_off": "capture truncated",
    "unknown_frames": "unresolved symbols",
    "truncated_stacks": "truncated stacks",
    "few_samples": "few samples",
    "too_short": "recorded for less than a second",
    "mostly_idle": "nearly all samples are idle",
    "frequency_mode": "recorded with -F without periods: samples have unequal weights",
    "mixed_boots": "records of several boots",
    "no_header": "no header",
    "assumed_path": "path inferred from the file name",
    "assumed_unit": "unit inferred from the size of the machine",
    "no_times": "log lines without times that are known",
}


@lru_cache(maxsize=1024)
def caps(capping: frozenset[str], names: frozenset[str]) -> tuple[str, ...]:
    """Return the reasons why a reading of this quality alone is too weak for a match.

    Args:
        capping: Qualities that could make what is tested wrong.
        names: Qualities of the reading.
    """
    return tuple(_CAPS[name] for name in sorted((capping | _ALWAYS).intersection(names)))


@lru_cache(maxsize=1024)
def remarks(capping: frozenset[str], names: frozenset[str]) -> tuple[str, ...]:
    """Return the quality remarks that do not prevent a match."""
    weak = capping | _ALWAYS
    return tuple(_REMARKS[name] for name in sorted(names) if name in _REMARKS and name not in weak)
