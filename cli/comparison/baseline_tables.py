"""Series and trends of baselines as tables; the same documents are printed as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from signatures.rendering.amounts import cost, percent
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.comparison.baseline_directory import Heading, Point
    from cli.comparison.baseline_documents import (
        AddedPointDocument,
        AnsweredSeriesDocument,
        AnsweredTrendDocument,
        NamesDocument,
        SeriesDocument,
        ServiceSeriesDocument,
        TrendDocument,
    )

CPU_TIME = "cpu"
"""Measure of everything, as `ingest.comparison.measures` names it."""


def series_name(document: NamesDocument) -> str:
    """Return all names of a series in one line."""
    names = (document["project"], document["benchmark"], document["machine"], document["kernel"])
    return bare(" · ".join(name or "unknown" for name in names))


def names_of(document: NamesDocument) -> NamesDocument:
    """Return the names in the document of a series."""
    return {
        "project": document["project"],
        "benchmark": document["benchmark"],
        "machine": document["machine"],
        "kernel": document["kernel"],
    }


def stored_line(place: Path | AddedPointDocument, count: int) -> str:
    """Return where `count` runs are stored: in a folder, or by the answer of a service."""
    runs = "1 run" if count == 1 else f"{count} runs"
    if isinstance(place, Path):
        return f"{runs} stored in {place}"
    if place["is_new"]:
        return f"{runs} stored as point {place['id']} of baseline {place['baseline_id']}"
    return f"these runs are stored already, as point {place['id']}"


def series_documents(points: Sequence[Heading | Point]) -> list[SeriesDocument]:
    """Return a document for each series of points, which are in order of time."""
    documents: list[SeriesDocument] = []
    for series in sorted({point.series for point in points}):
        of_series = [point for point in points if point.series == series]
        last = of_series[-1]
        documents.append(
            {
                **series.document(),
                "points": len(of_series),
                "latest": last.at,
                "latest_commit": last.commit,
            }
        )
    return documents


def series_of_service(answer: AnsweredSeriesDocument) -> ServiceSeriesDocument:
    """Return the document of a series in the answer of a service."""
    return {
        **names_of(answer),
        "points": answer["points"],
        "latest": answer["latest_at"],
        "latest_commit": answer["latest_commit"],
        "team": answer["team"],
        "id": answer["id"],
    }


def series_lines(documents: Sequence[SeriesDocument | ServiceSeriesDocument]) -> Iterator[str]:
    """Yield each series with its number of points and the latest."""
    for one in documents:
        count = "1 point" if one["points"] == 1 else f"{one['points']} points"
        team = one.get("team")
        of_team = f" (team {bare(str(team))})" if team else ""
        latest = f"{one['latest']} {bare(one['latest_commit'][:12])}".rstrip()
        yield f"{series_name(one)}{of_team}: {count}, latest {latest}"


def trend_document(points: Sequence[Point], function: str | None) -> TrendDocument:
    """Return the trend of the points of one series, which are in order of time."""
    from ingest.comparison.trend import trend  # noqa: PLC0415 - a list needs no numbers

    found = trend([point.runs for point in points], function or CPU_TIME)
    return {
        **points[0].series.document(),
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
        "changes": [{"at": change.at, "growth": change.growth} for change in found.changes],
    }


def trend_of_service(answer: AnsweredTrendDocument) -> TrendDocument:
    """Return the document of a trend in the answer of a service."""
    return {
        **names_of(answer),
        "measure": answer["measure"],
        "unit": answer["unit"],
        "points": [
            {
                "at": point["measured_at"],
                "commit": point["commit"],
                "runs": point["runs"],
                "is_work_known": point["is_work_known"],
                "value": point["value"],
                "id": point["id"],
            }
            for point in answer["trend"]
        ],
        "changes": answer["changes"],
    }


def trend_lines(document: TrendDocument) -> Iterator[str]:
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
