"""Space for evidence: the quota and the free disk, asked before the first byte and while bytes come.

    stored          blobs, and uploads that are no blob yet           counts against the quota
    promised        uploads begun, bodies being received              counts against quota and disk

Every check is one short transaction under one lock, so concurrent senders cannot pass a limit together. Its
cost depends on what is being received now, not on what is stored. No connection is held while bytes come.
"""

from __future__ import annotations

import shutil
import time
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from sqlalchemy import delete, func, insert, select, text
from sqlalchemy.dialects.postgresql import insert as upsert

from backend.core.errors import NoSpaceError, TooLargeError
from backend.models.base import uuid7
from backend.models.space import SpaceReservation, StoredBytes
from backend.models.upload import Upload, UploadState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

STEP_BYTES = 16 << 20
"""A body of unknown length reserves so much ahead, and every body asks again after so much."""

RENEW_SECONDS = 30.0
EXPIRY = timedelta(minutes=20)
"""A body comes in pieces of 1 MiB, and at 1 KiB/s at least."""

_LOCK = 0x7570_6C6F_6164
_MAX_CHANGES = 500


class Left(NamedTuple):
    """How much may still come: what the disk holds, and what the quota leaves (None without one)."""

    disk_bytes: int
    quota_bytes: int | None

    @property
    def bytes(self) -> int:
        """The smaller of the two, 0 at least."""
        least = self.disk_bytes if self.quota_bytes is None else min(self.disk_bytes, self.quota_bytes)
        return max(0, least)


def require(session: Session, settings: Settings, size_bytes: int, *, together_bytes: int = 0) -> None:
    """Refuse an upload that is too long or that would not fit; until the commit nobody else is promised room.

    Args:
        session: Its transaction makes the promise.
        settings: Limits and places.
        size_bytes: Length of the file.
        together_bytes: Length of all files that are about to come, this one included; 0 when it is alone.

    Raises:
        TooLargeError: It is longer than one evidence may be.
        NoSpaceError: The disk, or what all evidence together may take, does not hold it.
    """
    if size_bytes > settings.max_evidence_bytes:
        raise TooLargeError(
            f"one file may have {settings.max_evidence_bytes:,} bytes; this one has {size_bytes:,}: "
            "compress it or send less"
        )
    size_bytes = max(size_bytes, together_bytes)
    _lock(session)
    _refuse_beyond(left(session, settings), settings, size_bytes)


def require_promised(session: Session, settings: Settings) -> None:
    """Refuse to go on receiving when what is promised already does not fit any more.

    Raises:
        NoSpaceError: The disk filled up otherwise, or the quota was lowered.
    """
    _lock(session)
    _refuse_beyond(left(session, settings), settings, 0)


def left(session: Session, settings: Settings, *, without: UUID | None = None) -> Left:
    """Return how much may still come beside what is promised; the reservation `without` is not counted."""
    uploads = select(
        func.coalesce(func.sum(Upload.size_bytes), 0),
        func.coalesce(
            func.sum(Upload.size_bytes - Upload.offset_bytes).filter(Upload.state == UploadState.SENDING), 0
        ),
    ).where(text("upload.state <> 'kept'"))
    to_keep, to_write = session.execute(uploads).one()
    reserved = select(
        func.coalesce(func.sum(SpaceReservation.size_bytes), 0),
        func.coalesce(
            func.sum(func.greatest(SpaceReservation.size_bytes - SpaceReservation.received_bytes, 0)), 0
        ),
    ).where(SpaceReservation.updated_at > func.now() - EXPIRY)
    if without is not None:
        reserved = reserved.where(SpaceReservation.id != without)
    reserved_bytes, reserved_unwritten = session.execute(reserved).one()
    disk = free_bytes(settings) - settings.min_free_bytes - int(to_write) - int(reserved_unwritten)
    if not settings.quota_bytes:
        return Left(disk, None)
    used = stored_bytes(session) + int(to_keep) + int(reserved_bytes)
    return Left(disk, settings.quota_bytes - used)


def stored_bytes(session: Session) -> int:
    """Return how many bytes all evidence has."""
    return int(session.scalar(select(func.coalesce(func.sum(StoredBytes.size_bytes), 0))) or 0)


def free_bytes(settings: Settings) -> int:
    """Return how many bytes are free where evidence is received and, when that is a directory, stored."""
    places = [settings.data_dir]
    store = urlsplit(settings.effective_store_url)
    if store.scheme == "file":
        places.append(Path(unquote(store.path)))
    return min(shutil.disk_usage(_existing(place)).free for place in places)


