"""Questions to the stack tree of a profile, answered for all nodes at once.

A path is a list of frame sets from leaf to root (`shrink_lruvec`, then `try_to_free_mem_cgroup_pages`);
frames may lie between them. Nodes are walked level by level, so the cost is the depth of the tree, not its
size.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ingest.frames import is_idle_leaf, normalise
from ingest.profile import ROOT
from signatures.patterns import expand, is_any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ingest.profile import Profile
    from ingest.reading import Reading
    from signatures.questions import FrameSet, Population

    Mask = NDArray[np.bool_]

_KERNEL_ENTRY = ("@kernel_entry",)
_MANY_LEAVES = 30
"""A tracepoint or probe ends its stacks in its own function, a clock wherever the CPU is."""


class Tree:
    """A profile with its derived columns, each computed once.

    With F frames, N nodes and S samples.
    """

    def __init__(self, profile: Profile) -> None:
        """Hold a profile; nothing is computed yet."""
        self.profile = profile
        self._masks: dict[FrameSet, Mask] = {}
        self._paths: dict[tuple[FrameSet, ...], NDArray[np.int32]] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """F normalised names."""
        return tuple(normalise(frame.name) for frame in self.profile.frames)

    def frame_mask(self, patterns: FrameSet) -> Mask:
        """F: which frames are one of `patterns`."""
        known = self._masks.get(patterns)
        if known is None:
            names = self.names
            known = np.fromiter((is_any(name, patterns) for name in names), dtype=np.bool_, count=len(names))
            self._masks[patterns] = known
        return known

    @cached_property
    def levels(self) -> tuple[NDArray[np.intp], ...]:
        """The nodes of each depth, roots first."""
        parents = self.profile.node_parent
        depth = np.zeros(len(parents), dtype=np.int32)
        current = np.flatnonzero(parents == ROOT)
        order = np.argsort(parents, kind="stable")
        sorted_parents = parents[order]
        levels = []
        level = 0
        while len(current):
            levels.append(current)
            depth[current] = level
            starts = np.searchsorted(sorted_parents, current, side="left")
            ends = np.searchsorted(sorted_parents, current, side="right")
            current = np.concatenate(
                [order[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
                or [np.empty(0, dtype=np.intp)]
            )
            level += 1
        return tuple(levels)

    def progress(self, path: tuple[FrameSet, ...]) -> NDArray[np.int32]:
        """N: how many sets of `path`, from the root side, are met on the way from the root to the node."""
        known = self._paths.get(path)
        if known is not None:
            return known
        profile = self.profile
        goal = len(path)
        result = np.zeros(len(profile.node_parent), dtype=np.int32)
        masks = [self.frame_mask(frames) for frames in reversed(path)]
        if all(mask.any() for mask in masks):
            table = np.stack([*masks, np.zeros_like(masks[0])])
            for depth, nodes in enumerate(self.levels):
                before = result[profile.node_parent[nodes]] if depth else np.zeros(len(nodes), dtype=np.int32)
                result[nodes] = before + table[before, profile.node_frame[nodes]]
        self._paths[path] = np.minimum(result, goal)
        return self._paths[path]

    def has_path(self, path: tuple[FrameSet, ...]) -> Mask:
        """N: the whole path lies between the root and the node, the node included."""
        if not path:
            return np.ones(len(self.profile.node_parent), dtype=np.bool_)
        has: Mask = self.progress(path) == len(path)
        return has

    def completes(self, matching: Mask) -> NDArray[np.intp]:
        """Return the nodes of `matching` whose parent is not in it: where the pattern completes."""
        parents = self.profile.node_parent
        is_first = matching & ((parents == ROOT) | ~matching[np.maximum(parents, 0)])
        return np.flatnonzero(is_first)

    def leaves_called_from(self, leaf: FrameSet, path: tuple[FrameSet, ...], within: int) -> Mask:
        """N: the node is one of `leaf` and `path` lies above it, the nearest at most `within` frames away."""
        profile = self.profile
        is_leaf = self.frame_mask(leaf)[profile.node_frame]
        if not path:
            return is_leaf
        nodes = np.flatnonzero(is_leaf)
        above = profile.node_parent[nodes]
        has = np.zeros(len(nodes), dtype=np.bool_)
        whole = self.has_path(path)
        if within == 0:
            has = (above != ROOT) & whole[np.maximum(above, 0)]
        else:
            nearest = self.frame_mask(path[0])
            for _ in range(within):
                inside = above != ROOT
                at = np.maximum(above, 0)
                has |= inside & nearest[profile.node_frame[at]] & whole[at]
                above = np.where(inside, profile.node_parent[at], ROOT)
        result = np.zeros(len(profile.node_parent), dtype=np.bool_)
        result[nodes[has]] = True
        return result

    @cached_property
    def sample_leaf(self) -> NDArray[np.int32]:
        """S: frame index of the innermost frame, 0 where there is no stack (see `has_stack`)."""
        return self.profile.node_frame[np.maximum(self.profile.sample_node, 0)]

    @cached_property
    def has_stack(self) -> Mask:
        """S: the sample has a stack."""
        return self.profile.sample_node >= 0

    @cached_property
    def is_timed(self) -> bool:
        """Whether shares of it are shares of time: CPU samples, or counted stacks that end all over."""
        profile = self.profile
        if profile.what == "cpu":
            return profile.has_weights
        is_counted = profile.what == "event" and profile.has_weights
        return is_counted and len(np.unique(self.sample_leaf[self.has_stack])) >= _MANY_LEAVES

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
        is_kernel = np.isin(kinds, ("kernel", "module"))[self.sample_leaf]
        is_undecided = (kinds == "unknown")[self.sample_leaf]
        if is_undecided.any():
            below_entry = self.has_path((expand(_KERNEL_ENTRY),))
            is_kernel = is_kernel | (is_undecided & below_entry[np.maximum(self.profile.sample_node, 0)])
        return self.has_stack & is_kernel

    def population(self, of: Population) -> Mask:
        """S: the samples a share is taken of."""
        if of == "all":
            return np.ones(len(self.profile.sample_node), dtype=np.bool_)
        if of == "busy":
            return ~self._is_idle
        return self._is_kernel & ~self._is_idle

    def is_comm(self, names: FrameSet) -> Mask:
        """S: the thread has one of these names."""
        of_thread = np.array([is_any(thread.comm, names) for thread in self.profile.threads] or [False])
        if not len(self.profile.sample_thread):
            return np.zeros(len(self.profile.sample_node), dtype=np.bool_)
        return of_thread[self.profile.sample_thread]

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """S: by period when every sample states one, else by samples."""
        profile = self.profile
        if (
            profile.unit.startswith("period")
            and len(profile.sample_weight)
            and profile.sample_weight.min() > 0
        ):
            return profile.sample_weight
        return profile.sample_count

    @cached_property
    def pids(self) -> NDArray[np.int64]:
        """S: pid of the sample, -1 where not printed."""
        of_thread = np.array([thread.pid for thread in self.profile.threads] or [-1], dtype=np.int64)
        if not len(self.profile.sample_thread):
            return np.empty(0, dtype=np.int64)
        return of_thread[self.profile.sample_thread]


class Trees:
    """The trees of the profiles that are being observed, each built once."""

    def __init__(self) -> None:
        """Start with none."""
        self._trees: dict[int, Tree] = {}

    def of(self, reading: Reading) -> list[Tree]:
        """Return one tree per profile of the reading."""
        return [self._trees.setdefault(id(profile), Tree(profile)) for profile in reading.profiles]
