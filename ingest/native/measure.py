"""Questions to the stack tree of a profile, answered for all nodes in one pass.

With F frames and N nodes, a class of frames is a boolean array over F: `[name == "shrink_lruvec" for …]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ingest.profile import Profile

    Mask = NDArray[np.bool_]


def match_path(profile: Profile, classes: Sequence[Mask], *, first: bool = False) -> Mask:
    """Return N: the way from the root to the node holds frames of `classes` in this order.

    Other frames may lie between them. True where the last class completes and everywhere below.

    Args:
        profile: The stacks.
        classes: Boolean arrays over the frames, the outermost caller first.
        first: Only the nodes where the pattern completes for the first time.
    """
    raw = _core.match_path(*_tree(profile), [_flags(one) for one in classes], first)
    return np.frombuffer(raw, dtype=np.bool_)


def match_leaf(
    profile: Profile, leaf: Mask, called_from: Sequence[Mask] = (), within: int | None = None
) -> Mask:
    """Return N: the node's frame is in `leaf`, and `called_from` stands above it.

    Args:
        profile: The stacks.
        leaf: Boolean array over the frames.
        called_from: Boolean arrays over the frames, the nearest caller first.
        within: How many frames above the leaf the first of `called_from` may stand; 1 is its caller; None
            is anywhere. The others stand anywhere above the one before.
    """
    raw = _core.match_leaf(*_tree(profile), _flags(leaf), [_flags(one) for one in called_from], within)
    return np.frombuffer(raw, dtype=np.bool_)


def weight_by_node(profile: Profile, weight: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return N: the weight of the samples that end in each node; `weight` (S) replaces `sample_weight`."""
    weight = profile.sample_weight if weight is None else weight
    has_stack = profile.sample_node >= 0
    size = len(profile.node_parent)
    own = np.bincount(profile.sample_node[has_stack], weights=weight[has_stack], minlength=size)
    return own.astype(np.float64)


def totals(profile: Profile, node_weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return N: the weight of each node and of everything below it."""
    raw = _core.totals(_tree(profile)[0], node_weight.astype("<f8").tobytes())
    return np.frombuffer(raw, dtype="<f8")


def _tree(profile: Profile) -> tuple[bytes, bytes]:
    return profile.node_parent.astype("<i4").tobytes(), profile.node_frame.astype("<i4").tobytes()


def _flags(mask: Mask) -> bytes:
    return mask.astype(np.uint8).tobytes()
