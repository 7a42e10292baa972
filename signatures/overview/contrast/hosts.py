"""Compare the facts of one bad host with those of good hosts, most surprising difference first.

    contrast(bad, {"db8": …, "db9": …}) ->
    Difference("memcg.usage_share", (("cgroup", "/db"),), "share", bad=1.0, good=(0.41, 0.38), bits=5.2, …)

Surprise is in bits: the improbability of the bad value given the good ones. Numbers are compared as log
ratios, scaled by their normal spread, with a heavy (Cauchy) tail because few hosts say little about rare
values. Texts and booleans follow Laplace's rule of succession. Facts that name a machine, a moment or a
process always differ and are excluded; facts that only one side has are counted, not ranked.

Source: P.-S. Laplace, Essai philosophique sur les probabilités (1814), on the rule of succession.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ingest import fact_catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.model.facts import Fact, FactValue

Place: TypeAlias = "tuple[str, tuple[tuple[str, str], ...]]"

NAMING = ("host.", "human.", "capture.", "log.", "bpftrace.", "perf.", "trace.", "kernel.build_text")
"""Prefixes of facts that identify a machine or describe one recording."""

MOMENTARY = frozenset({"pid", "tid", "comm", "thread", "irq"})
"""Labels whose values differ on every host."""

SETTINGS = ("sysctl.", "kernel.", "mm.", "boot.", "feature.", "os.", "cgroup.controllers", "clocksource.")
LIMITS = ("limit_bytes", "high_bytes", "low_bytes", "min_bytes", "quota_us", "quota_cpus", "period_us")

EPSILON = {"share": 0.01, "seconds": 0.01, "per_second": 0.1}
"""Values below this count as zero, by unit; 1 for all other units."""

SETTING_SPREAD = 0.02
SPREAD = 0.35
COUNTER_SPREAD = 1.2
"""Normal spread of a setting, a gauge and a counter since boot among healthy hosts, as log ratios."""

SETTING_BITS = 2.0
LEAST_BITS = 1.0
OUTLIER_TOP = 10
OUTLIER_LEAST = 12.0
OUTLIER_FACTOR = 1.5
MIN_HOSTS = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact that differs.

    Attributes:
        labels: Sorted.
        bad: The value on the bad host, its last one.
        good: One value for every good host that has it.
        bits: Surprise.
        because: Reason for its rank, a phrase.
        bad_at: Index into the bad host's facts.
        good_at: First good host that has it: name, and index into its facts.
    """

    name: str
    labels: tuple[tuple[str, str], ...]
    unit: str
    bad: FactValue
    good: tuple[FactValue, ...]
    bits: float
    because: str
    bad_at: int
    good_at: tuple[str, int]


@dataclass(frozen=True, slots=True)
class Contrast:
    """All differences, and the number of facts that are alike or exist on one side only."""

    differences: tuple[Difference, ...]
    alike: int
    only_bad: int
    only_good: int


@dataclass(frozen=True, slots=True)
class Outlier:
    """The host that differs most from all others, with the bits of its most surprising facts."""

    host: str
    bits: float
    runner_up: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class _Series:
    """All values of one fact on one host, oldest first.

    Attributes:
        at: Index of the last among the facts of the host.
        spread: Standard deviation of the logarithms of its numbers.
    """

    values: tuple[FactValue, ...]
    unit: str
    at: int
    spread: float


def contrast(bad: Sequence[Fact], good: Mapping[str, Sequence[Fact]]) -> Contrast:
    """Compare the facts of one host with those of others."""
    return _contrast(_by_place(bad), {host: _by_place(facts) for host, facts in good.items()})


def _contrast(of_bad: Mapping[Place, _Series], of_good: Mapping[str, Mapping[Place, _Series]]) -> Contrast:
    shared = [place for place in of_bad if any(place in facts for facts in of_good.values())]
    everywhere = {place for facts in of_good.values() for place in facts}
    found = [_difference(place, of_bad[place], of_good) for place in shared]
    differences = [one for one in found if one is not None]
    return Contrast(
        differences=tuple(sorted(differences, key=lambda one: (-one.bits, one.name, one.labels))),
        alike=len(shared) - len(differences),
        only_bad=len(of_bad) - len(shared),
        only_good=len(everywhere - of_bad.keys()),
    )


def outlier(hosts: Mapping[str, Sequence[Fact]]) -> Outlier | None:
    """Return the outlier among at least three hosts; None when there is none."""
    if len(hosts) < MIN_HOSTS:
        return None
    ranked = []
    by_host = {host: _by_place(facts) for host, facts in hosts.items()}
    for host, facts in by_host.items():
        others = {name: own for name, own in by_host.items() if name != host}
        top = _contrast(facts, others).differences[:OUTLIER_TOP]
        ranked.append((sum(one.bits for one in top), host, top))
    (bits, host, top), (runner_up, _, _) = sorted(ranked, key=lambda row: (-row[0], row[1]))[:2]
    if bits < OUTLIER_LEAST or bits < OUTLIER_FACTOR * runner_up:
        return None
    return Outlier(host, bits, runner_up, top)


