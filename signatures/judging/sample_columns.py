"""Columns of the samples of a profile: weight, process, time, innermost frame."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ingest.native import sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ingest.model.profile import Profile

    Mask = NDArray[np.bool_]
    Numbers = NDArray[np.int32]

_MANY_LEAVES = 30
"""Minimum distinct leaves of time samples: stacks of a tracepoint all end in one function."""


class SampleColumns:
    """The samples of a profile as columns, computed on first use.

    With F frames, S samples, T threads and P processes.
    """

    def __init__(self, profile: Profile) -> None:
        """Take a profile."""
        self.profile = profile

    @cached_property
    def sample_leaf(self) -> NDArray[np.int32]:
        """S: frame index of the innermost frame, 0 where there is no stack (see `has_stack`)."""
        if not len(self.profile.node_frame):
            return np.zeros(len(self.profile.sample_node), dtype=np.int32)
        nodes = self.profile.sample_node
        return self.profile.node_frame[nodes if self.has_stack.all() else np.maximum(nodes, 0)]

    @cached_property
    def has_stack(self) -> Mask:
        """S: the sample has a stack."""
        return self.profile.sample_node >= 0

    @cached_property
    def is_timed(self) -> bool:
        """Whether its shares are shares of time: CPU samples, or counted stacks with many distinct leaves."""
        profile = self.profile
        if profile.what == "cpu":
            return profile.has_weights
        is_counted = profile.what == "event" and profile.has_weights
        return is_counted and len(np.unique(self.sample_leaf[self.has_stack])) >= _MANY_LEAVES

    @cached_property
    def cpus(self) -> int:
        """Number of CPUs that samples state, 0 for none."""
        of_sample = self.profile.sample_cpu
        if of_sample is None:
            return 0
        named = of_sample[of_sample >= 0]
        is_small = bool(len(named)) and int(named.max()) < len(named)
        return int(np.count_nonzero(np.bincount(named))) if is_small else len(np.unique(named))

    @cached_property
    def since_first(self) -> NDArray[np.float64] | None:
        """S: seconds since the first sample; None where samples have no times."""
        times = self.profile.sample_time
        return None if times is None or not len(times) else times - times.min()

    @cached_property
    def is_in_time(self) -> bool:
        """Whether samples have times, and no sample one before that of the sample before it."""
        times = self.profile.sample_time
        return times is not None and bool((times[1:] >= times[:-1]).all())

    def line_after(self, line: int) -> int | None:
        """Return the line of the first sample after `line`, None after the last."""
        at = int(np.searchsorted(self._sorted_lines, line, side="right"))
        return int(self._sorted_lines[at]) if at < len(self._sorted_lines) else None

    @cached_property
    def _sorted_lines(self) -> Numbers:
        lines = self.profile.sample_line
        return lines if bool((lines[1:] >= lines[:-1]).all()) else np.sort(lines)

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
    def processes(self) -> NDArray[np.int64]:
        """P: pids, ascending; threads without one have none."""
        return np.unique([thread.pid for thread in self.profile.threads if thread.pid >= 0]).astype(np.int64)

    @cached_property
    def places(self) -> dict[int, int]:
        """Index of each process by its pid."""
        return {pid: at for at, pid in enumerate(self.processes.tolist())}

    @cached_property
    def process_of_thread(self) -> NDArray[np.intp]:
        """T: index of the process of each thread, -1 where its pid is not printed."""
        pids = np.array([thread.pid for thread in self.profile.threads], dtype=np.int64)
        return np.where(pids >= 0, np.searchsorted(self.processes, pids), -1)

    def process_of(self, samples: Numbers) -> NDArray[np.intp]:
        """Return the index of the process of each of `samples`, -1 for none."""
        threads = self.profile.sample_thread
        if not len(threads):
            return np.full(len(samples), -1)
        return self.process_of_thread[threads[samples]]

    def by_process(self, values: NDArray[np.float64], mask: Mask) -> NDArray[np.float64]:
        """P: sum of `values`, one of each sample, of the samples of `mask` by process."""
        threads, found = self.profile.sample_thread, np.zeros(len(self.processes))
        if len(threads):
            of_thread = sums(values, threads, len(self.profile.threads), mask)
            is_named = self.process_of_thread >= 0
            np.add.at(found, self.process_of_thread[is_named], of_thread[is_named])
        return found

    @cached_property
    def whole_weight(self) -> float:
        """Weight of all samples."""
        return float(self.weight.sum())
