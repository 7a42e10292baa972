"""Queries of the function index: pending profiles, and cases containing a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, func, select
from sqlalchemy.dialects.postgresql import distinct_on

from backend.access.decisions import visible
from backend.access.reach import reach_of
from backend.models.base import clean_text
from backend.models.case import Case
from backend.models.evidence import Evidence
from backend.models.frame import Frame, ProfileFrame, frame_id
from backend.models.profile import Profile
from backend.models.reading import Reading, Stage
from backend.models.standing import standing
from backend.profiles.queries_postings import counts_of, postings_of
from backend.profiles.schemas_frames import FrameCase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page


class Unindexed(NamedTuple):
    """A profile waiting for indexing, and the location of its columns."""

    profile_id: UUID
    ordinal: int
    digest: str
    store_key: str


def unindexed_of_case(session: Session, case_id: UUID) -> list[Unindexed]:
    """Return the pending profiles of a case, grouped by reading."""
    query = (
        select(Profile.id, Profile.ordinal, Reading.digest, Reading.store_key)
        .join(Reading, Reading.id == Profile.reading_id)
        .where(Profile.case_id == case_id, ~Profile.has_frames, Reading.stage == Stage.FINAL)
        .order_by(Reading.id, Profile.ordinal)
    )
    return [Unindexed(*row) for row in session.execute(query)]


def count_unindexed(session: Session, principal: Principal) -> int:
    """Return the number of pending profiles of cases visible to `principal`."""
    query = (
        select(func.count())
        .select_from(Profile)
        .join(Case)
        .join(Reading, Reading.id == Profile.reading_id)
        .where(
            ~Profile.has_frames, Reading.stage == Stage.FINAL, Case.deleted_at.is_(None), visible(principal)
        )
    )
    return session.scalar(query) or 0


def cases_of_frame(
    session: Session, principal: Principal, name: str, page: Page
) -> tuple[int, list[FrameCase]]:
    """Return the number of visible cases with a function, by normalised name, and its weight in each.

    A case is represented by the profile with the largest share; unweighted stacks come last.
    """
    frame = session.scalar(select(Frame.id).where(Frame.id == frame_id(name), Frame.name == clean_text(name)))
    reach = reach_of(session, principal)
    if frame is None or not (reach.audiences or reach.cases):
        page.state_total(0)
        return 0, []
    posting = postings_of(reach, frame, page)
    query = (
        select(posting.c.case_id)
        .join(Case, Case.id == posting.c.case_id)
        .where(Case.deleted_at.is_(None), visible(principal))
    )
    by = (posting.c.has_weights, posting.c.total_share, posting.c.case_id)
    count = counts_of(session, reach, [frame]).get(frame, 0)
    ids = [case_id for (case_id,) in page.of(session, query, *by, is_descending=True, total=count)]
    described = {one.case_id: one for one in _best_profiles(session, frame, ids)}
    # A case may have lost the profile since it was indexed.
    return count, [described[case_id] for case_id in ids if case_id in described]


def _best_profiles(session: Session, frame: int, ids: Sequence[UUID]) -> list[FrameCase]:
    """Return for each of these cases the profile with the largest share of the function."""
    path = func.coalesce(func.nullif(Evidence.captured_path, ""), Evidence.filename)
    columns = (
        Case.id.label("case_id"),
        Case.number.label("case_number"),
        Case.title.label("case_title"),
        Case.state.label("case_state"),
        Case.created_at.label("case_created_at"),
        func.count().over(partition_by=Case.id).label("profiles"),
        Profile.id.label("profile_id"),
        Profile.event,
        Profile.what,
        Profile.has_weights,
        path.label("evidence_name"),
        ProfileFrame.total_share,
        ProfileFrame.self_share,
    )
    query = (
        standing(select(*columns).ext(distinct_on(Case.id)).select_from(Profile), Profile)
        .join(ProfileFrame, and_(ProfileFrame.profile_id == Profile.id, ProfileFrame.frame_id == frame))
        .join(Case, Case.id == Profile.case_id)
        .where(Profile.case_id.in_(ids))
        .order_by(Case.id, Profile.has_weights.desc(), ProfileFrame.total_share.desc(), Profile.id)
    )
    return [FrameCase.model_validate(dict(row)) for row in session.execute(query).mappings()]
