"""Inverted index restricted to a principal: case counts and postings of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, text, union_all

from backend.core.db.base import among, array_text
from backend.models.case_index import CaseFrame

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import Subquery
    from sqlalchemy.orm import Session

    from backend.access.reach import Reach
    from backend.core.http.pagination import Page

_COUNTS = text("""
    select array_agg(frame_id) as frames, array_agg(cases) as cases
    from (
        select frame_id, cast(sum(cases) as integer) as cases
        from (
            select frame_id, cases from frame_count
            where frame_id = any(cast(:frames as bigint[])) and audience = any(:counted)
            union all
            select frame_id, change
            from frame_count_change cross join lateral unnest(frames) as frame_id
            where frame_id = any(cast(:frames as bigint[])) and audience = any(:audiences)
        ) as every
        group by frame_id
    ) as counted
""")


def counts_of(
    session: Session, reach: Reach, frames: Collection[int], *, single: Mapping[int, int] | None = None
) -> dict[int, int]:
    """Return the number of cases within `reach` per function; `single_counts` are those of `single`."""
    parameters = {"frames": array_text(frames), "audiences": reach.audiences, "counted": reach.counted}
    row = session.execute(_COUNTS, parameters).one()
    found = dict(zip(row.frames or (), row.cases or (), strict=True))
    for frame, cases in (single_counts(session, reach) if single is None else single).items():
        if frame in frames:
            found[frame] = found.get(frame, 0) + cases
    return found


def single_counts(session: Session, reach: Reach) -> dict[int, int]:
    """Return the number of single cases of `reach` per function."""
    if not reach.cases:
        return {}
    each = select(CaseFrame.frame_id, func.count().label("cases")).where(
        among(CaseFrame.case_id, reach.cases)
    )
    counted = each.group_by(CaseFrame.frame_id).subquery()
    # One row: to fetch one for each function takes 2 ms more.
    query = select(func.array_agg(counted.c.frame_id), func.array_agg(counted.c.cases))
    frames, cases = session.execute(query).one()
    return dict(zip(frames or (), cases or (), strict=True))


def postings_of(reach: Reach, frame: int, page: Page) -> Subquery:
    """Return a page of postings of a function within `reach`, by share.

    Reads at most one page per audience in index order, so a common function costs no more.
    """
    by = (CaseFrame.has_weights, CaseFrame.total_share, CaseFrame.case_id)
    within = [CaseFrame.audience == audience for audience in reach.audiences]
    if reach.cases:
        within.append(CaseFrame.case_id.in_(reach.cases))
    arms = []
    for condition in within:
        arm = select(*by).where(CaseFrame.frame_id == frame, condition, page.beyond(*by, is_descending=True))
        arm = arm.order_by(*(column.desc() for column in by))
        arms.append(arm if page.limit is None else arm.limit(page.limit + 1))
    return union_all(*arms).subquery("posting")
