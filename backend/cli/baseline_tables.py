"""Series and trends of baselines as tables and JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from backend.cli.diff_text import cost, percent
from backend.cli.output import bare
from ingest.comparison.measures import CPU_TIME
from ingest.comparison.trend import trend

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from backend.cli.baseline_directory import Point, Series


def series_name(series: Series) -> str:
    """Return all of a series in one line."""
    return bare(" · ".join((series.project, series.benchmark, series.machine, series.kernel or "unknown")))


def series_lines(points: Sequence[Point]) -> Iterator[str]:
    """Yield each series with its number of points and the latest."""
    for series in sorted({point.series for point in points}):
        of_series = [point for point in points if point.series == series]
        last = of_series[-1]
        count = "1 point" if len(of_series) == 1 else f"{len(of_series)} points"
        yield f"{series_name(series)}: {count}, latest {last.at} {bare(last.commit[:12])}".rstrip()


def series_json(points: Sequence[Point]) -> str:
    """Return the same as JSON."""
    rows = []
    for series in sorted({point.series for point in points}):
        of_series = [point for point in points if point.series == series]
        rows.append(asdict(series) | {"points": len(of_series), "latest": of_series[-1].at})
    return json.dumps(rows, indent=2) + "\n"


def trend_lines(points: Sequence[Point], function: str | None) -> Iterator[str]:
    """Yield one row for each point, oldest first, and the change points."""
    found = trend([point.runs for point in points], function or CPU_TIME)
    changes = {change.at: change.growth for change in found.changes}
    unit = points[0].runs[0].costs.unit
    per = "unit of work" if points[0].is_work_known else "run"
    yield series_name(points[0].series)
    yield f"{'time':<25}  {'commit':<12}  {'runs':>4}  {bare(function or 'CPU time')} per {per}"
    for at, (point, value) in enumerate(zip(points, found.values, strict=True)):
        shown = "–" if value is None else cost(value, unit)
        change = f"  change {percent(changes[at])}" if at in changes else ""
        yield f"{point.at:<25}  {bare(point.commit[:12]):<12}  {len(point.runs):>4}  {shown}{change}"


def trend_json(points: Sequence[Point], function: str | None) -> str:
    """Return the same as JSON."""
    found = trend([point.runs for point in points], function or CPU_TIME)
    document = {
        **asdict(points[0].series),
        "measure": function or CPU_TIME,
        "unit": points[0].runs[0].costs.unit,
        "points": [
            {
                "at": point.at,
                "commit": point.commit,
                "value": value,
                "recordings": point.paths,
            }
            for point, value in zip(points, found.values, strict=True)
        ],
        "changes": [change._asdict() for change in found.changes],
    }
    return json.dumps(document, indent=2) + "\n"
