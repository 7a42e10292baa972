"""Queries for repeated measurements and histograms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, or_, select

from backend.core.errors import NotFoundError
from backend.models.evidence import Evidence
from backend.models.fact import Fact
from backend.models.histogram import Histogram
from backend.models.reading import Reading
from backend.models.row_set import RowSet
from backend.models.section import Section
from backend.models.standing import standing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.models.case import Case

MAX_FACTS = 50_000
MOST = 1e300
PHASES = {"before": 0, "during": 1, "after": 2}


class SeriesPlace(NamedTuple):
    """Position of something read."""

    digest: str
    store_key: str
    evidence_id: UUID
    evidence_name: str
    section: int


class Measured(NamedTuple):
    """One value of a repeated measurement, in order of capture."""

    fact: Fact
    host_id: UUID | None
    evidence_id: UUID
    evidence_name: str


def row_sets(session: Session, case: Case) -> list[tuple[RowSet, SeriesPlace]]:
    """Return the row sets of the active evidence of the case."""
    return [
        (row, SeriesPlace(*place))
        for row, *place in session.execute(_standing(RowSet, case).order_by(Evidence.id, RowSet.ordinal))
    ]


def row_set(session: Session, case: Case, row_set_id: UUID) -> tuple[RowSet, SeriesPlace]:
    """Return one row set of the case.

    Raises:
        NotFoundError: There is none.
    """
    found = session.execute(_standing(RowSet, case).where(RowSet.id == row_set_id)).one_or_none()
    if found is None:
        raise NotFoundError(f"case {case.number} has no row set {row_set_id}")
    row, *place = found
    return row, SeriesPlace(*place)


def histograms(session: Session, case: Case) -> list[tuple[Histogram, SeriesPlace]]:
    """Return the histograms of the active evidence of the case."""
    return [
        (row, SeriesPlace(*place))
        for row, *place in session.execute(
            _standing(Histogram, case).order_by(Evidence.id, Section.ordinal, Histogram.ordinal)
        )
    ]


def has_any(session: Session, case: Case) -> bool:
    """Return whether the active evidence of the case has a histogram, rows, pressure or a repeated fact."""
    tables = or_(*(_standing(model, case).exists() for model in (RowSet, Histogram)))
    return bool(session.scalar(select(tables)) or pressures(session, case) or repeated_facts(session, case))


def repeated_facts(session: Session, case: Case) -> list[tuple[str, str, int]]:
    """Return name, unit and count of facts with several values of one subject."""
    again = (
        _facts(case, Fact.name, func.min(Fact.unit).label("unit"), func.count().label("measured"))
        .group_by(Fact.name, Fact.labels, Evidence.host_id)
        .having(func.count() > 1)
        .subquery()
    )
    query = select(again.c.name, func.min(again.c.unit), func.sum(again.c.measured))
    rows = session.execute(query.group_by(again.c.name).order_by(again.c.name))
    return [(name, unit, int(measured)) for name, unit, measured in rows]


def pressures(session: Session, case: Case) -> list[tuple[str, int]]:
    """Return the resources with pressure readings, and their counts."""
    resource = func.split_part(Fact.name, ".", 2)
    query = _facts(case, resource, func.count()).where(Fact.name.like("pressure.%.avg%!_share", escape="!"))
    return [
        (name, int(count)) for name, count in session.execute(query.group_by(resource).order_by(resource))
    ]


def measured(session: Session, case: Case, prefix: str, *, is_prefix: bool = False) -> list[Measured]:
    """Return the values of facts by name in order of capture: phase, path, snapshot."""
    query = _facts(
        case,
        Fact,
        Evidence.host_id,
        Evidence.phase,
        Evidence.id,
        func.coalesce(func.nullif(Evidence.captured_path, ""), Evidence.filename),
    ).limit(MAX_FACTS)
    query = query.where(Fact.name.startswith(prefix, autoescape=True) if is_prefix else Fact.name == prefix)
    rows = sorted(
        session.execute(query), key=lambda row: (PHASES.get(row[2], 1), _natural(row[4]), row[0].id)
    )
    return [Measured(fact, host_id, evidence_id, name) for fact, host_id, _, evidence_id, name in rows]


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a natural sort key: `t5/proc/vmstat` before `t10/proc/vmstat`."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _facts(case: Case, *columns: Any) -> Select[Any]:
    # A limit of `max` is infinite and cannot be drawn.
    return standing(select(*columns).select_from(Fact), Fact).where(
        Fact.case_id == case.id, Fact.number.between(-MOST, MOST)
    )


def _standing(model: type[RowSet | Histogram], case: Case) -> Select[Any]:
    columns: Sequence[Any] = (
        model,
        Reading.digest,
        Reading.store_key,
        Evidence.id,
        func.coalesce(func.nullif(Evidence.captured_path, ""), Evidence.filename),
        Section.ordinal,
    )
    return standing(select(*columns), model).where(model.case_id == case.id)
