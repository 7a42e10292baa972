"""Index of a profile for queries on its stacks; each costs as much as its result is large.

With F frames, N nodes and S samples, a class of frames is a boolean array over F.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

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
            _column(profile.node_parent),
            _column(profile.node_frame),
            len(profile.frames),
            _column(profile.sample_node),
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

    def has(self, frames: Mask) -> Mask:
        """Return N: one of `frames` (F) is between the root and the node."""
        return np.frombuffer(self._core.has(_flags(frames)), dtype=np.bool_)

    def sampled(self, nodes: Numbers) -> Numbers:
        """Return those of `nodes` that samples end in."""
        return _numbers(self._core.sampled(nodes.astype("<i4").tobytes()))

    def samples_at(self, nodes: Numbers) -> Numbers:
        """Return the samples that end in `nodes`; those of one node together, in the order of the file."""
        return _numbers(self._core.samples_of(nodes.astype("<i4").tobytes(), with_below=False))

    def samples_below(self, nodes: Numbers) -> Numbers:
        """Return the samples that end in `nodes` or anywhere below, grouped like `samples_at`."""
        return _numbers(self._core.samples_of(nodes.astype("<i4").tobytes(), with_below=True))


class Pattern(NamedTuple):
    """Nodes of a pattern in an index, depth first.

    Attributes:
        nodes: Where it completes.
        with_below: Samples below the nodes match as well.
        without: Nodes of which nothing matches, and nothing below them; none is below another.
    """

    nodes: Numbers
    with_below: bool
    without: Numbers

    def columns(self) -> tuple[bytes, bool, bytes]:
        """Return the nodes as the core takes them."""
        return self.nodes.astype("<i4").tobytes(), self.with_below, self.without.astype("<i4").tobytes()


class Measured(NamedTuple):
    """What samples of a pattern weigh.

    Attributes:
        weight: Weight of all.
        by_process: P: weight of each process.
        places: Processes that have any.
        heaviest: At most five nodes with most weight, each with its first sample; of equal ones the smallest.
    """

    weight: float
    by_process: Sequence[float]
    places: frozenset[int]
    heaviest: Sequence[tuple[int, int]]


class WeighedSamples:
    """The samples of an index with their weight and process, for patterns and populations.

    A population is selected by `members`; a measurement costs one pass over the samples of the pattern.
    """

    def __init__(
        self,
        index: StackIndex,
        profile: Profile,
        weight: NDArray[np.float64],
        process_of_thread: NDArray[np.integer],
        processes: int,
    ) -> None:
        """Take the weights (S), and the process of each thread, -1 for none."""
        self._core = _core.Samples(
            index._core,  # noqa: SLF001 - both are of the core
            _column(profile.sample_node),
            np.ascontiguousarray(weight, dtype=np.float64),
            _column(profile.sample_thread),
            _column(process_of_thread),
            processes,
        )

    def members(self, mask: Mask) -> bytes:
        """Return some samples (S) as a population."""
        return self._core.members(_flags(mask))

    def measure(self, pattern: Pattern, members: bytes) -> Measured:
        """Weigh the samples of a pattern in a population."""
        weight, by_process, is_there, heaviest = self._core.measure(*pattern.columns(), members)
        places = np.flatnonzero(np.frombuffer(is_there, dtype=np.uint8)).tolist()
        return Measured(weight, _weights(by_process).tolist(), frozenset(places), heaviest)

    def heaviest(self, pattern: Pattern, members: bytes) -> Sequence[Sequence[tuple[int, int]]]:
        """Return P: the heaviest nodes of each process."""
        return self._core.heaviest(*pattern.columns(), members)


class Below(NamedTuple):
    """Weight of the nodes of and below a class of frames, and the heaviest of these."""

    weight: float
    heaviest: Numbers


class Entries(NamedTuple):
    """Where stacks enter a class of frames.

    Attributes:
        frames: N: frame of the outermost node of the class between the root and the node, -1 for none.
        weight: F: weight below the frame as such an entry.
        busy_weight: F: the same without nodes that rest.
    """

    frames: Numbers
    weight: NDArray[np.float64]
    busy_weight: NDArray[np.float64]


class Paths:
    """The paths of a profile's nodes to the root; a question costs one pass over the nodes."""

    def __init__(self, profile: Profile, node_weight: NDArray[np.float64]) -> None:
        """Take the nodes of a profile and their weight (N)."""
        self._core = _core.Paths(
            _column(profile.node_parent),
            _column(profile.node_frame),
            len(profile.frames),
            np.ascontiguousarray(node_weight, dtype=np.float64),
        )

    def below(self, classes: Sequence[Mask]) -> list[Below]:
        """Return what is of and below each of at most eight classes of frames (F)."""
        bits = np.zeros(max(map(len, classes), default=0), dtype=np.uint8)
        for bit, frames in enumerate(classes):
            bits |= frames.astype(np.uint8) << np.uint8(bit)
        weights, heaviest = self._core.below(bits.tobytes())
        by_class = zip(_weights(weights).tolist(), _listed(heaviest), strict=True)
        return [Below(weight, nodes[nodes >= 0]) for weight, nodes in islice(by_class, len(classes))]

    def heaviest(self) -> Numbers:
        """Return F × 3: the heaviest nodes of each frame, of equal ones the first; -1 for none."""
        return _listed(self._core.heaviest())

    def entries(self, frames: Mask, resting: Mask) -> Entries:
        """Return where stacks enter a class of frames (F); nodes of `resting` (F) rest."""
        entered, weight, busy = self._core.entries(_flags(frames), _flags(resting))
        return Entries(_numbers(entered), _weights(weight), _weights(busy))

    def has(self, frames: Mask) -> Mask:
        """Return N: one of `frames` (F) is between the root and the node."""
        return np.frombuffer(self._core.has(_flags(frames)), dtype=np.bool_)

    def outermost(self, frames: Mask) -> Numbers:
        """Return N: the outermost node of `frames` (F) between root and node, -1 where there is none."""
        return _numbers(self._core.outermost(_flags(frames)))


def _column(numbers: NDArray[np.integer]) -> Numbers:
    return np.ascontiguousarray(numbers, dtype=np.int32)


def _listed(raw: bytes) -> Numbers:
    return _numbers(raw).reshape(-1, 3)


def _weights(raw: bytes) -> NDArray[np.float64]:
    return np.frombuffer(raw, dtype="<f8")


def _numbers(raw: bytes) -> Numbers:
    return np.frombuffer(raw, dtype="<i4")


def _flags(mask: Mask) -> bytes:
    return mask.astype(np.uint8).tobytes()
