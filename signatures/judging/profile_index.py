"""Index of the stacks of a profile: lookups cost the size of the match, not of the tree.

A path is a list of frame sets from leaf to root (`shrink_lruvec`, then `try_to_free_mem_cgroup_pages`); other
frames may lie between them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ingest.frames import is_idle_leaf, normalise
from ingest.frames.wait_points import is_waiting
from ingest.model.profile import ROOT, UNKNOWN_CALLEES, UNKNOWN_CALLERS
from ingest.native import StackIndex, WeighedSamples
from signatures.judging.name_index import NameIndex
from signatures.judging.sample_columns import SampleColumns
from signatures.language.patterns import expand, is_any

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    from ingest.model.profile import Profile
    from ingest.model.reading import Reading
    from signatures.language.conditions import FrameSet, Population

    Mask = NDArray[np.bool_]
    Numbers = NDArray[np.int32]

T = TypeVar("T")

_KERNEL_ENTRY = ("@kernel_entry",)


def nothing() -> Numbers:
    """Return no places."""
    return np.empty(0, dtype=np.int32)


class Selection:
    """Some samples of a tree.

    Attributes:
        key: What names them.
        mask: S: the samples.
    """

    def __init__(self, tree: Tree, key: Hashable, mask: Mask) -> None:
        """Take the samples that `mask` selects."""
        self.key, self.mask = key, mask
        self._tree = tree

    @cached_property
    def members(self) -> bytes:
        """The samples as the index takes them."""
        return self._tree.weighed.members(self.mask)


class Tree(SampleColumns):
    """A profile with derived columns, computed lazily and cached.

    With F frames, N nodes and S samples.
    """

    def __init__(self, profile: Profile) -> None:
        """Take a profile; columns are computed on first use."""
        super().__init__(profile)
        self._masks: dict[FrameSet, Mask] = {}
        self._populations: dict[Population, Mask] = {}
        self._cache: dict[Hashable, Any] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """F normalised names."""
        return tuple(normalise(frame.name) for frame in self.profile.frames)

    def frame_mask(self, patterns: FrameSet) -> Mask:
        """F: frames whose name is one of `patterns`."""
        mask = self._masks.get(patterns)
        if mask is None:
            mask = np.zeros(len(self.names), dtype=np.bool_)
            for pattern in patterns:
                mask[self._names.matching(pattern)] = True
            self._masks[patterns] = mask
        return mask

    @cached_property
    def _names(self) -> NameIndex:
        return NameIndex(self.names)

    @cached_property
    def _index(self) -> StackIndex:
        return StackIndex(self.profile)

    @cached_property
    def omits_frames(self) -> bool:
        """Whether any stack has frames that stand for omitted callers or callees."""
        return bool(self.frame_mask((UNKNOWN_CALLERS, UNKNOWN_CALLEES)).any())

    def first_of(self, patterns: FrameSet) -> int | None:
        """Return the first node of a frame whose name is one of `patterns`, None without one."""
        mask = self.frame_mask(patterns) if self.profile.frames else None
        if mask is None or not mask.any():
            return None
        nodes = self._index.leaves(mask)
        return int(nodes.min()) if len(nodes) else None

    def completes(self, path: tuple[FrameSet, ...]) -> Numbers:
        """Return the nodes where `path` completes, the outermost of each stack; roots for an empty path."""
        if not path:
            return np.flatnonzero(self.profile.node_parent == ROOT).astype(np.int32)
        masks = [self.frame_mask(frames) for frames in path]
        if not all(mask.any() for mask in masks):
            return nothing()
        return self._index.completes(masks[0], masks[1:])

    def leaves(self, leaf: FrameSet, path: tuple[FrameSet, ...], within: int) -> Numbers:
        """Return the nodes of `leaf` below `path`, whose nearest frame is at most `within` frames away."""
        masks = [self.frame_mask(frames) for frames in (leaf, *path)]
        if not all(mask.any() for mask in masks):
            return nothing()
        return self._index.leaves(masks[0], masks[1:], within or None)

    def sampled(self, nodes: Numbers) -> Numbers:
        """Return those of `nodes` that samples end in."""
        return self._index.sampled(nodes) if len(nodes) else nodes

    def outside(self, nodes: Numbers, frames: FrameSet) -> Numbers:
        """Return the `nodes` that are neither one of `frames` nor below one."""
        mask = self.frame_mask(frames)
        return self._index.outside(nodes, mask) if len(nodes) and mask.any() else nodes

    def samples_at(self, nodes: Numbers) -> Numbers:
        """Return the samples that end in `nodes`, grouped by node, in file order."""
        return self._index.samples_at(nodes) if len(nodes) else nothing()

    def samples_below(self, nodes: Numbers) -> Numbers:
        """Return the samples that end in `nodes` or anywhere below, grouped like `samples_at`."""
        return self._index.samples_below(nodes) if len(nodes) else nothing()

    def has_path(self, path: tuple[FrameSet, ...]) -> Mask:
        """S: the stack of the sample contains the whole path."""
        return self.cached(("path", path), lambda: self._has_path(path))

    def _has_path(self, path: tuple[FrameSet, ...]) -> Mask:
        has = np.zeros(len(self.profile.sample_node), dtype=np.bool_)
        has[self.samples_below(self.completes(path))] = True
        return has

    @cached_property
    def _is_idle(self) -> Mask:
        idle = np.fromiter((is_idle_leaf(name) for name in self.names), dtype=np.bool_, count=len(self.names))
        if not len(idle):
            return np.zeros(len(self.profile.sample_node), dtype=np.bool_)
        return self.has_stack & idle[self.sample_leaf]

    @cached_property
    def _is_kernel(self) -> Mask:
        frames = self.profile.frames
        if not frames:
            return np.zeros(len(self.profile.sample_node), dtype=np.bool_)
        kinds = np.array([frame.kind for frame in frames])
        is_undecided = kinds == "unknown"
        is_entry = self.frame_mask(expand(_KERNEL_ENTRY))
        leaf = self.sample_leaf
        is_kernel: Mask = self.has_stack & np.isin(kinds, ("kernel", "module"))[leaf]
        if is_undecided.any() and is_entry.any():
            undecided = np.flatnonzero(self.has_stack & is_undecided[leaf])
            is_kernel[undecided] = self._index.has(is_entry)[self.profile.sample_node[undecided]]
        return is_kernel

    @cached_property
    def idle_weight(self) -> float:
        """Weight of the samples of CPUs without work."""
        return float((self.weight * self._is_idle).sum())

    @cached_property
    def is_waiting(self) -> Mask:
        """S: the innermost frame is one of a thread that gave up its CPU."""
        waits = np.fromiter((is_waiting(name) for name in self.names), dtype=np.bool_, count=len(self.names))
        if not len(waits):
            return np.zeros(len(self.profile.sample_node), dtype=np.bool_)
        return self.has_stack & waits[self.sample_leaf]

    def population(self, of: Population) -> Mask:
        """S: membership of each sample in the population."""
        mask = self._populations.get(of)
        if mask is None:
            mask = np.ones(len(self.profile.sample_node), dtype=np.bool_)
            if of != "all":
                mask &= ~self._is_idle
            if of == "kernel_busy":
                mask &= self._is_kernel
            self._populations[of] = mask
        return mask

    def selection(self, key: Hashable, mask: Callable[[], Mask]) -> Selection:
        """Return the samples that `mask` selects; it is computed once for a key."""
        return self.cached(("selection", key), lambda: Selection(self, key, mask()))

    def awake(self, of: Selection) -> Selection:
        """Return those of some samples whose thread did not give up its CPU."""
        return self.selection(("awake", of.key), lambda: of.mask & ~self.is_waiting)

    def of_threads(self, names: FrameSet) -> Selection:
        """Return the samples of threads with one of some names; () for all."""
        if names:
            return self.selection(("comm", names), lambda: self.is_comm(names))
        return self.selection("everything", lambda: np.ones(len(self.profile.sample_node), dtype=np.bool_))

    @cached_property
    def weighed(self) -> WeighedSamples:
        """The samples with their weights and processes."""
        processes = self.process_of_thread
        return WeighedSamples(self._index, self.profile, self.weight, processes, len(self.processes))

    def cached(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the cached result of `compute` for `key`."""
        if key not in self._cache:
            self._cache[key] = compute()
        result: T = self._cache[key]
        return result

    @cached_property
    def parents_and_lines(self) -> tuple[memoryview, memoryview]:
        """N: parent and line of each node, which are faster to walk one by one than arrays."""
        profile = self.profile
        return np.ascontiguousarray(profile.node_parent).data, np.ascontiguousarray(profile.node_line).data

    def is_comm(self, names: FrameSet) -> Mask:
        """S: the thread has one of these names."""
        return self.cached(("comm", names), lambda: self._is_comm(names))

    def _is_comm(self, names: FrameSet) -> Mask:
        of_thread = np.array([is_any(thread.comm, names) for thread in self.profile.threads] or [False])
        if not len(self.profile.sample_thread):
            return np.zeros(len(self.profile.sample_node), dtype=np.bool_)
        return of_thread[self.profile.sample_thread]


class Trees:
    """Cache of the trees of profiles."""

    def __init__(self) -> None:
        """Create an empty cache."""
        self._trees: dict[int, Tree] = {}

    def of(self, reading: Reading) -> list[Tree]:
        """Return one tree per profile of the reading."""
        return [self._trees.setdefault(id(profile), Tree(profile)) for profile in reading.profiles]
