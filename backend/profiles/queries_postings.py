"""The inverted index as an asker sees it: in how many cases functions are, and in which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, text, union_all

from backend.models.case_index import CaseFrame

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from sqlalchemy import Subquery
    from sqlalchemy.orm import Session

    from backend.access.reach import Reach
    from backend.core.paging import Page

_COUNTS = """
    select frame_id, case when :apart then audience end as audience, sum(cases)
    from (
        select frame_id, audience, cases from frame_count
        where frame_id = any(:frames) and audience = any(:audiences)
        union all
        select frame_id, audience, change
        from frame_count_change cross join lateral unnest(frames) as frame_id
        where frame_id = any(:frames) and audience = any(:audiences)
    ) as counted
    group by 1, 2
"""


def counts_by_audience(
    session: Session, reach: Reach, frames: Collection[int]
) -> dict[tuple[int, UUID], int]:
    """Return in how many cases of each audience each function is; what is in none is left out."""
    given = {"frames": list(frames), "audiences": reach.audiences, "apart": True}
    counted = session.execute(text(_COUNTS), given)
    return {(frame, audience): int(cases) for frame, audience, cases in counted if cases > 0}


def counts_of(session: Session, reach: Reach, frames: Collection[int]) -> dict[int, int]:
    """Return in how many cases within `reach` each function is."""
    given = {"frames": list(frames), "audiences": reach.audiences, "apart": False}
    found = {frame: int(cases) for frame, _, cases in session.execute(text(_COUNTS), given)}
    if reach.cases:
        single = (
            select(CaseFrame.frame_id, func.count())
            .where(CaseFrame.case_id.in_(reach.cases), CaseFrame.frame_id.in_(frames))
            .group_by(CaseFrame.frame_id)
        )
        for frame, cases in session.execute(single):
            found[frame] = found.get(frame, 0) + cases
    return found


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
