"""Populations: the samples that a share is relative to, in total and by process."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from signatures.judging.profile_index import Selection, Tree
    from signatures.language.conditions import FrameSet
    from signatures.language.conditions import Population as Kind


POPULATIONS = {"all": "all samples", "busy": "busy samples", "kernel_busy": "busy kernel samples"}
"""The names of the populations, and what they are for people."""


class Part(NamedTuple):
    """Samples and weight of one process, or of all (-1)."""

    pid: int
    samples: float
    weight: float


class Population:
    """`all`, `busy` or `kernel_busy`; with `comm` only threads of these names."""

    def __init__(self, tree: Tree, of: Kind, comm: FrameSet = ()) -> None:
        """Select the population of a tree; sums are computed on first use."""
        self._tree = tree
        self._of = of
        self._comm = comm

    @property
    def key(self) -> tuple[str, FrameSet]:
        """Its name and those of its threads."""
        return self._of, self._comm

    @property
    def mask(self) -> NDArray[np.bool_]:
        """S: membership of each sample."""
        return self.selection.mask

    @cached_property
    def selection(self) -> Selection:
        """Its samples."""
        tree = self._tree
        mask = tree.population(self._of)
        return tree.selection(self.key, lambda: mask & tree.is_comm(self._comm) if self._comm else mask)

    @property
    def samples(self) -> float:
        """Number of samples."""
        return self.whole.samples

    @property
    def whole(self) -> Part:
        """Totals of all processes."""
        return self._tree.cached(("whole", self._of, self._comm), self._whole)

    def _whole(self) -> Part:
        count, mask = self._tree.profile.sample_count, self.mask
        samples = float((count * mask).sum())
        weight = self._tree.weight
        return Part(-1, samples, samples if weight is count else float((weight * mask).sum()))

    @property
    def processes(self) -> tuple[Part, ...]:
        """Named processes, most samples first."""
        return self._tree.cached(("processes", self._of, self._comm), self._by_process)

    def _by_process(self) -> tuple[Part, ...]:
        tree, mask = self._tree, self.mask
        count = tree.by_process(tree.profile.sample_count, mask)
        has_own = tree.weight is not tree.profile.sample_count
        weight = tree.by_process(tree.weight, mask) if has_own else count
        order = np.argsort(-count, kind="stable")
        return tuple(
            Part(int(tree.processes[at]), float(count[at]), float(weight[at]))
            for at in order
            if count[at] > 0
        )
