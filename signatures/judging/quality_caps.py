"""Quality caps and remarks: what weak readings do to match results.

A weakness that could make the tested number wrong is a cap: it prevents a match. Otherwise it is a remark.
That a frame was *seen* remains true in an excerpt, in few samples, and where other stacks are truncated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.predicates.stacks import NO_WEIGHTS
from signatures.language.conditions import SequenceCondition, StackCondition
from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from signatures.language.conditions import Condition

UNLOCK = "_raw_spin_unlock_irqrestore"


def _tests_anything(condition: Condition) -> bool:
    del condition
    return True


def _tests_stacks(condition: Condition) -> bool:
    return isinstance(condition, StackCondition | SequenceCondition)


def _tests_share(condition: Condition) -> bool:
    return isinstance(condition, StackCondition) and not condition.is_seen and not condition.is_distinct


def _tests_course(condition: Condition) -> bool:
    return isinstance(condition, SequenceCondition) or _tests_share(condition)


def _tests_callers(condition: Condition) -> bool:
    """Truncated stacks may lack callers that the condition requires or excludes."""
    return (
        isinstance(condition, StackCondition)
        and _tests_share(condition)
        and bool(condition.without or len(condition.path) > (0 if condition.leaf else 1))
    )


def _tests_unlock(condition: Condition) -> bool:
    """Skid charges only locks taken with interrupts off to their unlock; other leaves are unaffected."""
    return (
        isinstance(condition, StackCondition) and _tests_share(condition) and is_any(UNLOCK, condition.leaf)
    )


_CAPS: dict[str, tuple[str, Callable[[Condition], bool]]] = {
    "user_only": ("user stacks only: no kernel frames by construction", _tests_stacks),
    "lost_events": ("events were lost while recording", _tests_stacks),
    "no_weights": (NO_WEIGHTS, _tests_stacks),
    "excerpt": ("excerpt: omitted parts have no share", _tests_share),
    "filtered": ("filtered by its command line: shares are of the remaining lines", _tests_share),
    "few_samples": ("few samples: shares are coarse", _tests_share),
    "unknown_frames": ("unresolved symbols: shares by name are incomplete", _tests_share),
    "truncated_stacks": ("truncated stacks: callers are missing", _tests_callers),
    "too_short": ("recorded for less than a second", _tests_course),
    "skid": ("cpu-clock sampling: time with interrupts off is charged to the unlock", _tests_unlock),
    "mixed_hosts": ("lines of several hosts in one file", _tests_anything),
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
}


def caps(condition: Condition, quality_names: Iterable[str]) -> Iterator[str]:
    """Yield the reasons why a reading of this quality alone is too weak for a match on `condition`."""
    for name in sorted(quality_names):
        if name in _CAPS and _CAPS[name][1](condition):
            yield _CAPS[name][0]


def remarks(condition: Condition, quality_names: Iterable[str]) -> Iterator[str]:
    """Yield the quality remarks that do not prevent a match."""
    for name in sorted(quality_names):
        if name in _REMARKS and not (name in _CAPS and _CAPS[name][1](condition)):
            yield _REMARKS[name]
