"""Weights of all nodes of a profile, N of them."""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.native import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ingest.model.profile import Profile


def weight_by_node(profile: Profile, weight: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return N: the weight of the samples that end in each node; `weight` (S) replaces `sample_weight`."""
    weight = profile.sample_weight if weight is None else weight
    has_stack = profile.sample_node >= 0
    size = len(profile.node_parent)
    own = np.bincount(profile.sample_node[has_stack], weights=weight[has_stack], minlength=size)
    return own.astype(np.float64)


def totals(profile: Profile, node_weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return N: the weight of each node and of everything below it."""
    raw = _core.totals(profile.node_parent.astype("<i4").tobytes(), node_weight.astype("<f8").tobytes())
    return np.frombuffer(raw, dtype="<f8")


def sums(
    values: NDArray[np.float64],
    groups: NDArray[np.integer],
    count: int,
    members: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return for each of `count` groups the sum of its values, or of those of `members`; -1 is no group."""
    raw = _core.sums(
        np.ascontiguousarray(values, dtype=np.float64),
        np.ascontiguousarray(groups, dtype=np.int32),
        None if members is None else members.astype(np.uint8).tobytes(),
        count,
    )
    return np.frombuffer(raw, dtype="<f8")


class Run(NamedTuple):
    """Samples of one CPU that follow one another in one thread and place, from the first to the last."""

    first: int
    last: int
    seconds: float


def longest_runs(profile: Profile, places: NDArray[np.integer], factor: float, count: int) -> list[Run]:
    """Return the longest runs of samples with times and CPUs, longest first.

    Args:
        profile: The samples.
        places: S: where each is; -1 is nowhere, and in no run with others.
        factor: A gap of more than this many median intervals ends a run.
        count: Maximum number of runs.
    """
    if profile.sample_time is None or profile.sample_cpu is None:
        return []
    found = _core.longest_runs(
        np.ascontiguousarray(profile.sample_cpu, dtype=np.int32),
        np.ascontiguousarray(profile.sample_time, dtype=np.float64),
        np.ascontiguousarray(profile.sample_thread, dtype=np.int32),
        np.ascontiguousarray(places, dtype=np.int32),
        factor,
        count,
    )
    return list(starmap(Run, found))
