"""Stacks that a tracing tool counted: where most of them are, and at which probe, when the output states it.

95.7 % of 191,149 counted stacks are in native_queued_spin_lock_slowpath ← ep_poll_callback ← __wake_up_common
98.2 % of 572 counted stacks pass through memory_stat_show ← seq_read_iter ← vfs_read; 18.5 % are in vsnprintf

Such counts are of events. A map that was printed without its script may hold samples of CPU time, so nothing
here is called time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.frames import is_kernel_entry, is_spin
from ingest.frames.wait_points import kinds, wait_point
from ingest.native import totals
from signatures.language.number_format import value_words
from signatures.overview.cpu.lone_stacks import CALLERS, PATH, WAITING
from signatures.overview.cpu.spin_words import is_unlock
from signatures.overview.cpu.top_functions import ROOTS
from signatures.overview.model import Answer, Figure, Statement, place
from signatures.overview.scope_evidence import MIN_SAMPLES
from signatures.overview.stacks import Stacks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from signatures.documents.levels import Level
    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
PART_SHARE = 0.25
"""Below it the innermost function says less than what most of the stacks pass through."""

MOST_SHARE = 0.5

"""Tasks that sleep for want of work say little, however many are counted."""


def counted_stacks(evidence: ScopeEvidence) -> Answer:
    """Return the innermost functions of the largest map of counted stacks, and what most pass through."""
    found = [
        Stacks(profile, item)
        for item in evidence.items
        for profile in item.reading.profiles
        if profile.what == "event" and profile.unit == "count" and profile.samples >= MIN_SAMPLES
    ]
    found = [stacks for stacks in found if stacks.leaf_weight.any()]
    if not found:
        return Answer("No counted stacks.")
    stacks = max(found, key=lambda one: one.profile.samples)
    heaviest = np.argsort(-stacks.leaf_weight, kind="stable")[:SHOWN].tolist()
    leaves = [frame for frame in heaviest if stacks.leaf_weight[frame]]
    figures = tuple(
        Figure(
            stacks.names[frame],
            _share(stacks, frame),
            "share",
            (place(stacks.item, _heaviest(stacks, frame)[0]),),
        )
        for frame in leaves
    )
    path = _heaviest(stacks, leaves[0])[1]
    share = value_words(_share(stacks, leaves[0]), "share")
    common = _common(stacks) if _share(stacks, leaves[0]) < PART_SHARE else None
    of = _counted(stacks)
    if common:
        node, weight = common
        path = stacks.path(node)
        through = f"{value_words(weight / stacks.total, 'share')} {of} pass through {' ← '.join(path[:PATH])}"
        text = f"{through}; {share} are in {figures[0].label}"
    else:
        text = f"{share} {of} are in {' ← '.join(_telling(path))}"
        text += ", no other function in more" if _share(stacks, leaves[0]) < PART_SHARE else ""
    level: Level = "context" if _is_idle(path) else "notable"
    statement = Statement(_question(path), text, figures[0].places, "fact", level, CALLERS)
    return Answer(
        f"{text}.", figures, (CALLERS,), (statement,), is_undecided=True, about=(statement.question,)
    )


def _counted(stacks: Stacks) -> str:
    """Return `of 572 counted stacks`, with the probe when it is stated."""
    probe = stacks.profile.event
    count = f"{stacks.profile.samples:,.0f}"
    return f"of {count} stacks counted at {probe}" if ":" in probe else f"of {count} counted stacks"


def _share(stacks: Stacks, frame: int) -> float:
    return float(stacks.leaf_weight[frame]) / stacks.total


def _heaviest(stacks: Stacks, frame: int) -> tuple[int, list[str]]:
    """Return the line of the heaviest sample that ends in a frame, and its functions, innermost first."""
    profile = stacks.profile
    has = np.flatnonzero(profile.sample_node >= 0)
    at = has[profile.node_frame[profile.sample_node[has]] == frame]
    sample = int(at[np.argmax(stacks.weight[at])])
    return int(profile.sample_line[sample]), stacks.path(int(profile.sample_node[sample]))


def _common(stacks: Stacks) -> tuple[int, float] | None:
    """Return the innermost node that most stacks pass through, and its weight; None when that is an entry."""
    below = _weight_below(stacks)
    most = np.flatnonzero(below >= MOST_SHARE * stacks.total)
    if not len(most):
        return None
    depths = {int(node): len(stacks.path(int(node))) for node in most}
    node = max(depths, key=lambda one: depths[one])
    name = stacks.names[int(stacks.profile.node_frame[node])]
    says_little = is_kernel_entry(name) or name in ROOTS
    return None if says_little else (node, float(below[node]))


def _weight_below(stacks: Stacks) -> NDArray[np.float64]:
    """N: weight of the samples that end in the node or below it."""
    return totals(stacks.profile, stacks.node_weight)


def _telling(path: list[str]) -> list[str]:
    """Return the innermost functions that are not of the scheduler."""
    return ([name for name in path if not name.startswith(WAITING)] or path)[:PATH]


def _is_idle(path: list[str]) -> bool:
    """Return whether a stack, innermost function first, sleeps as tasks do that have nothing to do."""
    point = wait_point(tuple(path))
    known = kinds().get(point.kind) if point else None
    return known is not None and known.is_idle


def _question(path: list[str]) -> QuestionName:
    if is_spin(path[0]) and not is_unlock(path[0]):
        return "locks"
    return "scheduling" if path[0].startswith(WAITING) or path[0] == "finish_task_switch" else "cpu"
