"""What stands out among its peers, and what is much of its base: counts of loss beside counts of all.

outliers(measures)  ->  Commit latency of OSD osd 12 is 1.812 s; the next of 3 is 2 ms
shares(measures)    ->  RPCs sent again of NFS mount: 411,212, 4.51 % of 9,121,212
"""

from __future__ import annotations

import statistics
from itertools import takewhile
from typing import TYPE_CHECKING

from ingest.engines.quantities.meanings import normal_form
from signatures.language.number_format import cpu_words, value_words
from signatures.overview.quantities.limits import Beyond
from signatures.overview.quantities.trends import LIMITS, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.measures import Measure


CPU_USE = ("CPU use", "process")
MANY_CPUS = 2.0

_LEAST = {
    "count": LIMITS["alone_count"],
    "share": LIMITS["least_outlier_share"],
    "seconds": LIMITS["least_outlier_seconds"],
}
"""By unit, what a value is at least that stands out: of smaller ones all are small."""

_TOTALS = frozenset({"-", "/", "all", "total", "sum", "overall"})


def outliers(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield of each quantity that is bad when high the subject that is far above all others."""
    groups: dict[tuple[str, str, str], list[Measure]] = {}
    for one in measures:
        if is_total(one):
            continue
        if one.subject and one.meaning is not None and one.meaning.bad == "high" and not one.meaning.flags:
            groups.setdefault((one.label, one.unit, one.table[0]), []).append(one)
    for peers in groups.values():
        if len(peers) < LIMITS["fewest_peers"]:
            continue
        first, second, *_ = sorted(peers, key=_last, reverse=True)
        if first.meaning and not set(first.meaning.usual).isdisjoint(first.subject.replace(",", " ").split()):
            continue
        if _last(first) < _LEAST.get(first.unit, 0.0):
            continue
        if _last(second) <= 0:
            if (alone := _alone(first, len(peers))) is not None:
                yield alone
            continue
        typical = statistics.median(_last(one) for one in peers if one is not first)
        few = len(peers) < LIMITS["many_peers"]
        factor = LIMITS["far_above_few" if few else "far_above"]
        if _last(first) < factor * max(typical, _last(second) / 2):
            continue
        text = (
            f"{first.name} {first.verb} {words_of(_last(first), first.unit)}; the next of {len(peers):,} "
            f"{second.verb} {words_of(_last(second), second.unit)}"
        )
        yield Beyond(first, text, _last(first), False, "notable")


def _alone(first: Measure, count: int) -> Beyond | None:
    """Return that one of several has what all others have none of, if it is much."""
    least = LIMITS["alone_share"] if first.unit == "share" else LIMITS["alone_count"]
    if first.unit not in {"share", "count"} or _last(first) < least:
        return None
    text = (
        f"{first.name} {first.verb} {words_of(_last(first), first.unit)}, and 0 at the {count - 1:,} others"
    )
    return Beyond(first, text, _last(first), False, "notable")


def shares(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield counts that are a thousandth or more of their base, the largest share of each quantity."""
    best: dict[str, tuple[float, Beyond]] = {}
    for one in measures:
        base = _base(one, measures) if one.meaning is not None and one.meaning.base else None
        if base is None or one.meaning is None or _last(base) <= 0:
            continue
        share = _last(one) / _last(base)
        if not LIMITS["least_share_of_base"] <= share <= 1:
            continue
        text = (
            f"{one.name} ({one.label}): {words_of(_last(one), one.unit)}, {value_words(share, 'share')} of "
            f"{words_of(_last(base), base.unit)} ({base.label})"
        )
        if share > best.get(one.meaning.quantity, (0.0, None))[0]:
            best[one.meaning.quantity] = (share, Beyond(one, text, _last(one), False, "notable"))
    yield from (found for _, found in best.values())


def busiest(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield the process that uses the most CPU, if it is half of one or more."""
    own = [
        one
        for one in measures
        if one.meaning is not None and (one.meaning.quantity, one.meaning.of) == CPU_USE and one.subject
    ]
    first = max(own, key=_last, default=None)
    if first is not None and _last(first) >= LIMITS["busy_process"]:
        used = (
            cpu_words(_last(first))
            if _last(first) >= MANY_CPUS
            else f"{words_of(_last(first), 'share')} of one"
        )
        yield Beyond(first, f"{first.subject} uses the most CPU: {used}", _last(first), False, "notable")


def largest_parts(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield the part that is much of a whole: the function in which most of the time is."""
    groups: dict[str, list[Measure]] = {}
    for one in measures:
        if one.meaning is not None and one.meaning.is_part and one.unit == "share" and one.subject:
            groups.setdefault(one.meaning.quantity, []).append(one)
    for quantity, same in groups.items():
        first = max(same, key=_last)
        if LIMITS["most_part"] <= _last(first) <= 1:
            whole = quantity.removeprefix("share of ")
            text = f"{words_of(_last(first), 'share')} of {whole} are in {first.subject}"
            yield Beyond(first, text, _last(first), False, "notable")


def since_start(measures: Sequence[Measure]) -> Iterator[Beyond]:
    """Yield counters of loss above 0 of which one look is there: whether they still grow is not known."""
    best: dict[str, Measure] = {}
    for one in measures:
        if one.meaning is None or one.meaning.bad != "change" or one.meaning.base or one.unit != "count":
            continue
        if len(one.values) == 1 and _last(one) > 0:
            known = best.get(one.meaning.quantity)
            best[one.meaning.quantity] = max((known or one, one), key=_last)
    for one in sorted(best.values(), key=_last, reverse=True)[: int(LIMITS["shown"])]:
        text = f"{one.name}: {words_of(_last(one), one.unit)} since it began to count"
        yield Beyond(one, text, _last(one), False, "since boot")


def is_total(measure: Measure) -> bool:
    """Return whether a row is of all others together."""
    return bool(_TOTALS.intersection(measure.subject.lower().rstrip(":").split()))


def _last(measure: Measure) -> float:
    return float(measure.values[-1])


def _base(one: Measure, measures: Sequence[Measure]) -> Measure | None:
    """Return the base of the same table and subject whose name begins most alike: `rxq0 rx pkts`."""
    wanted = one.meaning.base if one.meaning else ""
    found = [
        other
        for other in measures
        if other.meaning is not None
        and other.meaning.quantity == wanted
        and (other.subject, other.table) == (one.subject, one.table)
    ]
    return max(found, key=lambda other: _words_alike(other.label, one.label), default=None)


def _words_alike(one: str, other: str) -> int:
    """Return how many words both begin with."""
    pairs = zip(normal_form(one).split(), normal_form(other).split(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
