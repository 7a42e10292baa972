"""A share of busy time needs a share of the CPUs as well: an idle host has busy samples, and no incident.

Of 20,000 samples of 8 CPUs that are 98 % idle, 240 in one function are 60 % of the busy ones, and a tenth of
a CPU. Where the recording shows idle time such a share is undecided, unless it is large for a second, or the
only group with a quota may use no more than that. A recording without idle samples (one process, a hardware
event, a filtered print) does not show what all CPU time is: there the share decides alone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.judging.observation import Reason, State, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observation import MatchResult, Observation
    from signatures.judging.profile_index import Tree

LEAST = 0.05
"""Default share of the CPUs, or of the quota, that matching stacks need."""

ONE_CPU = 0.9
"""CPUs that are enough on a host of any size."""

MOST_CPUS = 1e6
"""No host has as many."""

PEAK = 0.15
"""Share of the CPUs that is enough when it lasts for a second."""

_FEW = 50
"""Samples of a second from which on its share counts."""


def cpu_share(tree: Tree, weight: float, samples: Callable[[], NDArray[np.int32]]) -> float | None:
    """Return what samples of a weight take of all CPU time, and what they may take in their busiest second.

    None where the recording shows no idle time. A second counts from `PEAK` on; threads cannot use more CPUs
    than there are threads.
    """
    if not tree.idle_weight > 0:
        return None
    share = weight / tree.whole_weight
    if share >= LEAST or tree.profile.sample_time is None or not len(found := samples()):
        return share
    return max(share, *(_peak(tree, found, _seconds(tree, shift)) for shift in (0.0, 0.5)))


class _Seconds(NamedTuple):
    """The seconds of a recording.

    Attributes:
        of: Returns the index of the second of each of some samples.
        whole: Weight of the samples of each second; 0 where there are too few for a share.
    """

    of: Callable[[NDArray[np.int32]], NDArray[np.intp]]
    whole: NDArray[np.float64]


def _seconds(tree: Tree, shift: float) -> _Seconds:
    """Return the seconds of a recording, which begin `shift` seconds before its first sample."""
    return tree.cached(("seconds", shift), lambda: _divided(tree, shift))


def _divided(tree: Tree, shift: float) -> _Seconds:
    since, weight, count = tree.since_first, tree.weight, tree.profile.sample_count
    assert since is not None  # noqa: S101  # asked for recordings with times alone
    shifted = since + shift
    if tree.is_in_time and shifted[-1] <= len(shifted):
        starts = np.searchsorted(shifted, np.arange(int(shifted[-1]) + 1))
        own = np.flatnonzero(np.diff(starts, append=len(shifted)))
        whole, samples = np.zeros(len(starts)), np.zeros(len(starts))
        whole[own] = np.add.reduceat(weight, starts[own])
        samples[own] = whole[own] if weight is count else np.add.reduceat(count, starts[own])
        return _Seconds(lambda some: (since[some] + shift).astype(np.intp), _enough(whole, samples))
    of_sample = _numbered(shifted.astype(np.int64))
    weights, counts = (np.bincount(of_sample, weights=one) for one in (weight, count))
    return _Seconds(lambda some: of_sample[some], _enough(weights, counts))


def _enough(whole: NDArray[np.number], samples: NDArray[np.number]) -> NDArray[np.float64]:
    """Return the weight of each second, 0 where it has few samples."""
    return np.where((samples >= _FEW) & (whole > 0), whole.astype(np.float64), 0.0)


def _numbered(second: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return for each of `second` how many smaller ones there are."""
    if not len(second) or second.min() < 0 or second.max() > len(second):
        return np.unique(second, return_inverse=True)[1]
    number = np.cumsum(np.bincount(second) > 0) - 1
    return number[second]


def _peak(tree: Tree, samples: NDArray[np.int32], seconds: _Seconds) -> float:
    """Return the share of the busiest second when it is large, else 0."""
    second, whole = seconds.of(samples), seconds.whole
    own = np.bincount(second, weights=tree.weight[samples], minlength=len(whole))
    shares = np.divide(own, whole, out=np.zeros(len(whole)), where=whole > 0)
    busiest = int(shares.argmax())
    if shares[busiest] < PEAK:
        return 0.0
    threads = len(np.unique(tree.profile.sample_thread[samples[second == busiest]]))
    peak = min(float(shares[busiest]), threads / max(1, tree.cpus))
    return peak if peak >= PEAK else 0.0


def judged(observation: Observation, least: float, facts: ScopeFacts) -> Observation:
    """Return the observation; UNKNOWN when what it found takes neither `least` of the CPUs nor one CPU."""
    result = observation.match_result
    share = result.cpu_share
    if share is None or result.state is not State.TRUE or share >= least:
        return observation
    cpus = result.cpus or max((int(each) for each in _numbers(facts, "cpu.online")), default=0)
    used = share * cpus
    quotas = set(_numbers(facts, "cgroup.cpu.quota_cpus"))
    is_large_in_group = len(quotas) == 1 and bool(cpus) and used >= least * quotas.pop()
    if used >= ONE_CPU or is_large_in_group:
        return observation
    return observation._replace(match_result=_idle(result, share))


def _numbers(facts: ScopeFacts, name: str) -> Iterator[float]:
    """Yield the finite values of a fact, of all entities."""
    for fact in facts.texts(name):
        if isinstance(fact.value, float | int) and math.isfinite(fact.value) and 0 < fact.value < MOST_CPUS:
            yield float(fact.value)


def _idle(result: MatchResult, share: float) -> MatchResult:
    of = f" of {result.cpus} CPUs" if result.cpus else ""
    return unknown(
        Reason.IDLE,
        f"{share:.1%}{of}",
        observed=result.observed,
        threshold=result.threshold,
        unit=result.unit,
        process=result.process,
        citations=result.citations,
    )
