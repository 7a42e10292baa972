"""Quality caps and remarks: what weak readings do to match results.

A weakness that could make the tested number wrong is a cap: it prevents a match. Otherwise it is a remark.
That a frame was *seen* remains true in an excerpt, in few samples, and where other stacks are truncated. Each
kind of condition names the weaknesses that cap it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from signatures.judging.condition_bases import ReadingCondition

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


def caps(condition: ReadingCondition, quality_names: Iterable[str]) -> Iterator[str]:
    """Yield the reasons why a reading of this quality alone is too weak for a match on `condition`."""
    for name in sorted((condition.capping_qualities | _ALWAYS).intersection(quality_names)):
        yield _CAPS[name]


def remarks(condition: ReadingCondition, quality_names: Iterable[str]) -> Iterator[str]:
    """Yield the quality remarks that do not prevent a match."""
    capping = condition.capping_qualities | _ALWAYS
    for name in sorted(quality_names):
        if name in _REMARKS and name not in capping:
            yield _REMARKS[name]
