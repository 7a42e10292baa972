"""What a new build was compared with: recorded runs of a base, or points of a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.rendering.comparison_headline import Baseline, BaselinePoint, Comparison

SHOWN_COMMIT = 12
"""Characters of a commit."""


def base_words(comparison: Comparison) -> str:
    """Return what the new build was compared with, `6 runs, runs/base-1.script …`."""
    baseline = comparison.baseline
    if baseline is not None and baseline.is_base:
        return f"baseline, {baseline_words(baseline)}"
    return f"{_count(len(comparison.base), 'run')}, {places(comparison.base)}"


def baseline_words(baseline: Baseline) -> str:
    """Return its points and place, `2 points, 8843d7f (2026-11-22 20:15 UTC) to …, in perf`."""
    if baseline.failure:
        return f"{bare(baseline.place)}: not used, {bare(baseline.failure)}"
    if not baseline.points:
        return f"{bare(baseline.place)}: no point of this project, benchmark, machine and kernel"
    ends = dict.fromkeys(_point_words(one) for one in (baseline.points[0], baseline.points[-1]))
    count = _count(len(baseline.points), "point")
    return f"{count}, {' to '.join(ends)}, in {bare(baseline.place)}"


def places(paths: Sequence[str]) -> str:
    """Return the first path, with a mark where there are more."""
    return f"{bare(paths[0])}{' …' if len(paths) > 1 else ''}"


def _point_words(point: BaselinePoint) -> str:
    at = f"{point.at[:16].replace('T', ' ')} UTC"
    return f"{bare(point.commit[:SHOWN_COMMIT])} ({at})" if point.commit else at


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
