"""Inverted index of cases, updated when evidence changes, not when it is queried.

Triggers move postings and counts when the visibility of a case changes or it is deleted, see
`backend.models.case_index`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, text

from backend.core import derived_rows
from backend.models.case_index import ALL_AUDIENCES, FrameCountChange

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

FOLD_FROM, FOLD_MOST = 64, 2000
FOLD_KEY = 0x666F6C64
"""Key of the advisory lock: one transaction folds the changes, the others skip it."""

# Total share alone weighs little, self share much.
_FRAMES = """
    with now as materialized (
        select profile_frame.frame_id, bool_or(profile.has_weights) as has_weights,
            coalesce(max(total_share) filter (where profile.has_weights), max(total_share)) as total_share,
            max(0.2 * total_share + 0.8 * self_share) as weight
        from profile
        join profile_frame on profile_frame.profile_id = profile.id
        join reading on reading.id = profile.reading_id
        join section on section.id = reading.section_id
        join evidence on evidence.id = section.evidence_id
        where reading.is_current and evidence.deleted_at is null and profile.case_id = :case_id
        group by profile_frame.frame_id
    ),
    gone as (
        delete from case_frame
        where case_id = :case_id and not exists (select from now where now.frame_id = case_frame.frame_id)
    )
    insert into case_frame (case_id, frame_id, audience, has_weights, total_share, weight)
    select "case".id, frame_id, audience, has_weights, total_share, weight
    from now cross join "case"
    where "case".id = :case_id
    on conflict (case_id, frame_id) do update
    set has_weights = excluded.has_weights, total_share = excluded.total_share, weight = excluded.weight
    where (case_frame.has_weights, case_frame.total_share, case_frame.weight)
        is distinct from (excluded.has_weights, excluded.total_share, excluded.weight)
"""

_FACTS = """
    with now as materialized (
        select distinct hashtextextended(fact.name || chr(31) || fact.text, 0) as token
        from fact
        join reading on reading.id = fact.reading_id
        join section on section.id = reading.section_id
        join evidence on evidence.id = section.evidence_id
        where reading.is_current and evidence.deleted_at is null
            and fact.case_id = :case_id and fact.text is not null
    ),
    gone as (
        delete from case_fact
        where case_id = :case_id and not exists (select from now where now.token = case_fact.token)
    )
    insert into case_fact (case_id, token, audience)
    select "case".id, token, audience from now cross join "case" where "case".id = :case_id
    on conflict (case_id, token) do nothing
"""

_FOLD = """
    with taken as (
        delete from frame_count_change
        where id in (select id from frame_count_change order by id limit :most)
        returning audience, frames, change
    ),
    moved as (
        select frame_id, coalesce(audience, :all) as audience, sum(change) as change
        from taken cross join lateral unnest(frames) as frame_id
        group by grouping sets ((frame_id, audience), (frame_id))
        having sum(change) <> 0
    )
    insert into frame_count (frame_id, audience, cases)
    select frame_id, audience, change from moved order by frame_id, audience
    on conflict (frame_id, audience) do update set cases = frame_count.cases + excluded.cases
    returning frame_id, audience, cases
"""

_FORGET = """
    delete from frame_count
    using unnest(cast(:frames as bigint[]), cast(:audiences as uuid[])) as empty(frame_id, audience)
    where frame_count.frame_id = empty.frame_id and frame_count.audience = empty.audience and cases = 0
"""


def refresh(session: Session, case_id: UUID) -> None:
    """Rewrite the changed postings of a case."""
    refresh_frames(session, case_id)
    refresh_facts(session, case_id)


def refresh_frames(session: Session, case_id: UUID) -> None:
    """Rewrite the function postings of a case from its current profiles.

    The caller holds the case lock; a concurrent refresh would write stale rows.
    """
    session.execute(text(_FRAMES), {"case_id": case_id})
    derived_rows.mark(session, case_id)
    fold(session, at_least=FOLD_FROM)


def refresh_facts(session: Session, case_id: UUID) -> None:
    """Rewrite the postings of text facts of a case from its current readings."""
    session.execute(text(_FACTS), {"case_id": case_id})


def fold(session: Session, *, at_least: int = 1) -> None:
    """Fold pending count changes, oldest first, from `at_least` on, unless another transaction does so."""
    first = select(FrameCountChange.id).limit(at_least).subquery()
    if (session.scalar(select(func.count()).select_from(first)) or 0) < at_least:
        return
    if not session.scalar(select(func.pg_try_advisory_xact_lock(FOLD_KEY))):
        return
    counted = session.execute(text(_FOLD), {"most": FOLD_MOST, "all": ALL_AUDIENCES}).all()
    empty = [row for row in counted if row.cases == 0]
    if empty:
        frames, audiences = [row.frame_id for row in empty], [row.audience for row in empty]
        session.execute(text(_FORGET), {"frames": frames, "audiences": audiences})
