"""Runs of one build as a point of a baseline."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from cli.comparison.baseline_directory import Point
from cli.comparison.baseline_options import series_of
from cli.comparison.runs import read_runs
from ingest.comparison.comparability import comparability
from ingest.model.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.comparison.baseline_options import Names
    from cli.comparison.runs import NamedRun


def measured_point(
    paths: Sequence[str],
    names: Names,
    *,
    commit: str,
    at: datetime | None,
    work: str,
    event: str | None,
    comms: tuple[str, ...],
) -> tuple[Point, list[NamedRun]]:
    """Return the point of the runs in `paths`, and the runs.

    Args:
        paths: Files, directories and globs.
        names: Of the series; without a machine it is number and model of the CPUs.
        commit: What was measured.
        at: When, in UTC; None for now.
        work: Units of work of each run, as in `read_runs`.
        event: Needed where recordings have several.
        comms: Threads that count; empty for all.

    Raises:
        UsageError: A path or an option is wrong, or the runs are not of one build on one machine.
        NoStacksError: A run has no stacks.
    """
    runs = read_runs(paths, event, Selection(comms=comms, has_idle=False), work)
    costs = [one.run.costs for one in runs]
    units = [one.run.work for one in runs]
    check = comparability(costs, costs, [*units, *units], is_work_known=bool(work), unchecked=("order",))
    for one in check.differences:
        raise click.UsageError(f"the runs are not of one build on one machine: {one.sentence}")
    measured = (at.replace(tzinfo=UTC) if at else datetime.now(UTC)).isoformat(timespec="seconds")
    series = series_of(costs, names)
    return Point(series, commit, measured, bool(work), comms, tuple(one.run for one in runs)), runs
