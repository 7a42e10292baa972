"""Baselines: add points, delete them."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from backend.baselines import queries
from backend.core.errors import ConflictError
from backend.models.base import uuid7
from backend.models.baseline import Baseline, BaselinePoint
from backend.models.team import TeamMember
from ingest.comparison.costs import Run
from ingest.comparison.costs_document import from_document
from ingest.comparison.trend import values

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.baselines.schemas import PointCreate

MAX_POINTS = 500
"""Points of one series, the latest: as many as change points are searched in."""

MAX_SERIES = 1000
"""Series of one team, and of those without a team."""

MAX_STORED_BYTES = 1 << 30
"""Contents of all points of one team, and of those without a team."""

GZIP_LEVEL = 6


def add(session: Session, principal: Principal, body: PointCreate) -> tuple[BaselinePoint, bool]:
    """Add a point, and return it and whether it is new; the same recordings are added once.

    The series is created when missing, in the team that `principal` joined first. It keeps its latest
    `MAX_POINTS` points.

    Raises:
        ConflictError: A recording is in another point, or the team has too many series or stores too much.
    """
    team_id = _team_of(session, principal)
    baseline = queries.held(session, body, team_id) or _create(session, body, team_id)
    digests = sorted({digest for run in body.runs for digest in run.sha256})
    for other in queries.with_recordings(session, baseline.id, digests):
        if other.digests == digests:
            return other, False
        raise ConflictError(
            f"a recording of this point is in point {other.id}, of commit {other.commit or 'unknown'}"
        )
    if queries.stored_bytes(session, team_id) >= MAX_STORED_BYTES:
        raise ConflictError(
            f"the baselines take {MAX_STORED_BYTES:,} bytes already; delete those that are not used any more"
        )
    runs = [Run(from_document(run.costs), run.work) for run in body.runs]
    point = BaselinePoint(
        baseline_id=baseline.id,
        commit=body.commit,
        measured_at=body.measured_at,
        author=principal.name,
        is_work_known=body.is_work_known,
        comms=sorted(set(body.comms)),
        digests=digests,
        runs=len(runs),
        unit=runs[0].costs.unit,
        measures=values(runs),
        content=_packed({"runs": [run.model_dump() for run in body.runs], "stacks": body.stacks}),
    )
    session.add(point)
    baseline.updated_at = func.now()
    session.flush()
    for old in queries.oldest_beyond(session, baseline.id, MAX_POINTS):
        session.delete(old)
    return point, True


def content(point: BaselinePoint) -> dict[str, Any]:
    """Return costs of the runs and merged stacks of a point."""
    unpacked: dict[str, Any] = json.loads(gzip.decompress(point.content))
    return unpacked


def delete_point(session: Session, point: BaselinePoint) -> None:
    """Delete a point, and its series with the last one."""
    baseline_id = point.baseline_id
    session.delete(point)
    session.flush()
    if not queries.oldest_beyond(session, baseline_id, 0):
        delete(session, baseline_id)


def delete(session: Session, baseline_id: UUID) -> None:
    """Delete a series with its points."""
    session.delete(session.get_one(Baseline, baseline_id))


def _team_of(session: Session, principal: Principal) -> UUID | None:
    joined = select(TeamMember.team_id).where(TeamMember.account_id == principal.id)
    return session.scalar(joined.order_by(TeamMember.created_at, TeamMember.team_id).limit(1))


def _create(session: Session, body: PointCreate, team_id: UUID | None) -> Baseline:
    if queries.count(session, team_id) >= MAX_SERIES:
        raise ConflictError(
            f"there are {MAX_SERIES:,} baselines already; delete those that are not used any more"
        )
    names = {name: getattr(body, name) for name in ("project", "benchmark", "machine", "kernel")}
    # Another request may create it at the same time.
    created = insert(Baseline).values(id=uuid7(), team_id=team_id, **names).on_conflict_do_nothing()
    session.execute(created)
    found = queries.held(session, body, team_id)
    assert found is not None  # noqa: S101 - it is there, and locked rows are not deleted
    return found


def _packed(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    return gzip.compress(text.encode(), GZIP_LEVEL, mtime=0)
