"""Growth between two recordings, and outliers among peers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from signatures.overview.model import Answer, Figure, shortened
from signatures.overview.stacks import is_unnamed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

GROWN_SHARE = 0.1
SHOWN = 8
MIN_HALVES = 400
OUTLIER_FACTOR = 3.0
MIN_PEERS = 3


def growth(evidence: ScopeEvidence) -> Answer:
    """Compare the first CPU profile with the last, or the two halves of one profile with times."""
    ordered = _recordings(evidence.profiles)
    alike = [one for one in ordered if _is_alike(one, ordered[0])]
    if len(alike) >= 2:
        before, after = alike[0], alike[-1]
        first, second = _shares(before), _shares(after)
        words = "from the first recording to the last"
        lines: tuple[Place, ...] = (before.whole, after.whole)
    elif ordered and (times := ordered[0].profile.sample_time) is not None and len(times) >= MIN_HALVES:
        stacks = ordered[0]
        is_early = np.asarray(times <= _median(stacks, times), dtype=np.bool_)
        first, second = _shares(stacks, is_early), _shares(stacks, ~is_early)
        words, lines = "from the first half of the recording to the second", (stacks.whole,)
    else:
        return Answer("No second profile to compare with.", lacks=("a recording of a healthy host or hour",))
    named = [name for name in second if not is_unnamed(name)]
    grown = sorted(((second[name] - first.get(name, 0.0), name) for name in named), reverse=True)[:SHOWN]
    is_other = len(alike) >= 2
    figures = [
        Figure(
            name,
            round(delta, 4),
            "share",
            lines,
            is_other and delta > GROWN_SHARE,
            "" if first.get(name) else "new",
        )
        for delta, name in grown
        if delta > 0.005
    ]
    if not figures:
        return Answer(f"No function grew {words}.", (Figure("largest growth", 0.0, "share", lines),))
    return Answer(f"Largest growth {words}: {figures[0].label}, +{figures[0].words}.", tuple(figures))


def _median(stacks: Stacks, times: NDArray[np.float64]) -> float:
    """Return the median of the times of samples, which are mostly in order."""
    if not stacks.is_in_time:
        return float(np.median(times))
    middle = len(times) // 2
    return float(times[middle - (len(times) % 2 == 0) : middle + 1].mean())


def _recordings(profiles: Sequence[Stacks]) -> list[Stacks]:
    """Return one profile per recording, in the order of time, where times are unknown in that of the files.

    Prints of one recording are one: as many samples, give or take one, or the same time. A profile without
    times has no place among others that have them: it may be a print of any.
    """
    timed = [one for one in profiles if one.first_time is not None] or profiles
    ordered = sorted(timed, key=lambda one: (one.first_time or 0.0, one.item.evidence, one.item.section))
    kept: list[Stacks] = []
    for stacks in ordered:
        if not any(_is_same(stacks, other) for other in kept):
            kept.append(stacks)
    return kept


def _is_alike(one: Stacks, other: Stacks) -> bool:
    """Return whether two profiles count the same: one event, printed by one tool."""
    return (one.profile.event, one.item.format) == (other.profile.event, other.item.format)


def _is_same(one: Stacks, other: Stacks) -> bool:
    """Return whether two profiles can be prints of one recording."""
    if abs(one.profile.samples - other.profile.samples) <= 1:
        return True
    times = (one.first_time, one.last_time, other.first_time, other.last_time)
    if None in times:
        return False
    first, last, other_first, other_last = (time or 0.0 for time in times)
    return first < other_last and other_first < last


def _shares(stacks: Stacks, chosen: NDArray[np.bool_] | None = None) -> Mapping[str, float]:
    """Return the share of samples per innermost function."""
    sums = stacks.weight_by_leaf(chosen)
    total = float(sums.sum())
    if not total:
        return {}
    shares: dict[str, float] = {}
    for name, weight in zip(stacks.names, sums.tolist(), strict=True):
        if weight:
            shares[name] = shares.get(name, 0.0) + weight / total
    return shares


_PEERS = (
    ("disk.util_share", ("device",), "device", 0.05),
    ("cpu.system_share", ("cpu",), "CPU", 0.02),
    ("process.cpu.total_share", ("comm", "pid"), "process", 0.02),
    ("softnet.dropped", ("cpu",), "CPU", 1.0),
    ("memcg.usage_bytes", ("cgroup",), "group", 1024.0**2),
)
"""Each fact with what names its peers, and the least median: times next to nothing is no outlier."""


def outliers(evidence: ScopeEvidence) -> Answer:
    """Return the values above three times the median of at least three peers."""
    figures = []
    for name, labels, noun, least in _PEERS:
        named = [entry for entry in evidence.facts(name) if entry.label(*labels)]
        if len({entry.label(*labels) for entry in named}) < MIN_PEERS:
            continue
        median = float(np.median([entry.number for entry in named]))
        top = max(named, key=lambda entry: entry.number)
        if median >= least and top.number > OUTLIER_FACTOR * median:
            times = top.number / median
            label = f"{noun} {top.label(*labels)}: {name}"
            figures.append(
                Figure(label, top.number, top.fact.unit, (top.place,), note=f"{times:.0f} times the median")
            )
    main = evidence.main
    if main is not None and main.profile.sample_cpu is not None:
        cpus, counts = np.unique(main.profile.sample_cpu[main.profile.sample_cpu >= 0], return_counts=True)
        if len(cpus) >= MIN_PEERS and counts.max() > OUTLIER_FACTOR * np.median(counts):
            cpu = int(cpus[counts.argmax()])
            share = float(counts.max() / counts.sum())
            figures.append(Figure(f"CPU {cpu}: samples", round(share, 4), "share", (main.whole,)))
    if not figures:
        return Answer(
            "No outliers, or too few peers to compare.",
            lacks=("pidstat 1 5; mpstat -P ALL 1 5",),
        )
    return Answer(
        f"Outlier: {figures[0].label}, {figures[0].note or 'most samples'}.", shortened(figures, SHOWN)
    )
