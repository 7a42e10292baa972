"""Stacks of a profile that match a pattern: samples, nodes, citations, threads, what is left open."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.profile import UNKNOWN_CALLEES, UNKNOWN_CALLERS
from ingest.native.index import Measured, Pattern
from signatures.judging.observation import MAX_NODES, Cited
from signatures.judging.profile_index import nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from signatures.judging.profile_index import Selection, Tree
    from signatures.language.conditions import FrameSet

NOT_KNOWN: FrameSet = (UNKNOWN_CALLERS,)
"""Frame that stands for omitted callers."""

OMITTED: FrameSet = (UNKNOWN_CALLEES,)
"""Leaf that stands for omitted callees."""


_NOTHING = Measured(0.0, (), frozenset(), ())
"""What no samples weigh."""


class StackPattern(NamedTuple):
    """Frames in order in a stack.

    Attributes:
        path: Frame sets from leaf to root.
        leaf: The innermost frame, or () when any frame may complete the path.
        within: Maximum frames between leaf and path; 0 for any number.
        without: Frames that exclude a stack.
    """

    path: tuple[FrameSet, ...]
    leaf: FrameSet
    within: int
    without: FrameSet


class StackMatch:
    """The stacks of one profile that match a pattern, in a population.

    Attributes:
        tree: The profile.
        index: Its index in the reading.
        pattern: The pattern.
        of: The population.
    """

    def __init__(self, tree: Tree, index: int, pattern: StackPattern, of: Selection) -> None:
        """Look in the samples of a population; what matches is found on first use."""
        self.tree, self.index, self.pattern, self.of = tree, index, pattern, of

    @cached_property
    def _places(self) -> Pattern:
        return self.tree.cached(("places", self.pattern), lambda: _places(self.tree, self.pattern))

    @property
    def is_nowhere(self) -> bool:
        """Whether the pattern completes in no stack."""
        return not len(self._places.nodes)

    @cached_property
    def measured(self) -> Measured:
        """What the samples weigh."""
        if self.is_nowhere:
            return _NOTHING
        key = ("measured", self.pattern, self.of.key)
        return self.tree.cached(key, lambda: self.tree.weighed.measure(self._places, self.of.members))

    @property
    def weight(self) -> float:
        """Weight of the samples."""
        return self.measured.weight

    @property
    def count(self) -> float:
        """Number of the samples."""
        count = self.tree.profile.sample_count
        if self.is_nowhere or self.tree.weight is count:
            return self.weight
        return float(count[self.samples].sum())

    @property
    def samples(self) -> NDArray[np.int32]:
        """The samples, grouped by node; found again for each use, as they may be many."""
        tree, nodes = self.tree, self._places.nodes
        if not self._places.with_below:
            samples = tree.samples_at(nodes)
        else:
            samples = tree.samples_below(nodes)
            if self.pattern.without and len(samples):
                samples = samples[~tree.has_path((self.pattern.without,))[samples]]
        return samples[self.of.mask[samples]]

    def by_process(self) -> Callable[[int], NDArray[np.int32]]:
        """Return what gives the samples of the process at a place."""
        samples = self.samples
        processes = self.tree.process_of(samples)
        order = np.argsort(processes, kind="stable")
        ends = np.cumsum(np.bincount(processes + 1, minlength=len(self.tree.processes) + 1))
        return lambda place: samples[order[ends[place] : ends[place + 1]]]

    def cite(self) -> tuple[Cited, ...]:
        """Cite the nodes, and the lines of the heaviest samples, different stacks first."""
        return self._cited(self.measured.heaviest)

    def cite_process(self, place: int) -> tuple[Cited, ...]:
        """Cite the nodes, and the lines of the heaviest samples of one process."""
        return () if self.is_nowhere else self._cited(self._heaviest[place])

    @cached_property
    def _heaviest(self) -> Sequence[Sequence[tuple[int, int]]]:
        return self.tree.weighed.heaviest(self._places, self.of.members)

    def _cited(self, heaviest: Sequence[tuple[int, int]]) -> tuple[Cited, ...]:
        tree = self.tree
        nodes: tuple[int, ...] = tree.cached(
            ("cited", self.pattern), lambda: tuple(np.sort(self._places.nodes)[:MAX_NODES].tolist())
        )
        lines = ((node, int(tree.profile.sample_line[sample])) for node, sample in heaviest)
        return tuple(
            Cited(line, _last_line(tree, node, line), self.index, nodes if position == 0 else ())
            for position, (node, line) in enumerate(lines)
        )

    def threads(self) -> tuple[str, ...]:
        """Return the ids of the matching threads; threads without an id are omitted."""
        profile = self.tree.profile
        threads = (profile.threads[at] for at in np.unique(profile.sample_thread[self.samples]))
        return tuple(
            sorted(
                {
                    str(max(thread.tid, thread.pid)) if thread.tid < 0 else str(thread.tid)
                    for thread in threads
                    if max(thread.tid, thread.pid) >= 0
                }
            )
        )

    def count_of_threads(self) -> float:
        """Return the number of threads that match; each stack without a thread's id is one."""
        threads = self.tree.profile.threads
        has_id = np.array([max(one.tid, one.pid) >= 0 for one in threads] or [False])
        without = ~has_id[self.tree.profile.sample_thread[self.samples]]
        return float(len(self.threads()) + without.sum())

    def hidden(self, mask: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the samples of `mask` that may match, too, because callers or callees are omitted."""
        tree, pattern = self.tree, self.pattern
        if not tree.omits_frames:
            return nothing()
        may_match = np.zeros(len(mask), dtype=np.bool_)
        if pattern.path or not pattern.leaf:
            samples = tree.samples_below(tree.completes((NOT_KNOWN,)))
            may_match[samples] = mask[samples]
        if pattern.leaf:
            is_leaf = np.zeros(len(mask), dtype=np.bool_)
            is_leaf[tree.samples_at(tree.leaves(pattern.leaf, (), 0))] = True
            may_match &= is_leaf
        cut = tree.samples_at(
            tree.leaves(OMITTED, pattern.path, 0) if pattern.leaf else tree.completes((OMITTED,))
        )
        may_match[cut] = mask[cut]
        may_match[self.samples] = False
        return np.flatnonzero(may_match).astype(np.int32)

    def weight_of(self, samples: NDArray[np.int32]) -> float:
        """Return the weight of samples."""
        return float(self.tree.weight[samples].sum()) if len(samples) else 0.0


def _places(tree: Tree, pattern: StackPattern) -> Pattern:
    """Return the nodes where a pattern completes; of an innermost frame those that samples end in."""
    path, leaf, within, without = pattern
    if leaf:
        nodes = tree.outside(tree.leaves(leaf, path, within), without)
        return Pattern(tree.sampled(nodes), with_below=False, without=nothing())
    nodes = tree.outside(tree.completes(path), without)
    return Pattern(nodes, with_below=True, without=tree.completes((without,)) if without else nothing())


def _last_line(tree: Tree, node: int, start: int) -> int:
    """Return the last line of the sample that starts at `start`: a frame a line, or all on one."""
    parents, line_of = tree.parents_and_lines
    lines: list[int] = []
    while node >= 0:
        lines.append(line_of[node])
        node = parents[node]
    if len(set(lines)) < len(lines):
        return start
    following = tree.line_after(start)
    printed = lines[0] - start if start in (lines[0], lines[0] - 1) else 1
    end = start + len(lines) - 1 + printed
    return end if following is None else min(end, following - 1)
