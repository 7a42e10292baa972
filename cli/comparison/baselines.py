"""Baselines of a directory or of a service: a point added, the series, the trend of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.comparison import baseline_directory, baseline_tables

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cli.comparison.baseline_directory import Point
    from cli.comparison.baseline_documents import (
        AddedPointDocument,
        AnsweredSeriesDocument,
        SeriesDocument,
        ServiceSeriesDocument,
        TrendDocument,
    )
    from cli.comparison.baseline_options import Place
    from cli.comparison.runs import NamedRun
    from cli.service.profiles import Profile


class SeriesChoiceError(Exception):
    """No series, or more than one, has the names; the message lists them."""

    def __init__(self, found: Sequence[SeriesDocument]) -> None:
        """Describe the series with these names."""
        listed = "".join(f"\n  {line}" for line in baseline_tables.series_lines(found))
        super().__init__(
            f"{len(found) or 'no'} series match; choose with --project, --benchmark, --machine or --kernel"
            f"{listed}"
        )


def add(where: Place, point: Point, runs: Sequence[NamedRun]) -> Path | AddedPointDocument:
    """Store a point; return its folder, or the answer of the service.

    Raises:
        BaselineError: It is in the baseline, or cannot be written.
        ConnectionFailedError: The service failed.
    """
    if where.service is None:
        return baseline_directory.add(where.directory, point, runs)
    from cli.comparison import baseline_service  # noqa: PLC0415 - a directory needs no connection
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    with Connection(where.service) as connection:
        return baseline_service.add(connection, point, runs)


def series(where: Place) -> Sequence[SeriesDocument]:
    """Return every series.

    Raises:
        BaselineError: A point cannot be read.
        ConnectionFailedError: The service failed.
    """
    if where.service is None:
        return baseline_tables.series_documents(baseline_directory.headings_below(where.directory))
    return _series_of_service(where.service)


def trend(where: Place, names: dict[str, str | None], function: str | None) -> TrendDocument:
    """Return the trend of the one series with these names; None stands for any.

    Args:
        where: The directory or service.
        names: Project, benchmark, machine and kernel.
        function: Its time, as kind.function, instead of all CPU time.

    Raises:
        SeriesChoiceError: It is not one.
        BaselineError: A point cannot be read.
        ConnectionFailedError: The service failed.
    """
    if where.service is None:
        every = baseline_directory.points_below(where.directory)
        points = [point for point in every if _has(point, names)]
        _require_one(baseline_tables.series_documents(points))
        return baseline_tables.trend_document(points, function)
    found = _series_of_service(where.service, **names)
    _require_one(found)
    from cli.comparison import baseline_service  # noqa: PLC0415 - a directory needs no connection
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    with Connection(where.service) as connection:
        answer = baseline_service.trend(connection, found[0]["id"], function or baseline_tables.CPU_TIME)
    return baseline_tables.trend_of_service(answer)


def _series_of_service(service: Profile, **names: str | None) -> list[ServiceSeriesDocument]:
    from cli.comparison import baseline_service  # noqa: PLC0415 - a directory needs no connection
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    with Connection(service) as connection:
        answers: list[AnsweredSeriesDocument] = baseline_service.series(connection, **names)
    return [baseline_tables.series_of_service(answer) for answer in answers]


def _require_one(found: Sequence[SeriesDocument]) -> None:
    if len(found) != 1:
        raise SeriesChoiceError(found)


def _has(point: Point, names: dict[str, str | None]) -> bool:
    return all(value is None or getattr(point.series, name) == value for name, value in names.items())
