"""Comparison of a new build with a base or a baseline: the core of `casebook diff`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from cli.comparison.baseline_directory import comparable
from cli.comparison.baseline_options import series_of
from cli.comparison.runs import read_runs, refuse_repeated
from cli.process import exits
from cli.process.arguments import refuse_strangers
from ingest.comparison.compare import compare, compare_with_baseline
from ingest.comparison.results import Status
from ingest.comparison.trend import of_level
from ingest.model.selection import Selection
from signatures.rendering.comparison_headline import Baseline, BaselinePoint, Comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cli.comparison.baseline_directory import Point
    from cli.comparison.baseline_options import Names
    from cli.comparison.runs import Judged
    from ingest.comparison.costs import Run
    from ingest.comparison.rules import Rules
    from signatures.reporting.fail_on import FailOnPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPair:
    """Two builds, and which of their samples count.

    Attributes:
        before: Paths of the runs of the base; empty where the baseline stands for it.
        after: Paths of the runs of the new build.
        names: Of the series of the baseline.
        points: Points of the baseline; None without one.
        place: Of the baseline: a directory, or the URL of a service.
        failure: Why the service did not give its points, "" where it did.
        work: Units of work of each run, as in `read_runs`.
        event: Needed where recordings have several.
        comms: Threads that count; empty for all.
        focus: Functions through which samples count; empty for all.
    """

    before: Sequence[str]
    after: Sequence[str]
    names: Names
    points: Callable[[], list[Point]] | None
    place: str
    failure: str
    work: str
    event: str | None
    comms: tuple[str, ...]
    focus: tuple[str, ...]


def compare_builds(
    pair: BuildPair, rules: Rules, gates: Sequence[FailOnPolicy] = (), libraries: Sequence[Path] = ()
) -> Comparison:
    """Compare two builds.

    Args:
        pair: The builds.
        rules: What fails.
        gates: Expressions of --fail-on; runs are judged if there are any.
        libraries: Folders of signatures to judge by besides the library of Casebook.

    Raises:
        UsageError: A path, an option or an expression is wrong, or a recording is there twice.
        NoStacksError: A run has no stacks.
        BaselineError: A point cannot be read, or counts other threads or units of work.
    """
    findings_of = _judged(gates, libraries) if gates else None
    selection = Selection(comms=pair.comms, focus=pair.focus, has_idle=False)
    base = read_runs(pair.before, pair.event, selection, pair.work, findings_of)
    new = read_runs(pair.after, pair.event, selection, pair.work, findings_of)
    is_work_known = bool(pair.work)
    points: list[Point] = []
    if pair.points is not None:
        series = series_of([one.run.costs for one in new], pair.names)
        points = comparable(pair.points(), series, comms=pair.comms, is_work_known=is_work_known)
    refuse_repeated([(one.path, one.digests) for one in (*base, *new)])
    ours, theirs = [one.run for one in base], [one.run for one in new]
    sessions: list[Sequence[Run]] = [point.runs for point in points]
    has_counters = not (pair.comms or pair.focus)
    if base:
        result = compare(
            ours, theirs, rules, is_work_known=is_work_known, has_counters=has_counters, history=sessions
        )
    else:
        sessions = of_level(sessions)
        points = points[len(points) - len(sessions) :]
        result = compare_with_baseline(
            sessions, theirs, rules, is_work_known=is_work_known, has_counters=has_counters
        )
    comparison = Comparison(
        tuple(one.path for one in base) or tuple(path for point in points for path in point.paths),
        tuple(one.path for one in new),
        result,
        has_work=is_work_known,
        is_interleaved=bool(base),
        baseline=None if pair.points is None else _baseline(pair, points, is_base=not base),
    )
    if not gates:
        return comparison
    from cli.comparison.findings import met_gates  # noqa: PLC0415 - a comparison of costs judges nothing

    return replace(comparison, gates=met_gates(gates, base, new))


def _baseline(pair: BuildPair, points: Sequence[Point], *, is_base: bool) -> Baseline:
    found = tuple(BaselinePoint(one.name, one.commit, one.at, len(one.runs)) for one in points)
    return Baseline(pair.place, found, is_base, pair.failure)


def status_of(comparison: Comparison, *, passes_inconclusive: bool) -> int:
    """Return the exit status of a comparison."""
    statuses = {
        Status.PASS: 0,
        Status.FAIL: exits.CHECK_FAILED,
        Status.INCONCLUSIVE: 0 if passes_inconclusive else exits.INCONCLUSIVE,
        Status.NOT_COMPARABLE: exits.NOT_COMPARABLE,
    }
    return statuses[comparison.status]


def _judged(gates: Sequence[FailOnPolicy], libraries: Sequence[Path]) -> Judged:
    """Return what judges the evidence of a run; refuse expressions about unknown signatures."""
    from cli.comparison.findings import findings_of  # noqa: PLC0415 - a comparison of costs judges nothing
    from cli.process.libraries import catalog_of  # noqa: PLC0415 - same

    catalog = catalog_of(libraries)
    refuse_strangers(gates, [one.id for one in catalog.signatures])
    return partial(findings_of, catalog=catalog)
