"""Long uninterrupted runs of one thread in the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.native import longest_runs
from signatures.overview.model import Answer, Figure, Statement, place
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
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
    frame = stacks.of_samples(stacks.entries.frames)
    frame[np.append(stacks.idle, False)[stacks.sample_leaf]] = -1
    figures = []
    for run in longest_runs(profile, frame, GAP_FACTOR, SHOWN):
        if run.seconds < LONG_SECONDS or frame[run.first] < 0:
            continue
        who = profile.threads[int(profile.sample_thread[run.first])].comm
        name = stacks.names[int(frame[run.first])]
        label = f"{who} in {name} on CPU {int(profile.sample_cpu[run.first])}"
        lines = sorted((int(profile.sample_line[run.first]), int(profile.sample_line[run.last])))
        where = (place(stacks.item, lines[0], lines[1]),)
        is_long = run.seconds >= NOTABLE_SECONDS and _delays_others(name)
        figures.append(Figure(label, round(run.seconds, 4), "seconds", where, is_long))
    return figures


def _delays_others(name: str) -> bool:
    """Return whether a long run in `name` delays other tasks: softirqs, workers, reads of kernel files."""
    return name.startswith(("__do_softirq", "handle_softirqs", "run_ksoftirqd", "process_one_work")) or (
        "read" in name.split("_") and "sys" in name
    )
