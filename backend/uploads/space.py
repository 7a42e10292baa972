"""Storage limits: quota and free disk space, checked before the first byte and while bytes arrive.

    stored          blobs, and uploads that are not blobs yet         counts against the quota
    promised        announced uploads, bodies in progress             counts against quota and disk

Every check is one short transaction under one lock, so concurrent senders cannot exceed a limit together. Its
cost depends on what is being received, not on what is stored. No connection is used while bytes arrive.
"""

from __future__ import annotations

import shutil
import time
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from sqlalchemy import Uuid, bindparam, delete, func, insert, select, text, true
from sqlalchemy.dialects.postgresql import insert as upsert

from backend.core.errors import NoSpaceError, TooLargeError
from backend.models.base import uuid7
from backend.models.space import SpaceReservation, StoredBytes
from backend.models.upload import Upload, UploadState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy import ColumnElement, Select, SQLColumnExpression
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

STEP_BYTES = 16 << 20
"""Step of reservations for a body of unknown length, and interval of checks of every body."""

RENEW_SECONDS = 30.0
EXPIRY = timedelta(minutes=20)
"""Longest time between two checks: bodies arrive in chunks of 1 MiB, at 1 KiB/s at least."""

_LOCK = 0x7570_6C6F_6164
_MAX_CHANGES = 500


class FreeSpace(NamedTuple):
    """Free space: of the disk, and of the quota (None without one)."""

    disk_bytes: int
    quota_bytes: int | None

    @property
    def bytes(self) -> int:
        """The smaller of the two, at least 0."""
        least = self.disk_bytes if self.quota_bytes is None else min(self.disk_bytes, self.quota_bytes)
        return max(0, least)


def require(session: Session, settings: Settings, size_bytes: int, *, together_bytes: int = 0) -> None:
    """Refuse an upload that is too long or does not fit; holds the space lock until the commit.

    Args:
        session: Its transaction announces the upload.
        settings: Limits and directories.
        size_bytes: Length of the file.
        together_bytes: Total length of the files sent together, this one included; 0 when it is alone.

    Raises:
        TooLargeError: It exceeds the size limit of evidence.
        NoSpaceError: It exceeds the free disk space or the quota.
    """
    if size_bytes > settings.max_evidence_bytes:
        raise TooLargeError(
            f"file too large ({size_bytes:,} of {settings.max_evidence_bytes:,} bytes): "
            "compress it or send less"
        )
    size_bytes = max(size_bytes, together_bytes)
    _refuse_beyond(_locked_space(session, settings), settings, size_bytes)


def require_promised(session: Session, settings: Settings) -> None:
    """Refuse further bytes when announced uploads no longer fit.

    Raises:
        NoSpaceError: The disk filled up, or the quota was lowered.
    """
    _refuse_beyond(_locked_space(session, settings), settings, 0)


def free_space(session: Session, settings: Settings, *, without: UUID | None = None) -> FreeSpace:
    """Return the free space besides announced uploads; the reservation `without` is not counted."""
    return _of_sums(_sums(session, without), settings)


class _Sums(NamedTuple):
    """Sums in bytes over uploads, over reservations, and over the changes of what is stored."""

    to_keep: int
    to_write: int
    reserved: int
    reserved_unwritten: int
    stored: int
    changes: int


def _sums(session: Session, without: UUID | None) -> _Sums:
    return _Sums(*map(int, session.execute(_sums_query(), {"without": without}).one()))


@cache
def _sums_query() -> Select[*tuple[int, ...]]:
    """Return the query of `_sums`, with the parameter `without`."""
    is_sending = Upload.state == UploadState.SENDING
    uploads = select(
        _sum(Upload.size_bytes).label("to_keep"),
        _sum(Upload.size_bytes - Upload.offset_bytes, is_sending).label("to_write"),
    ).where(text("upload.state <> 'kept'"))
    unwritten = func.greatest(SpaceReservation.size_bytes - SpaceReservation.received_bytes, 0)
    reserved = select(
        _sum(SpaceReservation.size_bytes).label("reserved"), _sum(unwritten).label("unwritten")
    ).where(
        SpaceReservation.updated_at > func.now() - EXPIRY,
        SpaceReservation.id.is_distinct_from(bindparam("without", type_=Uuid())),
    )
    stored = select(_sum(StoredBytes.size_bytes).label("stored"), func.count().label("changes"))
    first, *others = (one.subquery() for one in (uploads, reserved, stored.select_from(StoredBytes)))
    return select(first, *others).select_from(first.join(others[0], true()).join(others[1], true()))


def _sum(size_bytes: SQLColumnExpression[int], *those: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(size_bytes).filter(*those) if those else func.sum(size_bytes), 0)


def _of_sums(sums: _Sums, settings: Settings) -> FreeSpace:
    disk = free_bytes(settings) - settings.min_free_bytes - sums.to_write - sums.reserved_unwritten
    if not settings.quota_bytes:
        return FreeSpace(disk, None)
    return FreeSpace(disk, settings.quota_bytes - sums.stored - sums.to_keep - sums.reserved)


