"""Derived columns of a profile, computed lazily and cached.

Each column costs a few passes over the arrays, whatever the depth: 1.4 million nodes take a fraction of a
second.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ingest.frames import is_idle_leaf, is_spin, normalise
from ingest.frames.kernel_entries import is_kernel_entry
from ingest.native import Paths, sums
from signatures.overview.model import Place, place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from ingest.model.profile import Profile
    from ingest.native.index import Below, Entries
    from signatures.judging.scope import Item

    Mask = NDArray[np.bool_]

MAX_EXEMPLARS = 3
_ADDRESS = re.compile(r"(?:0x)?[0-9a-f]{8,16}|0x[0-9a-f]+|\[unknown\]|\[\[?unknown\]?\]")


def is_unnamed(name: str) -> bool:
    """Return whether a frame is an address, or says that its function is not known."""
    return bool(_ADDRESS.fullmatch(name))


def largest(values: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Return the places of the largest values, largest first; of equal ones the first in order."""
    if len(values) <= count:
        return np.argsort(-values, kind="stable")
    least = np.partition(values, len(values) - count)[len(values) - count]
    places = np.flatnonzero(values >= least)
    return places[np.argsort(-values[places], kind="stable")[:count]]


def distinct(numbers: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return the distinct numbers that are not negative, in order; they are small."""
    positive = numbers[numbers >= 0]
    if len(positive) and int(positive.max()) > len(positive):
        return np.unique(positive).astype(np.intp)
    return np.flatnonzero(np.bincount(positive))


class Stacks:
    """One profile of one item; N nodes, F frames, S samples."""

    def __init__(self, profile: Profile, item: Item) -> None:
        """Take a profile; columns are computed on first use."""
        self.profile = profile
        self.item = item

    @cached_property
    def names(self) -> list[str]:
        """F normalised names."""
        return [normalise(frame.name) for frame in self.profile.frames]

    def frames_where(self, predicate: Callable[[str], bool]) -> Mask:
        """F: the names for which `predicate` is true."""
        return np.fromiter((predicate(name) for name in self.names), dtype=np.bool_, count=len(self.names))

    @cached_property
    def is_kernel(self) -> Mask:
        """F: frames of the kernel and its modules."""
        kinds = (frame.kind in {"kernel", "module"} for frame in self.profile.frames)
        return np.fromiter(kinds, dtype=np.bool_, count=len(self.profile.frames))

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """S: by period when every sample states one, by time off the CPU, else by samples."""
        weights = self.profile.sample_weight
        if self.profile.what == "offcpu" and self.profile.has_weights:
            return weights
        if self.profile.unit.startswith("period") and len(weights) and weights.min() > 0:
            return weights
        return self.profile.sample_count

    @cached_property
    def total(self) -> float:
        """Weight of all samples."""
        return float(self.weight.sum())

    @cached_property
    def node_weight(self) -> NDArray[np.float64]:
        """N: weight of the samples that end in the node."""
        return sums(self.weight, self.profile.sample_node, len(self.profile.node_parent))

    @cached_property
    def all_have_stacks(self) -> bool:
        """Whether no sample is without a stack."""
        return bool((self.profile.sample_node >= 0).all())

    @cached_property
    def sample_leaf(self) -> NDArray[np.int32]:
        """S: the innermost frame, -1 without a stack."""
        return self.of_samples(self.profile.node_frame)

    def of_samples(self, of_node: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return S: what `of_node` (N) has for the node where the sample ends, -1 without a stack."""
        # A sample without a stack is of the place behind the last.
        places = of_node if self.all_have_stacks else np.append(of_node, np.int32(-1))
        return places[self.profile.sample_node]

    def weight_by_leaf(self, mask: Mask | None = None) -> NDArray[np.float64]:
        """Return F: the weight of all samples, or of those of `mask`, by the innermost frame."""
        return sums(self.weight, self.sample_leaf, len(self.profile.frames), mask)

    def weight_by_thread(self, mask: Mask) -> NDArray[np.float64]:
        """Return T: the weight of the samples of `mask` by thread."""
        return sums(self.weight, self.profile.sample_thread, len(self.profile.threads), mask)

    @cached_property
    def busy_weight_by_thread(self) -> NDArray[np.float64]:
        """T: weight of the samples that are not of an idle CPU."""
        is_idle = np.append(self.idle, not len(self.profile.node_frame))[self.sample_leaf]
        return self.weight_by_thread(~(is_idle | self.hidden_idle))

    @cached_property
    def is_in_time(self) -> bool:
        """Whether every sample states a time that is not before that of the one before it."""
        times = self.profile.sample_time
        return times is not None and bool((times[1:] >= times[:-1]).all())

    @cached_property
    def sampled_threads(self) -> list[int]:
        """The threads with samples, in order."""
        found: list[int] = distinct(self.profile.sample_thread).tolist()
        return found

    @cached_property
    def unnamed(self) -> Mask:
        """F: frames that are addresses."""
        return self.frames_where(is_unnamed)

    @cached_property
    def hidden_idle(self) -> Mask:
        """S: samples of the idle task that end in an address without a name."""
        profile = self.profile
        of_thread = (thread.comm.startswith("swapper") for thread in profile.threads)
        swapper = np.fromiter(of_thread, dtype=np.bool_, count=len(profile.threads))
        if not (swapper.any() and len(profile.node_frame)):
            return np.zeros(len(profile.sample_node), dtype=np.bool_)
        is_hidden: Mask = swapper[profile.sample_thread] & np.append(self.unnamed, True)[self.sample_leaf]
        return is_hidden

    @cached_property
    def hidden_idle_weight(self) -> float:
        """Weight of the samples of the idle task that end in an address without a name."""
        return float(self.weight[self.hidden_idle].sum())

    @cached_property
    def sampled_cpus(self) -> NDArray[np.intp]:
        """The CPUs with samples, in order; none when the profile has no CPUs."""
        cpus = self.profile.sample_cpu
        return np.empty(0, dtype=np.intp) if cpus is None else distinct(cpus)

    @cached_property
    def first_lines(self) -> NDArray[np.int64]:
        """T: the line of the first sample of each thread."""
        profile = self.profile
        first = np.full(len(profile.threads), np.iinfo(np.int32).max, dtype=np.int64)
        if (np.diff(profile.sample_line) >= 0).all():
            # Of equal places the last assignment counts.
            first[profile.sample_thread[::-1]] = profile.sample_line[::-1]
        else:
            np.minimum.at(first, profile.sample_thread, profile.sample_line)
        return first

    def nodes_of(self, frame: int) -> NDArray[np.intp]:
        """Return the nodes of a frame, in order."""
        nodes, ends = self._nodes_by_frame
        return nodes[ends[frame - 1] if frame else 0 : ends[frame]]

    @cached_property
    def _nodes_by_frame(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        frames = self.profile.node_frame
        count = len(self.profile.frames)
        # Numbers of two bytes are sorted by radix.
        short = frames.astype(np.uint16)
        order = np.argsort(short if np.array_equal(short, frames) else frames, kind="stable")
        return order, np.cumsum(np.bincount(frames, minlength=count))

    def path(self, node: int) -> list[str]:
        """Return the functions from a node to the root, innermost first."""
        names = []
        while node >= 0:
            names.append(self.names[int(self.profile.node_frame[node])])
            node = int(self.profile.node_parent[node])
        return names

    @cached_property
    def leaf_weight(self) -> NDArray[np.float64]:
        """F: weight of the samples whose innermost frame it is."""
        return sums(self.node_weight, self.profile.node_frame, len(self.profile.frames))

    @cached_property
    def idle(self) -> Mask:
        """F: innermost frames of idle CPUs."""
        return self.frames_where(is_idle_leaf)

    @cached_property
    def spin(self) -> Mask:
        """F: innermost frames that wait by spinning."""
        return self.frames_where(is_spin)

    @cached_property
    def _paths(self) -> Paths:
        return Paths(self.profile, self.node_weight)

    def outermost(self, is_frame: Mask) -> NDArray[np.int32]:
        """N: the outermost node of the frames between the root and the node, -1 where there is none."""
        return self._paths.outermost(is_frame)

    @cached_property
    def entries(self) -> Entries:
        """Where stacks enter the kernel, by the first kernel function below the entry stubs."""
        is_stub = self.frames_where(is_kernel_entry)
        return self._paths.entries(self.is_kernel & ~is_stub, self.idle)

    def has(self, is_frame: Mask) -> Mask:
        """N: one of the frames lies on the path from the root to the node."""
        if not is_frame.any():
            return np.zeros(len(self.profile.node_parent), dtype=np.bool_)
        return self._paths.has(is_frame)

    def below(self, classes: Sequence[Mask]) -> list[Below]:
        """Return the weight of and below each of at most eight classes of frames, and the heaviest nodes."""
        return self._paths.below(classes)

    def share_below(self, is_frame: Mask) -> float:
        """Return the share of all weight that ends in the frames or below."""
        return self.below([is_frame])[0].weight / self.total if self.total and is_frame.any() else 0.0

    def places_of_frame(self, frame: int) -> tuple[Place, ...]:
        """Return the lines where the heaviest nodes of a frame were first printed."""
        nodes = self._heaviest_nodes[frame]
        return self.places_of_heaviest(nodes[nodes >= 0])

    @cached_property
    def _heaviest_nodes(self) -> NDArray[np.int32]:
        return self._paths.heaviest()

    def places_of_heaviest(self, nodes: NDArray[np.integer]) -> tuple[Place, ...]:
        """Return the lines where a few nodes were first printed."""
        lines = sorted({int(self.profile.node_line[node]) for node in nodes})
        return tuple(place(self.item, line) for line in lines)

    def share_of_nodes(self, nodes: Mask) -> float:
        """Return the share of all weight that ends in `nodes`."""
        return float(self.node_weight[nodes].sum()) / self.total if self.total else 0.0

    def places_of_nodes(self, nodes: NDArray[np.intp]) -> tuple[Place, ...]:
        """Return the lines where the heaviest of `nodes` were first printed."""
        return self.places_of_heaviest(nodes[largest(self.node_weight[nodes], MAX_EXEMPLARS)])

    @cached_property
    def first_time(self) -> float | None:
        """Seconds of the first sample; None when no sample states a time."""
        times = self.profile.sample_time
        return float(times.min()) if times is not None and len(times) else None

    @cached_property
    def last_time(self) -> float | None:
        """Seconds of the last sample; None when no sample states a time."""
        times = self.profile.sample_time
        return float(times.max()) if times is not None and len(times) else None

    @cached_property
    def whole(self) -> Place:
        """The lines from the first sample to the last."""
        lines = self.profile.sample_line
        return place(self.item, int(lines.min()), int(lines.max()))
