"""Queries of baselines and their points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import ARRAY, ColumnElement, Double, Text, cast, func, literal, select, true
from sqlalchemy.orm import undefer

from backend.access.decisions import sees_baseline
from backend.core.errors import NotFoundError
from backend.models.baseline import Baseline, BaselinePoint
from backend.models.team import Team

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.baselines.schemas import PointCreate, SeriesFilter
    from backend.core.http.pagination import Page


class Series(NamedTuple):
    """A baseline with the name of its team and its latest point; without one `points` is 0."""

    baseline: Baseline
    team: str | None
    points: int
    latest_at: datetime
    latest_commit: str


class Valued(NamedTuple):
    """A point and the value of one measure."""

    point: BaselinePoint
    value: float | None


def found(session: Session, principal: Principal, page: Page, by: SeriesFilter) -> list[Series]:
    """Return a page of the baselines that `principal` sees, by name."""
    query = _series(principal)
    for name, value in by.model_dump(exclude_none=True).items():
        query = query.where(getattr(Baseline, name) == value)
    order = (Baseline.project, Baseline.benchmark, Baseline.machine, Baseline.kernel, Baseline.id)
    return [Series(*row) for row in page.of(session, query, *order)]


def series(session: Session, principal: Principal, baseline_id: UUID) -> Series:
    """Return one baseline.

    Raises:
        NotFoundError: It does not exist or is not visible.
    """
    row = session.execute(_series(principal).where(Baseline.id == baseline_id)).one_or_none()
    if row is None:
        raise NotFoundError(absent(baseline_id))
    return Series(*row)


def point(session: Session, principal: Principal, baseline_id: UUID, point_id: UUID) -> BaselinePoint:
    """Return one point with its content.

    Raises:
        NotFoundError: It does not exist, or its baseline is not visible.
    """
    query = (
        select(BaselinePoint)
        .join(Baseline, Baseline.id == BaselinePoint.baseline_id)
        .where(BaselinePoint.id == point_id, Baseline.id == baseline_id, sees_baseline(principal))
        .options(undefer(BaselinePoint.content))
    )
    one = session.scalar(query)
    if one is None:
        raise NotFoundError(f"there is no point {point_id} in baseline {baseline_id}")
    return one


def valued(session: Session, baseline_id: UUID, measure: str) -> list[Valued]:
    """Return all points, oldest first, with their value of a measure."""
    value = cast(BaselinePoint.measures[measure].as_string(), Double)
    query = select(BaselinePoint, value).where(BaselinePoint.baseline_id == baseline_id)
    return [
        Valued(*row) for row in session.execute(query.order_by(BaselinePoint.measured_at, BaselinePoint.id))
    ]


def measures(session: Session, point_id: UUID) -> dict[str, float]:
    """Return every measure of a point."""
    return session.scalar(select(BaselinePoint.measures).where(BaselinePoint.id == point_id)) or {}


def held(session: Session, body: PointCreate, team_id: UUID | None) -> Baseline | None:
    """Return the series of a new point in a team, locked until the transaction ends; None: there is none."""
    names = (
        Baseline.project == body.project,
        Baseline.benchmark == body.benchmark,
        Baseline.machine == body.machine,
        Baseline.kernel == body.kernel,
        Baseline.team_id.is_not_distinct_from(team_id),
    )
    return session.scalar(select(Baseline).where(*names).with_for_update())


def with_recordings(session: Session, baseline_id: UUID, digests: Sequence[str]) -> list[BaselinePoint]:
    """Return the points of a baseline that have any of these recordings."""
    shares: ColumnElement[bool] = BaselinePoint.digests.bool_op("&&")(literal(list(digests), ARRAY(Text)))
    return list(
        session.scalars(select(BaselinePoint).where(BaselinePoint.baseline_id == baseline_id, shares))
    )


def oldest_beyond(session: Session, baseline_id: UUID, kept: int) -> list[BaselinePoint]:
    """Return the points beyond the latest `kept`."""
    query = select(BaselinePoint).where(BaselinePoint.baseline_id == baseline_id)
    latest = query.order_by(BaselinePoint.measured_at.desc(), BaselinePoint.id.desc())
    return list(session.scalars(latest.offset(kept)))


def count(session: Session, team_id: UUID | None) -> int:
    """Return how many baselines a team has."""
    query = select(func.count()).where(Baseline.team_id.is_not_distinct_from(team_id))
    return session.scalar(query.select_from(Baseline)) or 0


def stored_bytes(session: Session, team_id: UUID | None) -> int:
    """Return how much the contents of all points of a team take."""
    total = func.coalesce(func.sum(func.octet_length(BaselinePoint.content)), 0)
    query = select(total).join(Baseline, Baseline.id == BaselinePoint.baseline_id)
    return int(session.scalar(query.where(Baseline.team_id.is_not_distinct_from(team_id))) or 0)


def absent(baseline_id: UUID) -> str:
    """Return the message for a baseline that does not exist or is not visible."""
    return f"there is no baseline {baseline_id}"


def _series(principal: Principal) -> Select[Any, Any, Any, Any, Any]:
    latest = (
        select(BaselinePoint.commit, BaselinePoint.measured_at)
        .where(BaselinePoint.baseline_id == Baseline.id)
        .order_by(BaselinePoint.measured_at.desc(), BaselinePoint.id.desc())
        .limit(1)
        .lateral("latest")
    )
    points = select(func.count()).where(BaselinePoint.baseline_id == Baseline.id).scalar_subquery()
    return (
        select(
            Baseline,
            Team.name,
            points,
            func.coalesce(latest.c.measured_at, Baseline.created_at),
            func.coalesce(latest.c.commit, ""),
        )
        .outerjoin(Team, Team.id == Baseline.team_id)
        .outerjoin(latest, true())
        .where(sees_baseline(principal))
    )
