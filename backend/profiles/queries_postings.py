"""The inverted index as an principal sees it: in how many cases functions are, and in which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, text, union_all

from backend.core.db.base import among
from backend.models.case_index import CaseFrame

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import Subquery
    from sqlalchemy.orm import Session

    from backend.access.reach import Reach
    from backend.core.http.pagination import Page

_COUNTS = text("""
    select frame_id, cast(sum(cases) as integer) as cases
    from (
        select frame_id, cases from frame_count
        where frame_id = any(:frames) and audience = any(:counted)
        union all
        select frame_id, change
        from frame_count_change cross join lateral unnest(frames) as frame_id
        where frame_id = any(:frames) and audience = any(:audiences)
    ) as counted
    group by frame_id
""")


def counts_of(
    session: Session, reach: Reach, frames: Collection[int], *, single: Mapping[int, int] | None = None
) -> dict[int, int]:
    """Return in how many cases within `reach` each function is; `single` are known `single_counts`."""
    given = {"frames": list(frames), "audiences": reach.audiences, "counted": reach.counted}
    found = {row.frame_id: row.cases for row in session.execute(_COUNTS, given)}
    for frame, cases in (single_counts(session, reach) if single is None else single).items():
        if frame in frames:
            found[frame] = found.get(frame, 0) + cases
    return found


def single_counts(session: Session, reach: Reach) -> dict[int, int]:
    """Return in how many of the single cases of `reach` each function is."""
    if not reach.cases:
        return {}
    query = select(CaseFrame.frame_id, func.count()).where(among(CaseFrame.case_id, reach.cases))
    return {frame: cases for frame, cases in session.execute(query.group_by(CaseFrame.frame_id))}  # noqa: C416


def postings_of(reach: Reach, frame: int, page: Page) -> Subquery:
    """Return the postings of a function within `reach` for a page, those with its largest share first.

    Each audience gives as many as the page takes, in the order of the index: a common function costs no more.
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
