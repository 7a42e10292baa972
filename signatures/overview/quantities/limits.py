"""What a measure is beyond: a limit that the evidence states, a normal range with a source, what can be.

beyond(measures)  ->  Wear of SSD Wear_Leveling_Count is 2: the flash is worn out (normal is 5 or more: …)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.engines.quantities.meanings import normal_form
from signatures.overview.quantities.trends import LIMITS, when, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.levels import Level
    from signatures.overview.measures import Measure

_USED = frozenset(
    {
        "current",
        "count",
        "used",
        "usage",
        "open",
        "in",
        "use",
        "allocated",
        "active",
        "inuse",
        "entries",
        "curr",
        "cur",
        "connected",
        "now",
    }
)
_STATISTICS = ("min", "mean", "avg", "average", "minimum", "stddev")
"""Beside one of these the largest value is one that was measured, and no limit."""

_MOST = frozenset({"max", "limit", "maximum", "capacity"})
_HOT = frozenset({"shutdown", "slowdown", "critical", "crit", "emergency"})
"""Of a temperature: what is done from it on. Of several limits the lowest counts."""

_KINDS = frozenset({"operating", "throttling"})
_LIMITED = frozenset({("memory use", "container")})
"""What is printed with its limit as the whole."""

MOST_SHARE = 2.0
"""A share of a capacity above it is none: the column is another one."""

_MOST_OF = re.compile(r"\bmax(?:imum)?(?=[a-z]{4})(?!imum)")

YEAR = 31_557_600.0


class Beyond(NamedTuple):
    """A sentence about a measure that is beyond something, and how bad that is."""

    measure: Measure
    words: str
    value: float
    is_alarm: bool
    level: Level
    at: int = -1
    ratio: float | None = None


def stated_limits(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield what has reached, or nearly, the limit that stands beside it."""
    named = {(one.subject, _words(one.label)): one for one in measures}
    tops_of = {
        (one.meaning.limit_of, one.subject): one
        for one in measures
        if one.meaning is not None and one.meaning.limit_of
    }
    tops: dict[tuple[str, frozenset[str]], Measure] = {}
    for (subject, words), one in named.items():
        of = words - _limiting(one) - (_KINDS if one.unit == "celsius" else frozenset())
        if not words & _limiting(one) or any((subject, of | {other}) in named for other in _STATISTICS):
            continue
        if (subject, of) not in tops or one.values[-1] < tops[subject, of].values[-1]:
            tops[subject, of] = one
    for one in measures:
        words = _words(one.label)
        top = None if words & _limiting(one) else tops.get((one.subject, words - _USED))
        if top is None and one.meaning is not None:
            top = tops_of.get((f"{one.meaning.quantity} of {one.meaning.of}", one.subject))
        limit = float(top.values[-1]) if top is not None and top.unit == one.unit else None
        is_limit = "limit" in normal_form(one.label).split() or (
            one.meaning is not None and (one.meaning.quantity, one.meaning.of) in _LIMITED
        )
        if limit is None and is_limit:
            limit = one.limit
        value = float(one.values[-1])
        if not limit or limit <= 0 or value < LIMITS["near_limit"] * limit or not np.isfinite(limit):
            continue
        is_reached = value >= limit
        name = one.label if one.meaning is None else one.name
        text = f"{name} {one.verb} {words_of(value, one.unit)} of at most {words_of(limit, one.unit)}"
        if top is not None and one.unit == "celsius":
            text += f" ({top.label})"
        yield Beyond(
            one, text, value, is_reached, "saturation" if is_reached else "notable", ratio=value / limit
        )


def _limiting(measure: Measure) -> frozenset[str]:
    """Return the words that make a name that of a limit."""
    return _MOST | _HOT if measure.unit == "celsius" else _MOST


def _words(label: str) -> frozenset[str]:
    """Return the words of a name, `maxclients` as two."""
    return frozenset(_MOST_OF.sub("max ", normal_form(label)).split())


