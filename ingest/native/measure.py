"""Weights of all nodes of a profile, N of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
