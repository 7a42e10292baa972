"""Index of functions by name across cases: the heaviest functions of every profile, in the database.

A profile is indexed once, after reading, by a job of its case; the table of names is shared.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import text, update

from backend.cases.queries import hold
from backend.core.domain_events import publish
from backend.core.errors import StoredBytesError
from backend.evidence import case_index
from backend.evidence.domain_events import ProfilesRead
from backend.models.base import clean_text
from backend.models.frame import frame_id
from backend.models.profile import Profile
from backend.profiles import queries_frames
from backend.profiles.schemas_frames import FrameCases
from backend.sandbox.envelope import limits_of_job, result_of_job, stored_error
from backend.sandbox.runner import LimitHitError, TooSlowError
from ingest.export.heaviest import NAMES_PER_PROFILE, Weighed
from ingest.frames.normalise import normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.core.jobs.run import Run
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.sandbox.runner import SandboxLimits

logger = logging.getLogger(__name__)

HEAVY = "heavy"

NEW_FRAMES = text("""
    insert into frame (id, name)
    select * from unnest(cast(:ids as bigint[]), cast(:names as text[])) on conflict do nothing
""")
NEW_WEIGHTS = text("""
    insert into profile_frame (profile_id, frame_id, total_share, self_share)
    select * from unnest(
        cast(:profiles as uuid[]), cast(:frames as bigint[]),
        cast(:totals as float8[]), cast(:selves as float8[])
    )
""")
"""Names and weights by column: one statement each instead of one for every function."""


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


def index(run: Run, case_id: UUID, demote: Callable[[Session], object]) -> None:
    """Index the pending profiles of the case; `demote` what needs more than the limits to the heavy queue.

    There each profile has limits of its own. What exceeds those too, or has a damaged reading, stays pending.
    """
    with run.session() as session:
        waiting = queries_frames.unindexed_of_case(session, case_id)
    limits = limits_of_job(run.settings, run.queue)
    weighed: dict[UUID, list[Weighed]] = {}
    is_too_much = False
    for some in [waiting] if run.queue != HEAVY else [[one] for one in waiting]:
        run.check()
        try:
            weighed |= _weigh(run.settings, run.store, some, limits, run.check)
        except (LimitHitError, TooSlowError) as error:
            logger.warning("profiles of case %s are not indexed in queue %s: %s", case_id, run.queue, error)
            is_too_much = True
    with run.result(first=lambda session: hold(session, case_id)) as session:
        keep(session, case_id, weighed, tried={one.profile_id for one in waiting})
        if is_too_much and run.queue != HEAVY:
            demote(session)


def _weigh(
    settings: Settings,
    store: Store,
    waiting: Sequence[queries_frames.Unindexed],
    limits: SandboxLimits,
    check: Callable[[], None] | None = None,
) -> dict[UUID, list[Weighed]]:
    """Return the heaviest functions of profiles; those are missing whose readings are damaged."""
    folders: dict[UUID, Path] = {}
    for one in waiting:
        try:
            folders[one.profile_id] = store.folder(one.store_key)
        except StoredBytesError as error:
            logger.error("profile %s is not indexed: %s", one.profile_id, error)  # noqa: TRY400 - says all
    if not folders:
        return {}
    there = [one for one in waiting if one.profile_id in folders]
    places = [{"folder": str(folders[one.profile_id]), "ordinal": one.ordinal} for one in there]
    found = result_of_job(
        settings,
        "weigh functions",
        {"places": places},
        what="the index of functions",
        limits=limits,
        readable=list(dict.fromkeys(folders.values())),
        check=check,
    )
    weighed: dict[UUID, list[Weighed]] = {}
    for one, names in zip(there, found, strict=True):
        if names is None:
            damage = stored_error(one.store_key, folders[one.profile_id])
            logger.error("profile %s is not indexed: %s", one.profile_id, damage)
        else:
            weighed[one.profile_id] = [Weighed(*name) for name in names]
    return weighed


def keep(
    session: Session, case_id: UUID, weighed: dict[UUID, list[Weighed]], *, tried: Collection[UUID] = ()
) -> None:
    """Write the index rows; queue profiles that were read meanwhile, but those in `tried`.

    Locks the case, so that evidence stored concurrently queues its own indexing afterwards.
    """
    if hold(session, case_id) is None:
        return
    still_there = {one.profile_id for one in queries_frames.unindexed_of_case(session, case_id)}
    remaining = {profile_id: names for profile_id, names in weighed.items() if profile_id in still_there}
    write(session, remaining)
    case_index.refresh_frames(session, case_id)
    if still_there - remaining.keys() - set(tried):
        publish(session, ProfilesRead(case_id))


def write(session: Session, remaining: dict[UUID, list[Weighed]]) -> None:
    """Write the functions of profiles that have none yet; the caller holds the lock of their case."""
    # Insert in a fixed order, so that concurrent writers of the same names cannot deadlock.
    numbers = sorted({(frame_id(one.name), one.name) for names in remaining.values() for one in names})
    if numbers:
        ids, names = map(list, zip(*numbers, strict=True))
        session.execute(NEW_FRAMES, {"ids": ids, "names": list(map(clean_text, names))})
        rows = [(profile_id, one) for profile_id, weighed in remaining.items() for one in weighed]
        columns = {
            "profiles": [profile_id for profile_id, _ in rows],
            "frames": [frame_id(one.name) for _, one in rows],
            "totals": [one.total_share for _, one in rows],
            "selves": [one.self_share for _, one in rows],
        }
        session.execute(NEW_WEIGHTS, columns)
    if remaining:
        session.execute(update(Profile).where(Profile.id.in_(remaining)).values(has_frames=True))
