"""Baselines in a service: points sent to it, its series and trends, points for a comparison."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from cli.comparison.baseline_directory import BaselineError, Point, Series

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.comparison.baseline_documents import (
        AddedPointDocument,
        AnsweredPointDocument,
        AnsweredSeriesDocument,
        AnsweredTrendDocument,
        SentPointDocument,
        SentRunDocument,
    )
    from cli.comparison.runs import NamedRun
    from cli.service.connection import Connection
    from ingest.comparison.costs import Run

FORMAT = 1
MAX_BODY_BYTES = 1_000_000
"""Of a point as JSON; the service takes 1 MiB."""

LATEST_POINTS = 50
"""Points of a series that a build is compared with."""

MAX_SERIES = 20


def add(connection: Connection, point: Point, runs: Sequence[NamedRun]) -> AddedPointDocument:
    """Add a point and return the answer; it has the same id when the recordings are there already.

    Raises:
        BaselineError: It is larger than the service takes.
    """
    from ingest.comparison import stacks_document  # noqa: PLC0415 - a list needs no numbers

    document = _document(point, runs)
    rows = stacks_document.MAX_ROWS
    while rows >= 1:
        body = {**document, "stacks": stacks_document.to_document(point.runs, max_rows=rows)}
        if len(json.dumps(body).encode()) <= MAX_BODY_BYTES:
            added: AddedPointDocument = connection.change("POST", "baselines", body)
            return added
        rows //= 2
    raise BaselineError(f"{len(runs)} runs with their functions are more than {MAX_BODY_BYTES:,} bytes")


def series(connection: Connection, **names: str | None) -> list[AnsweredSeriesDocument]:
    """Return the series with these names."""
    known: dict[str, Any] = {name: value for name, value in names.items() if value is not None}
    return list(connection.items("baselines", **known))


def trend(connection: Connection, baseline_id: str, measure: str) -> AnsweredTrendDocument:
    """Return the trend of one series."""
    found: AnsweredTrendDocument = connection.get(f"baselines/{baseline_id}", measure=measure)
    return found


def points(connection: Connection, **names: str | None) -> list[Point]:
    """Return the latest points of every series with these names, oldest first.

    Raises:
        BaselineError: A point is of another format.
    """
    found: list[Point] = []
    for one in islice(series(connection, **names), MAX_SERIES):
        answer: AnsweredTrendDocument = connection.get(f"baselines/{one['id']}")
        found += [_point(connection, one, summary["id"]) for summary in answer["trend"][-LATEST_POINTS:]]
    return found


def _point(connection: Connection, one: AnsweredSeriesDocument, point_id: str) -> Point:
    from ingest.comparison.costs_document import CostsDocumentError  # noqa: PLC0415 - a list needs no numbers

    document: AnsweredPointDocument = connection.get(f"baselines/{one['id']}/points/{point_id}")
    try:
        return Point(
            Series(one["project"], one["benchmark"], one["machine"], one["kernel"]),
            commit=document["commit"],
            at=document["measured_at"],
            is_work_known=document["is_work_known"],
            comms=tuple(document["comms"]),
            runs=tuple(map(_run, document["runs"])),
            digests=frozenset(digest for run in document["runs"] for digest in run["sha256"]),
        )
    except (CostsDocumentError, KeyError, TypeError) as error:
        raise BaselineError(f"point {point_id} of the service cannot be read: {error}") from None


def _run(document: SentRunDocument) -> Run:
    from ingest.comparison import costs_document  # noqa: PLC0415 - a list needs no numbers
    from ingest.comparison.costs import Run  # noqa: PLC0415 - same

    return Run(costs_document.from_document(document["costs"]), float(document["work"]))


def _document(point: Point, runs: Sequence[NamedRun]) -> SentPointDocument:
    from ingest.comparison import costs_document  # noqa: PLC0415 - a list needs no numbers

    return {
        "format": FORMAT,
        **point.series.document(),
        "commit": point.commit,
        "measured_at": point.at,
        "is_work_known": point.is_work_known,
        "comms": list(point.comms),
        "runs": [
            {
                "sha256": sorted(run.digests),
                "work": run.run.work,
                "costs": costs_document.to_document(run.run.costs),
            }
            for run in runs
        ],
    }
