"""Which functions weigh more in one recording than in another, and whether that is more than chance.

    limit = Limit.parse("kernel.*=+5%")
    beyond(growths(base, new), [limit], base_samples=base.total_samples, new_samples=new.total_samples)

A function is named by kind and name, `kernel.shrink_lruvec`; its share is that of the samples that pass
through it, of everything selected. A share rests on so many samples: the difference of two shares uses
Newcombe's interval for differences of proportions, from Wilson's for each, with a factor before the first
share.

Source: R. G. Newcombe, Statistics in Medicine 17 (1998), method 10; G. Y. Zou and A. Donner, ibid. 27 (2008).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingest.native.views import View

Z = 1.96
"""Of nineteen intervals in twenty that are drawn like this, the truth lies inside."""

LEAST_SHARE = 0.001
"""What passes through less of the new recording than this is never too much."""

_POINTS = re.compile(r"\+(\d+(?:\.\d+)?)%")
_TIMES = re.compile(r"x(\d+(?:\.\d+)?)")


class LimitError(ValueError):
    """A limit is malformed; the message shows the syntax."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much functions may grow.

    Attributes:
        text: As it was written.
        expression: Matches all of `kind.name`, in linear time: without look-around and back-references.
        points: Of the whole, 0..1, that the share may rise above `times` times what it was.
        times: 1 where points are given.
    """

    text: str
    expression: Pattern
    points: float
    times: float

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Understand `PATTERN=+N%`, points of the whole, or `PATTERN=xN`, times the share it had.

        Raises:
            LimitError: It is neither, or the pattern is no regular expression.
        """
        pattern, _, growth = text.rpartition("=")
        points, times = _POINTS.fullmatch(growth), _TIMES.fullmatch(growth)
        if not pattern or not (points or times):
            raise LimitError(
                f"{text!r} is no limit; write PATTERN=+5% (points of the whole) "
                "or PATTERN=x1.5 (times its share)"
            )
        try:
            expression = Pattern(pattern)
            expression.fullmatch("")
        except ValueError as error:
            raise LimitError(f"{pattern!r} is no regular expression: {error}") from None
        return cls(
            text,
            expression,
            points=float(points[1]) / 100 if points else 0.0,
            times=float(times[1]) if times else 1.0,
        )


@dataclass(frozen=True, slots=True)
class Growth:
    """What became of one function; shares are 0..1 of everything selected on each side.

    Attributes:
        kind: kernel, module, user, jit or unknown.
        base_own: Share of samples that end in it; `new_own` likewise.
        low: What the difference of the shares is at least, but for one time in forty; `high` at most.
        line: 1-based line of the new recording where it is first seen; 0 when it is not.
    """

    kind: str
    name: str
    base: float
    new: float
    base_own: float
    new_own: float
    low: float
    high: float
    line: int

    @property
    def function(self) -> str:
        """What limits match: kind and name."""
        return f"{self.kind}.{self.name}"


@dataclass(frozen=True, slots=True)
class Overgrown:
    """A function beyond a limit.

    Attributes:
        is_sure: The samples of both sides suffice to say so; otherwise it may be chance.
    """

    growth: Growth
    limit: Limit
    is_sure: bool


def growths(base: View, new: View) -> list[Growth]:
    """Return every function of either side, what grew most first."""
    ours, theirs = _shares(base), _shares(new)
    absent = _Share(0.0, 0.0, 0)
    made = []
    for key in ours.keys() | theirs.keys():
        before, after = ours.get(key, absent), theirs.get(key, absent)
        low, high = interval(before.total, base.total_samples, after.total, new.total_samples)
        made.append(Growth(*key, before.total, after.total, before.own, after.own, low, high, after.line))
    return sorted(made, key=lambda one: (one.base - one.new, one.base_own - one.new_own, one.function))


def beyond(
    found: Iterable[Growth], limits: Sequence[Limit], *, base_samples: float, new_samples: float
) -> list[Overgrown]:
    """Return what is beyond a limit, in the order of `found`; a function once, with the surest."""
    overgrown = []
    for growth in found:
        if growth.new < LEAST_SHARE:
            continue
        over = [
            Overgrown(growth, limit, is_sure=_least(growth, limit, base_samples, new_samples) > limit.points)
            for limit in limits
            if limit.expression.fullmatch(growth.function)
            and growth.new - limit.times * growth.base > limit.points
        ]
        if over:
            overgrown.append(max(over, key=lambda one: one.is_sure))
    return overgrown


def interval(
    base: float, base_samples: float, new: float, new_samples: float, *, times: float = 1.0
) -> tuple[float, float]:
    """Return between what `new - times * base` lies, both being shares of so many samples."""
    base_low, base_high = _wilson(base, base_samples)
    new_low, new_high = _wilson(new, new_samples)
    difference = new - times * base
    return (
        difference - math.hypot(new - new_low, times * (base_high - base)),
        difference + math.hypot(new_high - new, times * (base - base_low)),
    )


def _least(growth: Growth, limit: Limit, base_samples: float, new_samples: float) -> float:
    return interval(growth.base, base_samples, growth.new, new_samples, times=limit.times)[0]


def _wilson(share: float, samples: float) -> tuple[float, float]:
    share = min(1.0, max(0.0, share))
    if samples <= 0:
        return 0.0, 1.0
    spread = Z * math.sqrt(share * (1 - share) / samples + Z * Z / (4 * samples * samples))
    centre = share + Z * Z / (2 * samples)
    whole = 1 + Z * Z / samples
    return max(0.0, (centre - spread) / whole), min(1.0, (centre + spread) / whole)


class _Share(NamedTuple):
    total: float
    own: float
    line: int


def _shares(view: View) -> dict[tuple[str, str], _Share]:
    """Return by kind and name what passes through a function, what ends in it, and where it is first seen."""
    profile = view.profile
    numbers: dict[tuple[str, str], int] = {}
    of_frame = np.array(
        [numbers.setdefault((frame.kind, frame.name), len(numbers)) for frame in profile.frames],
        dtype=np.int32,
    )
    own, total, is_there = view.core.by_name(of_frame, len(numbers))
    lines = np.full(len(numbers), np.iinfo(np.int32).max, dtype=np.int32)
    np.minimum.at(lines, of_frame[profile.node_frame], profile.node_line)
    whole = view.total_weight or 1.0
    columns = zip(
        numbers,
        np.frombuffer(total, dtype="<f8"),
        np.frombuffer(own, dtype="<f8"),
        np.frombuffer(is_there, dtype=np.bool_),
        lines,
        strict=True,
    )
    return {
        key: _Share(float(weight / whole), float(ends / whole), int(line))
        for key, weight, ends, there, line in columns
        if there
    }
