"""Upload writer: one connection at a time, each chunk synced to disk before the row is updated.

The row is authoritative: `offset_bytes` of the file are on disk; the next writer truncates anything beyond.
Writers are serialised by a lock of the file. Under it each checks its fencing token (`writer_epoch`), so a
connection believed dead cannot overwrite its successor.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, or_, select, update

from backend.cases.queries import hold
from backend.core import events
from backend.core.domain_events import publish
from backend.core.errors import (
    CasebookError,
    ChecksumError,
    ConflictError,
    GoneError,
    NoSpaceError,
    SupersededError,
    TooLargeError,
)
from backend.models.evidence import Evidence
from backend.models.upload import Upload, UploadState
from backend.uploads import space
from backend.uploads.domain_events import PreviewBytesReceived, SmallFilesWaiting, UploadCompleted
from backend.uploads.names import expansion_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy import BindParameter, ColumnElement
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.uploads.protocol import Checksum

SMALL_BYTES = 1 << 20
"""Files up to this size share jobs."""

BATCH_SECONDS = 0.4
"""How long a batch waits for more small files of the same drop."""
RECENT_SECONDS = 1.0
"""Longest expected gap between two files of a drop."""

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
COMMIT_BYTES = 16 << 20
"""Sync interval: at most this much is sent again after a crash."""


def path_of(settings: Settings, upload_id: UUID) -> Path:
    """Return the path of the file of an upload."""
    return settings.uploads_dir / upload_id.hex


def write_first(settings: Settings, upload_id: UUID, content: bytes) -> None:
    """Create the file of a new upload with its first bytes, synced before the row is committed.

    Raises:
        NoSpaceError: The disk is full.
    """
    file = os.open(path_of(settings, upload_id), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(file, "wb") as stream:
            if content:
                stream.write(content)
                stream.flush()
                os.fdatasync(stream.fileno())
    except OSError as error:
        if error.errno in FULL:
            raise NoSpaceError(_DISK_FULL) from error
        raise


class Writer:
    """The current writing connection of one upload."""

    def __init__(
        self,
        sessions: sessionmaker[Session],
        settings: Settings,
        upload_id: UUID,
        offset: int,
        checksum: Checksum | None = None,
    ) -> None:
        """Take the upload over at `offset`; ends the previous writer.

        Raises:
            ConflictError: The upload is at another offset.
            GoneError: It or its file was deleted.
            NoSpaceError: The disk or the quota is full.
        """
        self._sessions = sessions
        self._settings = settings
        self._id = upload_id
        self._path = path_of(settings, upload_id)
        self._checksum = checksum
        self._digest = hashlib.new(checksum.algorithm, usedforsecurity=False) if checksum else None
        self._committed = self._position = offset
        self._epoch: int | None = None
        self._require_space()
        with self._locked() as file, sessions.begin() as session:
            upload = session.get(Upload, upload_id, with_for_update=True)
            if upload is None:
                raise GoneError(f"the upload {upload_id} was deleted")
            if upload.offset_bytes != offset:
                raise ConflictError(f"the upload is at offset {upload.offset_bytes}, not {offset}")
            upload.writer_epoch += 1
            self._epoch = upload.writer_epoch
            self._size = upload.size_bytes
            if upload.state is UploadState.SENDING:
                os.ftruncate(file, offset)

    @property
    def position(self) -> int:
        """End of the bytes written by this connection."""
        return self._position

    def require_room(self, size_bytes: int) -> None:
        """Refuse bytes beyond the announced length.

        Raises:
            TooLargeError: They exceed it.
        """
        if self._position + size_bytes > self._size:
            raise TooLargeError(f"the bytes exceed the announced length of {self._size:,}")

    def write(self, piece: bytes) -> None:
        """Append bytes; syncs periodically.

        Raises:
            SupersededError: Another connection has taken over.
            NoSpaceError: The disk or the quota is full; committed bytes remain.
        """
        self.require_room(len(piece))
        with self._locked() as file:
            self._require_latest()
            view = memoryview(piece)
            try:
                while view:
                    written = os.pwrite(file, view, self._position)
                    self._position += written
                    view = view[written:]
            except OSError as error:
                if error.errno in FULL:
                    raise NoSpaceError(_DISK_FULL) from error
                raise
        if self._digest is not None:
            self._digest.update(piece)
        elif self._position - self._committed >= COMMIT_BYTES:
            self.commit()
            self._require_space()

    def finish(self) -> int:
        """Commit the received bytes if the checksum matches; return the new offset.

        Raises:
            ChecksumError: The bytes do not match; none of them is stored.
        """
        if self._digest is not None and self._checksum and self._digest.digest() != self._checksum.digest:
            raise ChecksumError(f"checksum mismatch ({self._checksum.algorithm}): send the bytes again")
        return self.commit()

    def commit(self) -> int:
        """Sync the bytes and update the row; the last ones complete the upload and queue its job.

        Raises:
            SupersededError: Another connection has taken over.
        """
        with self._locked() as file:
            os.fdatasync(file)
            with self._sessions.begin() as session:
                upload = session.scalar(
                    update(Upload)
                    .where(Upload.id == self._id, Upload.writer_epoch == self._epoch)
                    .values(offset_bytes=self._position, updated_at=func.now())
                    .returning(Upload)
                )
                if upload is None:
                    raise SupersededError(_TAKEN_OVER)
                if self._position > self._committed:
                    _record_progress(session, upload)
                preview_bytes = _preview_bytes(self._settings, upload)
                if self._crosses(preview_bytes) and upload.size_bytes >= 2 * preview_bytes:
                    publish(session, PreviewBytesReceived(upload.id, upload.sender))
                if upload.offset_bytes == upload.size_bytes and upload.state is UploadState.SENDING:
                    upload.state = UploadState.SENT
                    queue_keeping(session, self._settings, upload)
        self._committed = self._position
        return self._committed

    def _crosses(self, bound: int) -> bool:
        return bound > 0 and self._committed < bound <= self._position

    def _require_space(self) -> None:
        """Check space again: others may have filled the disk since the upload was announced."""
        with self._sessions.begin() as session:
            space.require_promised(session, self._settings)

    def _require_latest(self) -> None:
        with self._sessions() as session:
            latest = session.scalar(select(Upload.writer_epoch).where(Upload.id == self._id))
        if latest != self._epoch:
            raise SupersededError(_TAKEN_OVER)

    def _why_gone(self) -> CasebookError:
        """Return the error for bytes without an upload: another connection may have sent the last."""
        with self._sessions() as session:
            latest = session.scalar(select(Upload.writer_epoch).where(Upload.id == self._id))
        if latest is not None and self._epoch is not None and latest != self._epoch:
            return SupersededError(_TAKEN_OVER)
        return GoneError(f"the upload {self._id} was deleted")

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Lock the file briefly."""
        try:
            file = os.open(self._path, os.O_RDWR)
        except FileNotFoundError:
            raise self._why_gone() from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)