def stored_bytes(session: Session) -> int:
    """Return the stored bytes of all evidence."""
    return int(session.scalar(select(func.coalesce(func.sum(StoredBytes.size_bytes), 0))) or 0)


def free_bytes(settings: Settings) -> int:
    """Return the free bytes of the staging disk and, for a directory store, of the store."""
    places = [settings.data_dir]
    store = urlsplit(settings.effective_store_url)
    if store.scheme == "file":
        places.append(Path(unquote(store.path)))
    return min(shutil.disk_usage(_existing(place)).free for place in places)


def _existing(place: Path) -> Path:
    """Return the directory, or its nearest existing parent."""
    return next((one for one in (place, *place.absolute().parents) if one.is_dir()), Path("/"))


class Reservation:
    """Space reserved for one request body; grows with it when no length was declared."""

    def __init__(self, session: Session, settings: Settings) -> None:
        """Reserve by short transactions of `session`, which must be idle at every call."""
        self._session = session
        self._settings = settings
        self._id = uuid7()
        self._reserved_bytes = self._received_bytes = self._checked_bytes = 0
        self._checked_at = 0.0

    def begin(self, declared_bytes: int) -> None:
        """Reserve the declared length, 0 if unknown; ends the transaction of the session.

        Raises:
            NoSpaceError: Not enough free space.
        """
        self._session.commit()
        self._reserve(declared_bytes, declared_bytes)

    def cover(self, size_bytes: int) -> None:
        """Ensure a reservation of `size_bytes` before they are written; rechecks the disk periodically.

        Raises:
            NoSpaceError: Not enough free space.
        """
        is_recent = time.monotonic() - self._checked_at < RENEW_SECONDS
        is_near = size_bytes - self._checked_bytes < STEP_BYTES
        if size_bytes > self._reserved_bytes:
            self._reserve(size_bytes, size_bytes + STEP_BYTES)
        elif not (is_recent and is_near):
            self._reserve(self._reserved_bytes, self._reserved_bytes)
        self._received_bytes = size_bytes

    def release(self) -> None:
        """Release the space in the transaction that stores the body."""
        self._session.execute(delete(SpaceReservation).where(SpaceReservation.id == self._id))

    def abandon(self) -> None:
        """Release the space immediately: nothing of the body is stored."""
        self._session.rollback()
        self.release()
        self._session.commit()

    def _reserve(self, least_bytes: int, wanted_bytes: int) -> None:
        """Reserve `wanted_bytes`, or as much as is free; refuse less than `least_bytes`."""
        session = self._session
        free = _locked_space(session, self._settings, without=self._id)
        # Bytes already written are no longer free.
        free = free._replace(disk_bytes=free.disk_bytes + self._received_bytes)
        _refuse_beyond(free, self._settings, least_bytes)
        self._reserved_bytes = max(least_bytes, min(wanted_bytes, free.bytes))
        row = {
            "size_bytes": self._reserved_bytes,
            "received_bytes": self._received_bytes,
            "updated_at": func.now(),
        }
        is_expired = SpaceReservation.updated_at < func.now() - EXPIRY
        expired = delete(SpaceReservation).where(is_expired, SpaceReservation.id != self._id).cte("expired")
        statement = upsert(SpaceReservation).values(id=self._id, **row)
        statement = statement.on_conflict_do_update(index_elements=["id"], set_=row)
        session.execute(statement.add_cte(expired))
        session.commit()
        self._checked_bytes, self._checked_at = self._received_bytes, time.monotonic()


@contextmanager
def reserved(session: Session, settings: Settings, size_bytes: int) -> Iterator[Reservation]:
    """Reserve space for a received body until the surrounding transaction stores it.

    Raises:
        NoSpaceError: Not enough free space.
    """
    reservation = Reservation(session, settings)
    reservation.begin(size_bytes)
    try:
        yield reservation
        reservation.release()
    except BaseException:
        reservation.abandon()
        raise


def _locked_space(session: Session, settings: Settings, *, without: UUID | None = None) -> FreeSpace:
    """Take the space lock until the transaction ends, and fold the counters; return the free space."""
    session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    sums = _sums(session, without)
    if sums.changes > _MAX_CHANGES:
        folded = delete(StoredBytes).returning(StoredBytes.size_bytes).cte("folded")
        total = select(func.coalesce(func.sum(folded.c.size_bytes), 0))
        session.execute(insert(StoredBytes).from_select(["size_bytes"], total))
    return _of_sums(sums, settings)


def _refuse_beyond(free: FreeSpace, settings: Settings, size_bytes: int) -> None:
    """Refuse `size_bytes` when they do not fit."""
    if size_bytes > free.disk_bytes:
        raise NoSpaceError(
            f"not enough disk space for {size_bytes:,} bytes: {max(0, free.disk_bytes):,} are free; "
            "compress the file, or ask the operator to free space"
        )
    if free.quota_bytes is not None and size_bytes > free.quota_bytes:
        raise NoSpaceError(
            f"{size_bytes:,} bytes exceed the quota of all evidence, {settings.quota_bytes:,} bytes: "
            f"{max(0, free.quota_bytes):,} are free; compress the file, or ask the operator to raise "
            "the quota"
        )
