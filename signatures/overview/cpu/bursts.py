"""Long uninterrupted runs of one thread in the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from signatures.overview.model import Answer, Figure, Statement, place
from signatures.overview.stacks import largest
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

LONG_SECONDS = 0.02
NOTABLE_SECONDS = 0.2
"""A kernel run this long starves the other tasks of its CPU."""

GAP_FACTOR = 3.0
SHOWN = 8


def bursts(evidence: ScopeEvidence) -> Answer:
    """Return the longest runs of one thread in one kernel entry, with no other sample on its CPU."""
    timed = [
        stacks
        for stacks in evidence.profiles
        if stacks.profile.sample_time is not None and stacks.profile.sample_cpu is not None
    ]
    if not timed:
        return Answer(
            "No profile has the time and CPU of each sample.",
            lacks=("perf script -F +time,+cpu of the recording",),
        )
    figures = _runs(timed[0])
    if not figures:
        lines = (timed[0].whole,)
        baseline = Figure("runs of 20 ms and more in one kernel function", 0.0, "count", lines)
        return Answer("No thread stayed 20 ms in one kernel function.", (baseline,))
    words = f"Longest kernel run: {figures[0].words}, {figures[0].label}"
    places = tuple(where for one in figures if one.is_notable for where in one.places)[:SHOWN_PLACES]
    statements = (
        (Statement("scheduling", words, places, subject="longest kernel run", names=(figures[0].label,)),)
        if places
        else ()
    )
    return Answer(f"{words}.", tuple(figures), (), statements)


def _runs(stacks: Stacks) -> list[Figure]:
    """Return the longest runs of one thread in one kernel entry on one CPU.

    A gap of more than three median sample intervals ends a run.
    """
    profile = stacks.profile
    if profile.sample_time is None or profile.sample_cpu is None:
        return []
    node = profile.sample_node
    inside = np.where(node >= 0, stacks.entry[np.maximum(node, 0)], -1)
    frame = np.where(inside >= 0, profile.node_frame[np.maximum(inside, 0)], -1)
    frame[np.append(stacks.idle, False)[stacks.sample_leaf]] = -1
    order = _by_cpu_and_time(profile.sample_cpu, profile.sample_time)
    cpu, time = profile.sample_cpu[order], profile.sample_time[order]
    thread, at = profile.sample_thread[order], frame[order]
    steps = np.diff(time)
    same_cpu = cpu[1:] == cpu[:-1]
    median = float(np.median(steps[same_cpu & (steps > 0)])) if (same_cpu & (steps > 0)).any() else 0.0
    if not median:
        return []
    continues = same_cpu & (thread[1:] == thread[:-1]) & (at[1:] == at[:-1]) & (at[1:] >= 0)
    continues &= steps <= max(GAP_FACTOR * median, 1e-9)
    starts = np.flatnonzero(np.concatenate(([True], ~continues)))
    ends = np.concatenate((starts[1:] - 1, [len(time) - 1]))
    lengths = time[ends] - time[starts]
    figures = []
    for run in largest(lengths, SHOWN).tolist():
        seconds = float(lengths[run])
        first, last = order[starts[run]], order[ends[run]]
        if seconds < LONG_SECONDS or at[starts[run]] < 0:
            continue
        who = profile.threads[int(thread[starts[run]])].comm
        name = stacks.names[int(at[starts[run]])]
        label = f"{who} in {name} on CPU {int(cpu[starts[run]])}"
        lines = sorted((int(profile.sample_line[first]), int(profile.sample_line[last])))
        where = (place(stacks.item, lines[0], lines[1]),)
        is_long = seconds >= NOTABLE_SECONDS and _delays_others(name)
        figures.append(Figure(label, round(seconds, 4), "seconds", where, is_long))
    return figures


def _by_cpu_and_time(cpu: NDArray[np.int32], time: NDArray[np.float64]) -> NDArray[np.intp]:
    """S: the order of the samples of each CPU in time."""
    short = cpu.astype(np.int16)
    if np.array_equal(short, cpu) and (np.diff(time) >= 0).all():
        # They are printed in the order of time, and numbers of two bytes are sorted by radix.
        return np.argsort(short, kind="stable")
    return np.lexsort((time, cpu))


def _delays_others(name: str) -> bool:
    """Return whether a long run in `name` delays other tasks: softirqs, workers, reads of kernel files."""
    return name.startswith(("__do_softirq", "handle_softirqs", "run_ksoftirqd", "process_one_work")) or (
        "read" in name.split("_") and "sys" in name
    )
