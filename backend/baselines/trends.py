"""Trend of a series, and the difference of two of its points."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from backend.baselines import queries, service
from backend.baselines.schemas import BaselineRead, ChangeRead, PointRead, TrendRead
from backend.core.errors import UnsupportedQueryError
from ingest.comparison.measures import CPU_TIME
from ingest.comparison.stacks_document import from_document
from ingest.comparison.trend import trend_of
from ingest.export.difference import Order, difference
from ingest.export.whole import whole
from ingest.native.views import View

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.baselines.queries import Series
    from backend.models.baseline import BaselinePoint

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


def diff(
    base: BaselinePoint, new: BaselinePoint, *, min_share: float, min_delta: float, order: Order
) -> bytes:
    """Return the merged stacks of two points as one diff tree: `a` is the base, `b` the new one.

    Raises:
        UnsupportedQueryError: A point was added without stacks.
    """
    before, after = _view(base), _view(new)
    document = {
        "profile_id": str(new.id),
        "base_id": str(base.id),
        **difference(before, after, min_share=min_share, min_delta=min_delta, order=order),
        "whole": whole(after.profile, ()),
        "base_whole": whole(before.profile, ()),
    }
    return json.dumps(document, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode(
        "utf-8", "replace"
    )


def _view(point: BaselinePoint) -> View:
    stacks: dict[str, Any] | None = service.content(point)["stacks"]
    if stacks is None:
        raise UnsupportedQueryError(
            f"the point of commit {point.commit or 'unknown'} was added without stacks"
        )
    return View(from_document(stacks))


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