def capacities(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield of each quantity that is a share of a capacity what is used up, or nearly; the fullest first."""
    groups: dict[str, list[Measure]] = {}
    for one in measures:
        if one.meaning is not None and one.meaning.is_capacity and one.unit == "share":
            groups.setdefault(f"{one.meaning.quantity} of {one.meaning.of}", []).append(one)
    for same in groups.values():
        first, *rest = sorted(same, key=lambda one: -one.values[-1])
        value = float(first.values[-1])
        if not LIMITS["near_limit"] <= value <= MOST_SHARE:
            continue
        full = [one for one in rest if one.values[-1] >= LIMITS["near_limit"]]
        others = ", ".join(
            f"{one.subject or one.label} {words_of(float(one.values[-1]), one.unit)}"
            for one in full[: int(LIMITS["shown"])]
        )
        more = f"; also {others}" if others else ""
        text = f"{first.name} {first.verb} {words_of(value, first.unit)}{more}"
        level: Level = "saturation" if value >= 1 else "notable"
        yield Beyond(first, text, value, value >= 1, level, ratio=value)


def above_targets(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield what is above the target that stands beside it in the same row, with since when."""
    for one in measures:
        if one.meaning is None or not one.meaning.target or not one.limit or one.limit <= 0:
            continue
        above = one.values > one.limit
        value = float(one.values[-1])
        if value < LIMITS["above_target"] * one.limit:
            continue
        first = len(above) - int(np.argmin(above[::-1])) if not above.all() else 0
        ratio = value / one.limit
        since = f"; it is above it {when(one, first, len(above) - 1)}"
        text = (
            f"{one.name} {one.verb} {words_of(value, one.unit)}, {ratio:.1f} times its target of "
            f"{words_of(one.limit, one.unit)}{since if first else ''}"
        )
        is_alarm = ratio >= LIMITS["far_above_target"]
        yield Beyond(one, text, value, is_alarm, "saturation" if is_alarm else "notable", ratio=ratio)


def normal_ranges(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield what is beyond its normal range; of the same quantity the furthest first, with the next."""
    groups: dict[tuple[str, str], list[Measure]] = {}
    for one in measures:
        if one.meaning is not None and one.meaning.normal is not None:
            groups.setdefault((one.meaning.quantity, one.meaning.of), []).append(one)
    for same in groups.values():
        normal = same[0].meaning.normal if same[0].meaning else None
        if normal is None:
            continue
        if normal.most is not None:
            beyond = sorted(
                (one for one in same if one.values[-1] > normal.most), key=lambda one: -one.values[-1]
            )
            most = f"{words_of(normal.most, same[0].unit)} or less" if normal.most else "0"
            bound = f"normal is {most}"
        else:
            least = normal.least or 0.0
            beyond = sorted(
                (one for one in same if one.values.min() <= least), key=lambda one: one.values.min()
            )
            bound = f"more than {words_of(least, same[0].unit)} is normal"
        if not beyond:
            continue
        first, *rest = beyond
        at = int(np.argmin(first.values)) if normal.most is None else len(first.values) - 1
        value = float(first.values[at])
        others = "; ".join(
            f"{one.subject or one.label} {words_of(_furthest(one), one.unit)}"
            for one in rest[: int(LIMITS["shown"])]
        )
        meant = f": {normal.words}" if normal.words else ""
        more = f"; also {others}" if others else ""
        name = first.name if first.subject else f"{first.name} ({first.label})"
        yield Beyond(
            first,
            f"{name} {first.verb} {words_of(value, first.unit)}{meant}{more} ({bound}: {normal.source})",
            value,
            True,
            "degraded",
            at,
        )


def _furthest(measure: Measure) -> float:
    """Return the lowest value of what is bad when low, else the last."""
    is_low = (
        measure.meaning is not None
        and measure.meaning.normal is not None
        and measure.meaning.normal.most is None
    )
    return float(measure.values.min() if is_low else measure.values[-1])


def flags(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield the bits of status words; those that are a fault now are an alarm."""
    for one in measures:
        if one.meaning is None or not one.meaning.flags:
            continue
        worst = max(
            range(len(one.values)), key=lambda at: (_faults(one, float(one.values[at])), one.values[at])
        )
        value = int(one.values[worst])
        stated = [flag for flag in one.meaning.flags if value >> flag.bit & 1]
        if stated:
            is_now = any(flag.is_bad for flag in stated)
            words = f"{one.name} ({one.label}) is 0x{value:x}: {', '.join(flag.words for flag in stated)}"
            yield Beyond(one, words, float(value), is_now, "degraded" if is_now else "notable", worst)


def _faults(measure: Measure, value: float) -> int:
    meaning = measure.meaning
    return sum(int(value) >> flag.bit & 1 for flag in meaning.flags if flag.is_bad) if meaning else 0


def impossible(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield times of more than a hundred years."""
    for one in measures:
        at = int(np.argmax(one.values))
        value = float(one.values[at])
        if one.unit == "seconds" and one.meaning and value > LIMITS["impossible_seconds"]:
            count = int((one.values > LIMITS["impossible_seconds"]).sum())
            words = (
                f"{one.name} ({one.label}) is {value / YEAR:,.0f} years in {count:,} of {len(one.values):,} "
                "rows, which cannot be right: the tool reads another field or subtracts wrongly"
            )
            yield Beyond(one, words, value, False, "notable", at)
