"""Index of functions by name across cases: the heaviest functions of every profile, in the database.

A profile is indexed once, after reading, by a job of its case; the table of names is shared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert

from backend.cases.queries import hold
from backend.core.domain_events import publish
from backend.evidence import case_index, readings
from backend.evidence.domain_events import ProfilesRead
from backend.models.frame import Frame, ProfileFrame, frame_id
from backend.models.profile import Profile
from backend.profiles import queries_frames
from backend.profiles.schemas_frames import FrameCases
from ingest.export.heaviest import NAMES_PER_PROFILE, heaviest
from ingest.frames.normalise import normalise

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.core.jobs.run import Run
    from backend.core.storage.object_store import Store
    from ingest.export.heaviest import Weighed


def find(session: Session, principal: Principal, name: str, page: Page) -> FrameCases:
    """Return the visible cases with the function `name`, ignoring compiler suffixes."""
    bare = normalise(name)
    count, items = queries_frames.cases_of_frame(session, principal, bare, page)
    return FrameCases(
        name=bare,
        count=count,
        items=items,
        next_cursor=page.next_cursor,
        names_per_profile=NAMES_PER_PROFILE,
        unindexed_profiles=queries_frames.count_unindexed(session, principal),
    )


def index(run: Run, case_id: UUID) -> None:
    """Index the pending profiles of the case."""
    with run.session() as session:
        waiting = queries_frames.unindexed_of_case(session, case_id)
    weighed: dict[UUID, list[Weighed]] = {}
    for one in waiting:
        run.check()
        weighed[one.profile_id] = _weigh(run.store, one)
    with run.result(first=lambda session: hold(session, case_id)) as session:
        keep(session, case_id, weighed)


def index_now(session: Session, store: Store, case_id: UUID) -> None:
    """Index a few profiles in this transaction; the caller holds the case lock."""
    waiting = queries_frames.unindexed_of_case(session, case_id)
    _write(session, case_id, {one.profile_id: _weigh(store, one) for one in waiting})


def _weigh(store: Store, one: queries_frames.Unindexed) -> list[Weighed]:
    return heaviest(readings.load(store, one.store_key, one.digest).profiles[one.ordinal])


def keep(session: Session, case_id: UUID, weighed: dict[UUID, list[Weighed]]) -> None:
    """Write the index rows; queue profiles that were read meanwhile.

    Locks the case, so that evidence stored concurrently queues its own indexing afterwards.
    """
    if hold(session, case_id) is None:
        return
    still_there = {one.profile_id for one in queries_frames.unindexed_of_case(session, case_id)}
    remaining = {profile_id: names for profile_id, names in weighed.items() if profile_id in still_there}
    _write(session, case_id, remaining)
    if still_there - remaining.keys():
        publish(session, ProfilesRead(case_id))


def _write(session: Session, case_id: UUID, remaining: dict[UUID, list[Weighed]]) -> None:
    # Insert in a fixed order, so that concurrent writers of the same names cannot deadlock.
    numbers = sorted({(frame_id(one.name), one.name) for names in remaining.values() for one in names})
    if numbers:
        rows = [{"id": number, "name": name} for number, name in numbers]
        session.execute(postgresql_insert(Frame).on_conflict_do_nothing(), rows)
        session.execute(
            insert(ProfileFrame),
            [
                {"profile_id": profile_id, "frame_id": frame_id(one.name)}
                | {"total_share": one.total_share, "self_share": one.self_share}
                for profile_id, names in remaining.items()
                for one in names
            ],
        )
    if remaining:
        session.execute(update(Profile).where(Profile.id.in_(remaining)).values(has_frames=True))
    case_index.refresh_frames(session, case_id)
