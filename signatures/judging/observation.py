"""Match results: state, numbers, entity and citations of one condition on one reading."""

from __future__ import annotations

import enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from signatures.language import units
from signatures.language.expression import MissingError, SingleReadingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from signatures.language.conditions import Bound
    from signatures.language.expression import UndefinedError


WHOLE = "*"
"""Entity of a match result for all processes of a host together."""

MAX_EXEMPLARS = 5
MAX_NODES = 20_000


class State(enum.Enum):
    """Three-valued logic, plus NOT_OBSERVABLE: this kernel cannot show it."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"
    NOT_OBSERVABLE = "NOT_OBSERVABLE"


class Reason(enum.StrEnum):
    """Why a state is UNKNOWN."""

    ABSENT = "absent"
    UNPARSABLE = "unparsable"
    TOO_FEW = "too few samples"
    LOW_QUALITY = "low quality"
    OUTSIDE_WINDOW = "outside window"
    FILTERED = "filtered"
    EXCERPT = "excerpt"
    IDLE = "too small a share of all CPU time"
    ONE_READING = "one reading"
    NO_VALUE = "no value"


class Cited(NamedTuple):
    """Lines of the evidence, and nodes of a profile where the pattern completes.

    Attributes:
        first_line: First line, 1-based.
        last_line: Last line, included.
        profile: Index into the reading's profiles, or None.
        nodes: Indices into the profile's nodes; everything below them belongs.
    """

    first_line: int
    last_line: int
    profile: int | None = None
    nodes: tuple[int, ...] = ()


class MatchResult(NamedTuple):
    """Result of one condition on one reading.

    Attributes:
        reason: Reason when not TRUE: a `Reason`, optionally with `: detail`.
        observed: The value, or None.
        threshold: The value it is compared with.
        distance: 0 when met, else the distance relative to the threshold.
        strength: 0.5 at the threshold to 1 at `strong`; 0 unless TRUE.
        is_seen: Presence without weight: full in the score, half in the confidence.
        process: Pid, "" when the reading names none, `*` for all processes together.
        cgroup: Path, "" when the reading names none.
        caps: Reasons why this reading alone is too weak for a match.
        remarks: Quality remarks that do not prevent a match.
        confidence_cap: Maximum confidence from this match result alone.
        is_half_there: Some, but not all, of the facts it needs are in the evidence.
        note: Remark to show beside the value.
        samples: Number of samples measured, 0 when the value is not a share of samples.
        threads: Threads that show it, for conditions on distinct threads: sorted; pooled over readings.
        stacks: Number of stacks or samples that show it, for presence alone; those of one thread are one.
        cpu_share: What it takes of all CPU time, idle time included; None where that is not known.
        cpus: Number of CPUs that `cpu_share` is of, 0 where the recording states none.
    """

    state: State
    reason: str = ""
    observed: float | str | None = None
    threshold: float | str | None = None
    unit: str = ""
    distance: float | None = None
    strength: float = 0.0
    is_seen: bool = False
    process: str = ""
    cgroup: str = ""
    caps: tuple[str, ...] = ()
    confidence_cap: float = 1.0
    cap_title: str = ""
    is_half_there: bool = False
    remarks: tuple[str, ...] = ()
    note: str = ""
    samples: float = 0.0
    threads: tuple[str, ...] = ()
    stacks: float = 0.0
    cpu_share: float | None = None
    cpus: int = 0
    citations: tuple[Cited, ...] = ()


class Observation(NamedTuple):
    """A match result with its evidence; facts may come from several pieces."""

    match_result: MatchResult
    evidences: tuple[str, ...]
    host: str = ""
    boot: str = ""
    section: int = 0
    citations: tuple[tuple[str, int, Cited], ...] = ()


def undefined(problem: UndefinedError, **more: Any) -> MatchResult:
    """Return an UNKNOWN match result of an expression without a value."""
    if isinstance(problem, MissingError):
        return unknown(Reason.ABSENT, str(problem), **more)
    is_single = isinstance(problem, SingleReadingError)
    return unknown(Reason.ONE_READING if is_single else Reason.NO_VALUE, str(problem), **more)


def unknown(reason: Reason, detail: str = "", **more: Any) -> MatchResult:
    """Return an UNKNOWN match result with its reason."""
    text = f"{reason}: {detail}" if detail else str(reason)
    return MatchResult(State.UNKNOWN, text, **more)


class Comparison(NamedTuple):
    """Result of comparing a number with a bound."""

    is_met: bool
    threshold: float | None
    distance: float
    strength: float


class _Limits(NamedTuple):
    """The numbers of a bound in one unit, None where it has none."""

    equals: float | None
    low: float | None
    strong: float | None
    below: float | None
    at_most: float | None


@lru_cache(maxsize=4096)
def _limits(bound: Bound, unit: str) -> _Limits:
    """Return a bound in `unit`; cached, as one bound is compared with a number of each process."""
    return _Limits(
        *(
            None if quantity is None else units.in_unit(quantity, unit)
            for quantity in (bound.equals, bound.at_least, bound.strong, bound.below, bound.at_most)
        )
    )


def compare_number(value: float, bound: Bound, unit: str = "") -> Comparison:
    """Compare `value`, a number in `unit`, with `bound`."""
    goal, low, strong, below, at_most = _limits(bound, unit)
    if goal is not None:
        return Comparison(value == goal, goal, abs(value - goal) / max(abs(goal), 1.0), 1.0)
    strength = 1.0
    worst = Comparison(True, None, 0.0, 1.0)
    if low is not None:
        if strong is not None and low <= value < strong:
            strength = 0.5 + 0.5 * (value - low) / (strong - low)
        worst = Comparison(value >= low, low, max(0.0, low - value) / (abs(low) or 1.0), strength)
    for high, is_strict in ((below, True), (at_most, False)):
        if high is None:
            continue
        upper = Comparison(
            value < high if is_strict else value <= high,
            high,
            max(0.0, value - high) / (abs(high) or 1.0),
            strength,
        )
        if worst.threshold is None or (worst.is_met and not upper.is_met):
            worst = upper
    return worst if worst.is_met else worst._replace(strength=0.0)


def meets(values: NDArray[np.float64], bound: Bound, unit: str = "") -> NDArray[np.bool_]:
    """Return which of `values`, numbers in `unit`, are within `bound`; NaN is not."""
    goal, low, _, below, at_most = _limits(bound, unit)
    met: NDArray[np.bool_] = ~np.isnan(values)
    if goal is not None:
        met &= values == goal
    for limit, is_within in ((low, np.greater_equal), (below, np.less), (at_most, np.less_equal)):
        if limit is not None:
            met &= is_within(values, limit)
    return met


def number_result(value: float, bound: Bound, unit: str = "", **more: Any) -> MatchResult:
    """Return a TRUE or FALSE match result for `value` compared with `bound`."""
    return compared_result(value, compare_number(value, bound, unit), unit, **more)


def compared_result(value: float, comparison: Comparison, unit: str = "", **more: Any) -> MatchResult:
    """Return a TRUE or FALSE match result for `value`, which was compared."""
    return MatchResult(
        State.TRUE if comparison.is_met else State.FALSE,
        observed=value,
        threshold=comparison.threshold,
        unit=unit,
        distance=comparison.distance,
        strength=comparison.strength,
        **more,
    )
