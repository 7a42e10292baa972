"""Series and trends of baselines as tables; the same documents are printed as JSON.

A document of a series is its names, `points` and `latest`; one of a trend its names, `measure`, `unit`,
`points` and `changes`. Points of a directory have recordings, those of a service have ids.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from signatures.rendering.amounts import cost, percent
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cli.comparison.baseline_directory import Heading, Point

NAMES = ("project", "benchmark", "machine", "kernel")
CPU_TIME = "cpu"
"""Measure of everything, as `ingest.comparison.measures` names it."""


def series_name(document: Mapping[str, Any]) -> str:
    """Return all names of a series in one line."""
    return bare(" · ".join(document[name] or "unknown" for name in NAMES))


def series_documents(points: Sequence[Heading | Point]) -> list[dict[str, Any]]:
    """Return a document for each series of points, which are in order of time."""
    documents = []
    for series in sorted({point.series for point in points}):
        of_series = [point for point in points if point.series == series]
        last = of_series[-1]
        documents.append(
            asdict(series) | {"points": len(of_series), "latest": last.at, "latest_commit": last.commit}
        )
    return documents


def series_of_service(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a series in the answer of a service."""
    names = {name: answer[name] for name in (*NAMES, "points")}
    return names | {
        "latest": answer["latest_at"],
        "latest_commit": answer["latest_commit"],
        "team": answer["team"],
        "id": answer["id"],
    }


def series_lines(documents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield each series with its number of points and the latest."""
    for one in documents:
        count = "1 point" if one["points"] == 1 else f"{one['points']} points"
        team = f" (team {bare(one['team'])})" if one.get("team") else ""
        latest = f"{one['latest']} {bare(one['latest_commit'][:12])}".rstrip()
        yield f"{series_name(one)}{team}: {count}, latest {latest}"


def trend_document(points: Sequence[Point], function: str | None) -> dict[str, Any]:
    """Return the trend of the points of one series, which are in order of time."""
    from ingest.comparison.trend import trend  # noqa: PLC0415 - a list needs no numbers

    found = trend([point.runs for point in points], function or CPU_TIME)
    return {
        **asdict(points[0].series),
        "measure": function or CPU_TIME,
        "unit": points[0].runs[0].costs.unit,
        "points": [
            {
                "at": point.at,
                "commit": point.commit,
                "runs": len(point.runs),
                "is_work_known": point.is_work_known,
                "value": value,
                "recordings": point.paths,
            }
            for point, value in zip(points, found.values, strict=True)
        ],
        "changes": [change._asdict() for change in found.changes],
    }


def trend_of_service(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a trend in the answer of a service."""
    return {
        **{name: answer[name] for name in (*NAMES, "measure", "unit")},
        "points": [
            {"at": point["measured_at"]}
            | {name: point[name] for name in ("commit", "runs", "is_work_known", "value", "id")}
            for point in answer["trend"]
        ],
        "changes": answer["changes"],
    }


def trend_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield one row for each point, oldest first, and the change points."""
    changes = {change["at"]: change["growth"] for change in document["changes"]}
    points, measure = document["points"], document["measure"]
    per = "unit of work" if points and points[0]["is_work_known"] else "run"
    yield series_name(document)
    shown = "CPU time" if measure == CPU_TIME else bare(measure)
    yield f"{'time':<25}  {'commit':<12}  {'runs':>4}  {shown} per {per}"
    for at, point in enumerate(points):
        value = "–" if point["value"] is None else cost(point["value"], document["unit"])
        change = f"  change {percent(changes[at])}" if at in changes else ""
        yield f"{point['at']:<25}  {bare(point['commit'][:12]):<12}  {point['runs']:>4}  {value}{change}"