def _existing(place: Path) -> Path:
    """Return the directory, or the nearest one above it when it is not made yet."""
    return next((one for one in (place, *place.absolute().parents) if one.is_dir()), Path("/"))


class Reservation:
    """Space for one request body, which grows with it when its length was not declared."""

    def __init__(self, session: Session, settings: Settings) -> None:
        """Reserve by short transactions of `session`, which is idle whenever this is asked."""
        self._session = session
        self._settings = settings
        self._id = uuid7()
        self._reserved_bytes = self._received_bytes = self._checked_bytes = 0
        self._checked_at = 0.0

    def begin(self, declared_bytes: int) -> None:
        """Reserve what was declared, 0 when nothing was; ends the transaction of the session.

        Raises:
            NoSpaceError: There is not so much left.
        """
        self._session.commit()
        self._reserve(declared_bytes, declared_bytes)

    def cover(self, size_bytes: int) -> None:
        """Have `size_bytes` of the body reserved before they are written; now and then check the disk again.

        Raises:
            NoSpaceError: There is not so much left.
        """
        is_recent = time.monotonic() - self._checked_at < RENEW_SECONDS
        is_near = size_bytes - self._checked_bytes < STEP_BYTES
        if size_bytes > self._reserved_bytes:
            self._reserve(size_bytes, size_bytes + STEP_BYTES)
        elif not (is_recent and is_near):
            self._reserve(self._reserved_bytes, self._reserved_bytes)
        self._received_bytes = size_bytes

    def release(self) -> None:
        """Give the space up in the transaction that stores what came."""
        self._session.execute(delete(SpaceReservation).where(SpaceReservation.id == self._id))

    def abandon(self) -> None:
        """Give the space up at once: nothing of the body is stored."""
        self._session.rollback()
        self.release()
        self._session.commit()

    def _reserve(self, least_bytes: int, wanted_bytes: int) -> None:
        """Reserve what is wanted, or as much of it as there is; refuse less than `least_bytes`."""
        session = self._session
        _lock(session)
        session.execute(delete(SpaceReservation).where(SpaceReservation.updated_at < func.now() - EXPIRY))
        there = left(session, self._settings, without=self._id)
        # What is written already is no longer free.
        there = there._replace(disk_bytes=there.disk_bytes + self._received_bytes)
        _refuse_beyond(there, self._settings, least_bytes)
        self._reserved_bytes = max(least_bytes, min(wanted_bytes, there.bytes))
        row = {
            "size_bytes": self._reserved_bytes,
            "received_bytes": self._received_bytes,
            "updated_at": func.now(),
        }
        statement = upsert(SpaceReservation).values(id=self._id, **row)
        session.execute(statement.on_conflict_do_update(index_elements=["id"], set_=row))
        session.commit()
        self._checked_bytes, self._checked_at = self._received_bytes, time.monotonic()


@contextmanager
def reserved(session: Session, settings: Settings, size_bytes: int) -> Iterator[Reservation]:
    """Reserve space for a body that is here already, until the transaction around this stores it.

    Raises:
        NoSpaceError: There is not so much left.
    """
    reservation = Reservation(session, settings)
    reservation.begin(size_bytes)
    try:
        yield reservation
        reservation.release()
    except BaseException:
        reservation.abandon()
        raise


def _lock(session: Session) -> None:
    """Be the only one who asks until the transaction ends, and keep asking cheap."""
    session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    changes = session.scalar(select(func.count()).select_from(StoredBytes)) or 0
    if changes > _MAX_CHANGES:
        folded = delete(StoredBytes).returning(StoredBytes.size_bytes).cte("folded")
        total = select(func.coalesce(func.sum(folded.c.size_bytes), 0))
        session.execute(insert(StoredBytes).from_select(["size_bytes"], total))


def _refuse_beyond(there: Left, settings: Settings, size_bytes: int) -> None:
    """Refuse `size_bytes` when they do not fit."""
    if size_bytes > there.disk_bytes:
        raise NoSpaceError(
            f"there is no room for {size_bytes:,} bytes, only for "
            f"{max(0, there.disk_bytes):,}: compress the file, or have somebody make room on the server"
        )
    if there.quota_bytes is not None and size_bytes > there.quota_bytes:
        raise NoSpaceError(
            f"all evidence together may take {settings.quota_bytes:,} bytes, and "
            f"{max(0, there.quota_bytes):,} are left for these {size_bytes:,}: compress it, or have "
            "somebody raise the limit"
        )
