"""Expiry of guest cases: deletes rows, bytes, readings and cached responses.

Each case is deleted in one transaction under the garbage-collection lock (`backend.core.storage.gc_lock`).
What is named by its content stays when another case, a handoff or a signature draft has the same. The audit
log keeps that it was there.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import Text, cast, delete, exists, or_, select
from sqlalchemy.exc import IntegrityError

from backend.core import audit
from backend.core.audit import AuditAction
from backend.core.storage import gc_lock
from backend.evidence import case_index
from backend.models import (
    Blob,
    Case,
    Evidence,
    Frame,
    Handoff,
    Job,
    Observation,
    Profile,
    ProfileFrame,
    Reading,
    SignatureDraft,
)

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SharedObjects:
    """Shared objects that an expired case may leave orphaned.

    Attributes:
        ids: Case and evidence ids, as in job payloads.
        blobs: Digests of the bytes.
        readings: Places of the reading folders.
        digests: Digests of the readings, keys of observations.
        frames: Names of functions.
    """

    ids: list[UUID]
    blobs: list[str]
    readings: list[str]
    digests: list[str]
    frames: list[int]


def clear_expired(sessions: sessionmaker[Session], store: Store, settings: Settings) -> int:
    """Delete every expired case and return their number; a case in use is retried later."""
    cleared = 0
    while _clear_one(sessions, store, settings):
        cleared += 1
    with sessions.begin() as session:
        case_index.fold(session)
    if cleared:
        logger.info("cleared away %d cases that were sent without signing in", cleared)
    return cleared


def _clear_one(sessions: sessionmaker[Session], store: Store, settings: Settings) -> bool:
    try:
        with sessions.begin() as session:
            if not gc_lock.may_clear(session):
                return False
            due = select(Case).where(Case.expires_at < datetime.now(UTC)).order_by(Case.expires_at).limit(1)
            case = session.scalar(due.with_for_update(skip_locked=True))
            if case is None:
                return False
            shared, since = _shared_objects(session, case.id), case.created_at
            audit.record(
                session,
                AuditAction(action="guest.clear", subject="time is over", via="service", case_id=case.id),
            )
            session.execute(delete(Job).where(Job.subject_id.in_(shared.ids)))
            session.execute(delete(Case).where(Case.id == case.id))
            _clear_shared(session, store, shared)
            _forget_answers(settings, since)
    except IntegrityError:
        # A worker was writing for this case; retry in the next round.
        logger.info("a case that is over its time is still written to; it goes next time")
        return False
    return True


def _shared_objects(session: Session, case_id: UUID) -> SharedObjects:
    evidence = session.execute(select(Evidence.id, Evidence.sha256).where(Evidence.case_id == case_id)).all()
    readings = session.execute(
        select(Reading.store_key, Reading.digest).where(Reading.case_id == case_id)
    ).all()
    frames = (
        select(ProfileFrame.frame_id)
        .join(Profile, Profile.id == ProfileFrame.profile_id)
        .where(Profile.case_id == case_id)
        .distinct()
    )
    return SharedObjects(
        ids=[case_id, *(row.id for row in evidence)],
        blobs=sorted({row.sha256 for row in evidence}),
        readings=sorted({row.store_key for row in readings}),
        digests=sorted({row.digest for row in readings}),
        frames=list(session.scalars(frames)),
    )


def _clear_shared(session: Session, store: Store, shared: SharedObjects) -> None:
    """Delete objects that no other case uses; the rows of this case are already gone."""
    for key in shared.readings:
        if session.scalar(select(Reading.id).where(Reading.store_key == key).limit(1)) is None:
            store.delete_folder(key)
    in_use = exists().where(Reading.digest == Observation.reading_digest)
    session.execute(delete(Observation).where(Observation.reading_digest.in_(shared.digests), ~in_use))
    used = exists().where(ProfileFrame.frame_id == Frame.id)
    session.execute(delete(Frame).where(Frame.id.in_(shared.frames), ~used))
    for sha256 in shared.blobs:
        if session.scalar(select(Evidence.id).where(Evidence.sha256 == sha256).limit(1)) is None:
            session.execute(delete(Blob).where(Blob.sha256 == sha256))
            if not _is_in_export(session, sha256):
                store.delete(sha256)


def _is_in_export(session: Session, sha256: str) -> bool:
    mentions = or_(Handoff.bundle_sha256 == sha256, cast(Handoff.shared, Text).contains(sha256))
    drafted = SignatureDraft.zip_sha256 == sha256
    return any(
        session.scalar(query.limit(1)) is not None
        for query in (select(Handoff.id).where(mentions), select(SignatureDraft.id).where(drafted))
    )


def _forget_answers(settings: Settings, since: datetime) -> None:
    """Delete responses cached since the case began: their keys do not name a case."""
    for path in settings.views_dir.glob("*/*"):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime >= since.timestamp():
                path.unlink()
