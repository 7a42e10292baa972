"""Trend of a series, and the difference of two of its points."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from backend.baselines import queries, service
from backend.baselines.schemas import BaselineRead, ChangeRead, PointRead, TrendRead
from backend.core.errors import UnsupportedQueryError
from backend.sandbox.envelope import answer_of_request
from ingest.comparison.measures import CPU_TIME
from ingest.comparison.trend import trend_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.baselines.queries import Series
    from backend.models.baseline import BaselinePoint
    from backend.profiles.caching import Work
    from backend.sandbox.kept_forks import KeptForks

MAX_MEASURES = 1000
COUNTER_UNITS = {"task-clock": "ms"}


def describe(series: Series) -> BaselineRead:
    """Return one series without its points."""
    baseline = series.baseline
    return BaselineRead(
        id=baseline.id,
        project=baseline.project,
        benchmark=baseline.benchmark,
        machine=baseline.machine,
        kernel=baseline.kernel,
        team_id=baseline.team_id,
        team=series.team,
        points=series.points,
        latest_at=series.latest_at,
        latest_commit=series.latest_commit,
    )


def trend(session: Session, series: Series, measure: str) -> TrendRead:
    """Return a series with its points and the change points of a measure."""
    rows = queries.valued(session, series.baseline.id, measure)
    found = trend_of([row.value for row in rows])
    latest = queries.measures(session, rows[-1].point.id) if rows else {}
    return TrendRead(
        **describe(series).model_dump(),
        measure=measure,
        unit=_unit(measure, rows[-1].point.unit if rows else ""),
        trend=[_point(row) for row in rows],
        changes=[ChangeRead(at=change.at, growth=change.growth) for change in found.changes],
        measures=sorted(latest, key=lambda name: ("." in name, -latest[name], name))[:MAX_MEASURES],
    )


def diff(forks: KeptForks, base: BaselinePoint, new: BaselinePoint, **options: Any) -> Work:
    """Unpack the merged stacks of two points; return the computation of their diff tree.

    `a` is the base, `b` the new one.

    Raises:
        UnsupportedQueryError: A point was added without stacks.
    """
    question = {
        "ask": "diff of stacks",
        "base": {"id": str(base.id), "stacks": _stacks(base)},
        "new": {"id": str(new.id), "stacks": _stacks(new)},
        "options": options,
    }
    return partial(answer_of_request, forks, None, {}, question, what="the difference")


def _stacks(point: BaselinePoint) -> dict[str, Any]:
    stacks: dict[str, Any] | None = service.content(point)["stacks"]
    if stacks is None:
        raise UnsupportedQueryError(
            f"the point of commit {point.commit or 'unknown'} was added without stacks"
        )
    return stacks


def _point(row: queries.Valued) -> PointRead:
    point = row.point
    return PointRead(
        id=point.id,
        commit=point.commit,
        measured_at=point.measured_at,
        author=point.author,
        runs=point.runs,
        is_work_known=point.is_work_known,
        comms=point.comms,
        value=row.value,
    )


def _unit(measure: str, unit: str) -> str:
    """Return the unit of a measure: that of the weights, or of the counter."""
    return unit if measure == CPU_TIME or "." in measure else COUNTER_UNITS.get(measure, "count")