def _by_place(facts: Iterable[Fact]) -> dict[Place, _Series]:
    values: dict[Place, list[FactValue]] = {}
    last: dict[Place, tuple[str, int]] = {}
    for at, fact in enumerate(facts):
        if fact.name.startswith(NAMING) or MOMENTARY.intersection(fact.labels):
            continue
        place = (fact.name, tuple(sorted(fact.labels.items())))
        values.setdefault(place, []).append(fact.value)
        last[place] = (fact.unit, at)
    return {
        place: _Series(tuple(series), *last[place], _spread(series, last[place][0]))
        for place, series in values.items()
    }


def _difference(
    place: Place, bad: _Series, of_good: Mapping[str, Mapping[Place, _Series]]
) -> Difference | None:
    stated = {host: facts[place] for host, facts in of_good.items() if place in facts}
    value = bad.values[-1]
    good = tuple(series.values[-1] for series in stated.values())
    numbers = _numbers(good)
    if isinstance(value, float) and not isinstance(value, bool) and numbers:
        surprise = _of_number(place[0], bad, [*stated.values()], numbers)
    else:
        surprise = _of_word(place[0], value, good)
    if surprise is None or surprise[0] < LEAST_BITS:
        return None
    first = next(iter(stated))
    return Difference(
        place[0],
        place[1],
        bad.unit,
        value,
        good,
        round(surprise[0], 2),
        surprise[1],
        bad.at,
        (first, stated[first].at),
    )


def _numbers(values: Sequence[FactValue]) -> list[float]:
    """Return `values` when all of them are finite numbers, else []."""
    numbers = [value for value in values if isinstance(value, float) and math.isfinite(value)]
    return numbers if len(numbers) == len(values) else []


def _of_number(
    name: str, bad: _Series, stated: Sequence[_Series], good: Sequence[float]
) -> tuple[float, str] | None:
    """Return the surprise of a number in bits with its reason; None when it is as expected."""
    value = bad.values[-1]
    if not isinstance(value, float) or not math.isfinite(value):
        return _of_word(name, value, good)
    epsilon = EPSILON.get(bad.unit, 1.0)
    logs = [_log(one, epsilon) for one in good]
    from statistics import fmean  # noqa: PLC0415 - slow to import, and only several hosts are compared

    distance = abs(_log(value, epsilon) - fmean(logs))
    kind, spread = _kind(name)
    within = max(series.spread for series in (bad, *stated))
    among = _deviation(logs)
    width = max(spread, within, among)
    if distance == 0.0 or not width:
        return None
    improbable = 1.0 - 2.0 / math.pi * math.atan(distance / width)
    bits = -math.log2(max(improbable, 1e-12)) + (SETTING_BITS if kind == "setting" else 0.0)
    from statistics import median  # noqa: PLC0415 - as above

    return bits, _ratio_words(value, median(good), kind, epsilon)


def _spread(values: Sequence[FactValue], unit: str) -> float:
    """Return the spread of the snapshots of one host."""
    epsilon = EPSILON.get(unit, 1.0)
    return _deviation([_log(value, epsilon) for value in values if isinstance(value, float)])


def _deviation(numbers: Sequence[float]) -> float:
    """Return the standard deviation; that of `statistics`, which is exact, takes 30 times as long."""
    if len(numbers) < 2:
        return 0.0
    from statistics import fmean  # noqa: PLC0415 - as above

    mean = fmean(numbers)
    return math.sqrt(fmean((number - mean) ** 2 for number in numbers))


def _log(value: float, epsilon: float) -> float:
    return math.copysign(math.log1p(abs(value) / epsilon), value)


def _kind(name: str) -> tuple[str, float]:
    """Return the kind of a number and its normal spread among healthy hosts."""
    if name.startswith(SETTINGS) or name.endswith(LIMITS):
        return "setting", SETTING_SPREAD
    entry = fact_catalogue.find(name)
    is_counter = entry is not None and ("since boot" in entry.meaning or "counter" in entry.meaning)
    return ("counter", COUNTER_SPREAD) if is_counter else ("gauge", SPREAD)


def _ratio_words(value: float, usual: float, kind: str, epsilon: float) -> str:
    since = ", counted since boot" if kind == "counter" else ""
    if abs(usual) < epsilon:
        return f"none elsewhere{since}"
    if abs(value) < epsilon:
        return f"none here{since}"
    ratio = value / usual
    if ratio <= 0:
        return f"of the other sign{since}"
    times = ratio if ratio >= 1 else 1 / ratio
    more = "more" if ratio >= 1 else "less"
    words = f"{times:,.0f} times" if times >= 10 else f"{times:.1f} times" if times >= 1.1 else "slightly"
    return f"{words} {more}{since}"


def _of_word(name: str, value: FactValue, good: Sequence[FactValue]) -> tuple[float, str] | None:
    """Return the surprise of a text, a boolean or an infinite number."""
    same = sum(one == value for one in good)
    if same == len(good):
        return None
    bits = -math.log2((same + 1) / (len(good) + 2))
    is_setting = name.startswith(SETTINGS)
    agree = len({str(one) for one in good}) == 1 and len(good) > 1
    return bits + (SETTING_BITS if is_setting else 0.0), "all others agree" if agree else "another value"