def _preview_bytes(settings: Settings, upload: Upload) -> int:
    """Return after how many received bytes the first part of an upload is read."""
    return settings.preview_bytes // expansion_of(upload.filename)


_DISK_FULL = "the disk is full; resume once space is free"
_TAKEN_OVER = "another connection took over this upload"


def are_coming(session: Session, case_id: UUID) -> bool:
    """Return whether more files of the case are expected: several uploads, or requests, began recently."""
    return bool(session.scalar(select(more_are_coming(case_id, recent()))))


def recent() -> timedelta:
    """Return the longest time since the beginning of an upload or a request that others follow."""
    return timedelta(seconds=RECENT_SECONDS)


def more_are_coming(
    case_id: UUID | BindParameter[UUID], since: timedelta | BindParameter[timedelta]
) -> ColumnElement[bool]:
    """Return the condition `are_coming`; `since` is `recent`."""
    moment = func.now() - since
    uploads = select(Upload.id).where(Upload.case_id == case_id, Upload.created_at > moment)
    # The files of one request are evidence of one moment.
    requests = (
        select(Evidence.created_at)
        .where(Evidence.case_id == case_id, Evidence.parent_id.is_(None), Evidence.created_at > moment)
        .distinct()
    )
    return or_(*(one.offset(1).limit(1).exists() for one in (uploads, requests)))


def queue_keeping(
    session: Session, settings: Settings, upload: Upload, *, is_one_of_many: bool = False
) -> None:
    """Queue the conversion of a complete upload to evidence; small files share a job.

    The batch waits briefly for the rest of a drop announced by its first file.
    """
    if upload.size_bytes <= min(SMALL_BYTES, settings.heavy_from_bytes):
        hold(session, upload.case_id)
        is_one_of_many = is_one_of_many or are_coming(session, upload.case_id)
        delay_seconds = BATCH_SECONDS if is_one_of_many else 0.0
        publish(session, SmallFilesWaiting(upload.case_id, upload.sender, delay_seconds))
    else:
        is_heavy = upload.size_bytes >= settings.heavy_from_bytes
        queue = "heavy" if is_heavy else "light"
        publish(session, UploadCompleted(upload.id, upload.sender, queue))


def _record_progress(session: Session, upload: Upload) -> None:
    events.record(
        session,
        "upload.progressed",
        case_id=upload.case_id,
        actor=upload.actor,
        payload={"upload_id": str(upload.id), "offset_bytes": upload.offset_bytes},
    )
