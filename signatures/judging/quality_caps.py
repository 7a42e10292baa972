"""What the quality of a reading does to what it says: it holds a match back, or is told beside the answer.

A cap stands where the weakness could make the number that was asked for untrue; elsewhere it is a remark.
That a frame was *seen* stays true in an excerpt, in few samples, and where other stacks are cut.
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


def _asks_anything(condition: Condition) -> bool:
    del condition
    return True


def _asks_stacks(condition: Condition) -> bool:
    return isinstance(condition, StackCondition | SequenceCondition)


def _asks_share(condition: Condition) -> bool:
    return isinstance(condition, StackCondition) and not condition.is_seen and not condition.is_distinct


def _asks_course(condition: Condition) -> bool:
    return isinstance(condition, SequenceCondition) or _asks_share(condition)


def _asks_callers(condition: Condition) -> bool:
    """A stack that was cut at its outer end may lack the callers that are asked for, or must not be there."""
    return (
        isinstance(condition, StackCondition)
        and _asks_share(condition)
        and bool(condition.without or len(condition.path) > (0 if condition.leaf else 1))
    )


def _asks_unlock(condition: Condition) -> bool:
    """Only locks taken with interrupts off are charged to their unlock; other leaves keep their time."""
    return isinstance(condition, StackCondition) and _asks_share(condition) and is_any(UNLOCK, condition.leaf)


_HOLDING: dict[str, tuple[str, Callable[[Condition], bool]]] = {
    "user_only": ("user stacks only: no kernel frames by construction", _asks_stacks),
    "lost_events": ("events were lost while recording", _asks_stacks),
    "no_weights": (NO_WEIGHTS, _asks_stacks),
    "excerpt": ("an excerpt: what was left out has no share", _asks_share),
    "filtered": ("its command line kept only some lines: shares are of those", _asks_share),
    "few_samples": ("few samples: shares are coarse", _asks_share),
    "unknown_frames": ("functions without a name: shares by name are incomplete", _asks_share),
    "truncated_stacks": ("some stacks are cut: their callers are missing", _asks_callers),
    "too_short": ("recorded for less than a second: a moment, not a course", _asks_course),
    "skid": ("cpu-clock sampling: time with interrupts off is charged to the unlock", _asks_unlock),
    "mixed_hosts": ("lines of several hosts in one file: together they may be of none", _asks_anything),
}
_REMARKS = {
    "skid": "cpu-clock sampling: time with interrupts off is charged to the unlock",
    "excerpt": "an excerpt",
    "filtered": "its command line kept only some lines",
    "cut_off": "the capture was cut off",
    "unknown_frames": "some frames have no name",
    "truncated_stacks": "some stacks are cut",
    "few_samples": "few samples",
    "too_short": "recorded for less than a second",
    "mostly_idle": "nearly all samples are of idle CPUs",
    "frequency_mode": "recorded with -F without periods: samples stand for unequal counts",
    "mixed_boots": "records of several boots",
    "no_header": "no header",
    "assumed_path": "the path is assumed from the file's name",
}


def caps(condition: Condition, quality_names: Iterable[str]) -> Iterator[str]:
    """Yield why a reading of this quality is alone not worth a match on `condition`."""
    for name in sorted(quality_names):
        if name in _HOLDING and _HOLDING[name][1](condition):
            yield _HOLDING[name][0]


def remarks(condition: Condition, quality_names: Iterable[str]) -> Iterator[str]:
    """Yield what weakens the reading without holding a match back."""
    for name in sorted(quality_names):
        if name in _REMARKS and not (name in _HOLDING and _HOLDING[name][1](condition)):
            yield _REMARKS[name]
