"""Readings of one stack each, alike but for the thread: `/proc/PID/stack` of a report of thousands of tasks.

What a condition does not see in one of them, it sees in none of those that are alike: the first stands for
the others, as the first of the logs without a record does (`scope_logs`). What it sees names the thread, and
is observed in each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.observation import State

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from ingest.model.reading import Reading
    from signatures.judging.observation import Observation


def stack_of(reading: Reading) -> Hashable | None:
    """Return what readings of one stack without weight have in common; None for all other readings."""
    if len(reading.profiles) != 1 or reading.row_sets or reading.facts or reading.log_records:
        return None
    profile = reading.profiles[0]
    if profile.what != "bare" or len(profile.sample_node) != 1 or reading.tables or reading.histograms:
        return None
    columns = (profile.node_parent, profile.node_frame, profile.sample_node, profile.sample_weight)
    names = tuple(thread.comm for thread in profile.threads)
    return profile.frames, names, reading.quality, *(one.tobytes() for one in columns)


def shows_nothing(found: Iterable[Observation]) -> bool:
    """Return whether all observations of a reading are undecided, and name nothing of it."""
    results = (one.match_result for one in found)
    return all(
        one.state is State.UNKNOWN and not (one.process or one.cgroup or one.threads or one.citations)
        for one in results
    )
