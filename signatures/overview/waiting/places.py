"""What tasks wait for off the CPU, by a profile of off-CPU time.

84.2 % of 41.2 s off the CPU waits for commit of a journal, in jbd2_log_wait_commit ← ext4_sync_file (mysqld)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.frames.wait_points import kinds, title_of, wait_point
from ingest.readers.logs.kernel_log.call_path import path_of
from signatures.language.number_format import value_words
from signatures.overview.model import Statement
from signatures.overview.waiting import captures as wait_captures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.stacks import Stacks

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
MOST_STACKS = 500
"""Stacks that are looked at, the longest waits first."""

LEAST_SHARE = 0.05


class _Wait(NamedTuple):
    """One stack that waits for a known kind of resource; `path` is where, innermost first."""

    kind: str
    path: str
    node: int
    weight: float


def off_cpu_places(profiles: list[Stacks]) -> Iterator[Statement]:
    """Yield for each profile what most of its time waits for, without waits of idle tasks."""
    for stacks in profiles:
        waits = list(_waits(stacks))
        if not waits:
            continue
        by_kind: dict[str, float] = {}
        for one in waits:
            by_kind[one.kind] = by_kind.get(one.kind, 0.0) + one.weight
        kind, weight = max(by_kind.items(), key=lambda one: one[1])
        share = weight / stacks.total
        if share < LEAST_SHARE:
            continue
        longest = max((one for one in waits if one.kind == kind), key=lambda one: one.weight)
        factor = SECONDS.get(stacks.profile.unit)
        amount = f"{value_words(stacks.total * factor, 'seconds')} " if factor else "the time "
        text = f"{value_words(share, 'share')} of {amount}off the CPU waits for {title_of(kind)}"
        text += f", in {longest.path}" if longest.path else ""
        text += f" ({comm})" if (comm := _comm(stacks, longest.node)) else ""
        places = stacks.places_of_nodes(np.array([longest.node]))
        capture = wait_captures.of_kind(kind) or wait_captures.BLOCKED
        yield Statement("scheduling", text, places, "fact", "notable", capture)


def _waits(stacks: Stacks) -> Iterator[_Wait]:
    """Yield the stacks that wait for something that is known, the longest waits first."""
    weights = stacks.node_weight
    for node in np.argsort(-weights, kind="stable")[:MOST_STACKS].tolist():
        if not weights[node]:
            return
        names = stacks.path(node)
        point = wait_point(names)
        known = kinds().get(point.kind) if point else None
        if point and known and not (known.is_asleep or known.is_idle):
            yield _Wait(point.kind, path_of(names), node, float(weights[node]))


def _comm(stacks: Stacks, node: int) -> str:
    """Return who waits longest in a stack, "" when no task is named."""
    profile = stacks.profile
    mine = np.flatnonzero(profile.sample_node == node)
    if not len(mine):
        return ""
    longest = mine[int(np.argmax(stacks.weight[mine]))]
    return profile.threads[int(profile.sample_thread[longest])].comm
