"""Index of a profile for queries on its stacks; each costs as much as its result is large.

With F frames, N nodes and S samples, a class of frames is a boolean array over F.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ingest.model.profile import Profile

    Mask = NDArray[np.bool_]
    Numbers = NDArray[np.int32]


class StackIndex:
    """The nodes of a profile by frame and depth first, its samples by the node they end in."""

    def __init__(self, profile: Profile) -> None:
        """Arrange a profile; it is not changed later."""
        self._core = _core.Index(
            profile.node_parent.astype("<i4").tobytes(),
            profile.node_frame.astype("<i4").tobytes(),
            len(profile.frames),
            profile.sample_node.astype("<i4").tobytes(),
        )

    def completes(self, leaf: Mask, callers: Sequence[Mask] = ()) -> Numbers:
        """Return the nodes, depth first, of `leaf` below `callers`: of each stack the outermost.

        Args:
            leaf: The innermost class of the path.
            callers: The classes above it, the nearest first; other frames may lie between them.
        """
        return _numbers(self._core.completes(_flags(leaf), [_flags(one) for one in callers]))

    def leaves(self, leaf: Mask, callers: Sequence[Mask] = (), within: int | None = None) -> Numbers:
        """Return all nodes, depth first, whose frame is in `leaf` below `callers`.

        Args:
            leaf: The class of the node itself.
            callers: The classes above it, the nearest first; other frames may lie between them.
            within: Maximum distance in frames from the node up to the first of `callers`; 1 is its caller;
                None is anywhere.
        """
        return _numbers(self._core.leaves(_flags(leaf), [_flags(one) for one in callers], within))

    def outside(self, nodes: Numbers, frames: Mask) -> Numbers:
        """Return those of `nodes` that are neither in `frames` nor below any of them."""
        return _numbers(self._core.outside(nodes.astype("<i4").tobytes(), _flags(frames)))

    def samples_at(self, nodes: Numbers) -> Numbers:
        """Return the samples that end in `nodes`; those of one node together, in the order of the file."""
        return _numbers(self._core.samples_of(nodes.astype("<i4").tobytes(), with_below=False))

    def samples_below(self, nodes: Numbers) -> Numbers:
        """Return the samples that end in `nodes` or anywhere below, grouped like `samples_at`."""
        return _numbers(self._core.samples_of(nodes.astype("<i4").tobytes(), with_below=True))


class Paths:
    """The paths of a profile's nodes to the root; a question costs one pass over the nodes."""

    def __init__(self, profile: Profile) -> None:
        """Take the nodes of a profile."""
        self._core = _core.Paths(
            profile.node_parent.astype("<i4").tobytes(),
            profile.node_frame.astype("<i4").tobytes(),
            len(profile.frames),
        )

    def has(self, frames: Mask) -> Mask:
        """Return N: one of `frames` (F) is between the root and the node."""
        return np.frombuffer(self._core.has(_flags(frames)), dtype=np.bool_)

    def outermost(self, frames: Mask) -> Numbers:
        """Return N: the outermost node of `frames` (F) between root and node, -1 where there is none."""
        return _numbers(self._core.outermost(_flags(frames)))


def _numbers(raw: bytes) -> Numbers:
    return np.frombuffer(raw, dtype="<i4")


def _flags(mask: Mask) -> bytes:
    return mask.astype(np.uint8).tobytes()
