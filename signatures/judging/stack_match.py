"""Stacks of a profile that match a pattern: samples, nodes, citations, threads, what is left open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.profile import UNKNOWN_CALLEES, UNKNOWN_CALLERS
from signatures.judging.observation import MAX_EXEMPLARS, MAX_NODES, Cited
from signatures.judging.profile_index import nothing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from signatures.judging.population import Population
    from signatures.judging.profile_index import Tree
    from signatures.language.conditions import FrameSet

NOT_KNOWN: FrameSet = (UNKNOWN_CALLERS,)
"""Frame that stands for omitted callers."""

OMITTED: FrameSet = (UNKNOWN_CALLEES,)
"""Leaf that stands for omitted callees."""


_FEW = 64
"""Weights that are sorted whole."""


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


@dataclass(frozen=True, slots=True)
class StackMatch:
    """The stacks of one profile that match a pattern.

    Attributes:
        tree: The profile.
        index: Its index in the reading.
        pattern: The pattern.
        samples: Matching samples, grouped by node.
        nodes: Nodes where the pattern completes, sorted.
    """

    tree: Tree
    index: int
    pattern: StackPattern
    samples: NDArray[np.int32]
    nodes: NDArray[np.int32]

    @classmethod
    def find(cls, tree: Tree, index: int, pattern: StackPattern, population: Population) -> StackMatch:
        """Return the matching stacks of the threads of a population."""
        samples, nodes = tree.cached(("found", pattern), lambda: _found(tree, pattern))
        return cls(tree, index, pattern, population.of_comm(samples), nodes)

    def only(self, mask: NDArray[np.bool_]) -> StackMatch:
        """Return the match with those of its samples that `mask` selects from all samples."""
        return replace(self, samples=self.samples[mask[self.samples]])

    def cite(self) -> tuple[Cited, ...]:
        """Cite the nodes, and the lines of the heaviest samples, different stacks first."""
        tree, samples = self.tree, self.samples
        profile = tree.profile
        if not len(samples):
            return ()
        own = profile.sample_node[samples]
        starts = np.flatnonzero(np.concatenate(([True], own[1:] != own[:-1])))
        weights = np.add.reduceat(tree.weight[samples], starts)
        heaviest = _heaviest(weights, own[starts])
        first = {
            int(own[starts[at]]): int(profile.sample_line[samples[starts[at]]])
            for at in heaviest
            if weights[at] > 0
        }
        nodes = tree.cached(("cited", self.pattern), lambda: tuple(self.nodes[:MAX_NODES].tolist()))
        return tuple(
            Cited(line, _last_line(tree, node, line), self.index, nodes if position == 0 else ())
            for position, (node, line) in enumerate(first.items())
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


def _found(tree: Tree, pattern: StackPattern) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the samples that match a pattern, grouped by node, and the nodes where it completes, sorted."""
    path, leaf, within, without = pattern
    if leaf:
        nodes = tree.leaves(leaf, path, within)
        samples = tree.samples_at(nodes)
    else:
        nodes = tree.completes(path)
        samples = tree.samples_below(nodes)
    if without and len(samples):
        nodes = tree.outside(nodes, without)
        samples = samples[~tree.has_path((without,))[samples]]
    if leaf:
        # np.unique imports the masked arrays.
        is_node = np.zeros(len(tree.profile.node_frame), dtype=np.bool_)
        is_node[tree.profile.sample_node[samples]] = True
        nodes = np.flatnonzero(is_node).astype(np.int32)
    return samples, np.sort(nodes)


def _heaviest(weights: NDArray[np.float64], nodes: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the places of the heaviest weights, heaviest first; of equals those of the first nodes."""
    places = np.arange(len(weights))
    if len(weights) > _FEW:
        limit = np.partition(weights, -MAX_EXEMPLARS)[-MAX_EXEMPLARS]
        over, equal = np.flatnonzero(weights > limit), np.flatnonzero(weights == limit)
        room = MAX_EXEMPLARS - len(over)
        if len(equal) > room:
            equal = equal[np.argpartition(nodes[equal], room - 1)[:room]]
        places = np.concatenate((over, equal))
    return places[np.lexsort((nodes[places], -weights[places]))][:MAX_EXEMPLARS]


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
