"""Writing a backup of an instance that may be at work.

1. Take the lock of garbage collection, shared: nothing is deleted from the store until the end.
2. Copy the checkpoints of the audit log: none is newer than the tables that follow.
3. Copy all tables in one snapshot (REPEATABLE READ).
4. Copy the received bytes of uploads that the snapshot has, then the objects that it names: objects are
   written before their rows and never change, so each of them is there.
5. Replace the manifest, then delete what only the last backup had.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from backend.core import audit_chain
from backend.core.audit_entry import AuditHead
from backend.core.db import migrate
from backend.core.db.engine import create_engine
from backend.core.encryption import key_text
from backend.core.storage import gc_lock
from backend.core.storage.durable_files import replace_file, sync_file_system
from backend.core.storage.object_store import Store
from backend.core.version import VERSION
from backend.models import Case, Evidence, Upload, UploadState
from backend.operations.backup import last_backup, manifest, objects, tables
from backend.operations.backup.manifest import AuditState, BackupError, Manifest, Part
from backend.operations.stored_objects import NamedObjects, named_objects
from backend.uploads.writer import path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy import Connection, Engine

    from backend.core.settings import Settings

COPY_BYTES = 1 << 20
STAMP = "%Y%m%dT%H%M%S.%fZ"


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """What the transaction of the snapshot found."""

    tables: list[manifest.Table]
    sequences: dict[str, int]
    migration: str
    postgresql: str
    named: NamedObjects
    uploads: list[Part]
    cases: int
    audit: AuditState


def back_up(
    settings: Settings, directory: Path, *, with_key: bool, report: Callable[[str, int, int], None]
) -> Manifest:
    """Write a backup into `directory`, in place of an earlier one; return its manifest.

    `report` receives the name of a step, how much of it is done, and how much there is.

    Raises:
        BackupError: The directory holds something else, or cannot be written.
        DecryptionError: The instance has no key to include.
        UnavailableError: The store does not respond.
    """
    os.umask(0o077)
    key = key_text(settings).encode("ascii") if with_key else b""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(directory):
        return _back_up(settings, directory, key, report)


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Lock the directory against another backup.

    Raises:
        BackupError: Another one is being written into it.
    """
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BackupError(f"another backup is being written into {directory}") from None
    else:
        yield
    finally:
        os.close(descriptor)


def _back_up(
    settings: Settings, directory: Path, key: bytes, report: Callable[[str, int, int], None]
) -> Manifest:
    last = _last(directory)
    known = {part.name: part for part in objects.read_list(last.objects, directory)} if last else {}
    made_at = datetime.now(UTC)
    stamp = made_at.strftime(STAMP)
    store = Store.open(settings)
    engine = create_engine(settings, pool_size=2)
    database = directory / f"database-{stamp}"
    copier = objects.Copier(store, directory, known)
    try:
        with _no_garbage_collection(engine):
            records = copier.copy_records(objects.AUDIT)
            database.mkdir()
            snapshot = _snapshot(engine, settings, directory, database, report)
            copied = copier.copy(snapshot.named, lambda done, total: report("objects", done, total))
    except OSError as error:
        raise BackupError(f"{directory} cannot be written: {error.strerror}") from None
    finally:
        engine.dispose()
    parts = copied.parts | {part.name: part for part in records}
    listed = objects.write_list(parts.values(), directory, f"objects.{stamp}.jsonl.zst")
    if key:
        replace_file(directory / manifest.SEAL_KEY, key)
    sync_file_system(directory)
    written = Manifest(
        made_at=made_at.isoformat(timespec="seconds"),
        casebook=VERSION,
        migration=snapshot.migration,
        postgresql=snapshot.postgresql,
        database=database.name,
        tables=snapshot.tables,
        sequences=snapshot.sequences,
        objects=listed,
        object_count=len(parts),
        object_bytes=sum(part.bytes for part in parts.values()),
        uploads=snapshot.uploads,
        cases=snapshot.cases,
        audit=snapshot.audit,
        has_key=bool(key),
        missing=copied.missing,
        damaged=copied.damaged,
    )
    manifest.write(written, directory)
    last_backup.write(settings.data_dir, directory, written)
    _delete_older(directory, written, parts)
    return written


def _last(directory: Path) -> Manifest | None:
    """Return the manifest of the last backup in `directory`."""
    if (directory / manifest.MANIFEST).exists():
        return manifest.read(directory)
    foreign = [
        path.name
        for path in directory.iterdir()
        if path.name not in {manifest.STORE, manifest.UPLOADS, manifest.SEAL_KEY}
        and not path.name.startswith(("database-", "objects.", f".{manifest.MANIFEST}"))
    ]
    if foreign:
        raise BackupError(
            f"{directory} holds {foreign[0]!r}, which is no part of a backup: name a new or empty directory"
        )
    return None


@contextmanager
def _no_garbage_collection(engine: Engine) -> Iterator[None]:
    """Block garbage collection of the store; writers are not blocked."""
    with Session(engine) as session:
        gc_lock.put_until_commit(session)
        yield


def _snapshot(
    engine: Engine,
    settings: Settings,
    directory: Path,
    database: Path,
    report: Callable[[str, int, int], None],
) -> _Snapshot:
    """Copy the tables, and the uploads that they name."""
    snapshot = engine.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    with snapshot as connection, Session(connection) as session:
        migrate.require_known(connection)
        tables.use_formats(connection)
        # First: a complete upload becomes evidence at any moment, and its file goes.
        uploads = _copy_uploads(session, engine, settings, directory)
        sources = tables.sources(connection)
        saved = []
        for done, source in enumerate(sources):
            report("tables", done, len(sources))
            saved.append(tables.save(connection, source, database))
        head = session.get_one(AuditHead, audit_chain.HEAD_ID)
        return _Snapshot(
            tables=saved,
            sequences=tables.sequences(connection),
            migration=migrate.revision_of(connection),
            postgresql=_version_of(connection),
            named=named_objects(session),
            uploads=uploads,
            cases=session.scalar(select(func.count()).select_from(Case)) or 0,
            audit=AuditState(head.number, head.hash, head.key_id),
        )


def _version_of(connection: Connection) -> str:
    return str(connection.scalar(text("show server_version")))


def _copy_uploads(session: Session, engine: Engine, settings: Settings, directory: Path) -> list[Part]:
    """Copy the synced bytes of every upload that is not evidence yet."""
    # Two columns: an older database lacks some of the others.
    columns = select(Upload.id, Upload.offset_bytes)
    waiting = columns.where(Upload.state != UploadState.KEPT).order_by(Upload.id)
    target = directory / manifest.UPLOADS
    target.mkdir(exist_ok=True)
    parts = []
    for upload_id, offset_bytes in session.execute(waiting):
        part: Part | None
        try:
            part = _copy_beginning(path_of(settings, upload_id), target, offset_bytes)
        except FileNotFoundError:
            part = _copy_evidence(engine, settings, upload_id, target)
        if part is not None:
            parts.append(part)
    return parts


def _copy_beginning(source: Path, target: Path, size_bytes: int) -> Part:
    digest, left = hashlib.sha256(), size_bytes
    with source.open("rb") as stream, (target / source.name).open("wb") as copy:
        while left and (chunk := stream.read(min(left, COPY_BYTES))):
            copy.write(chunk)
            digest.update(chunk)
            left -= len(chunk)
    return Part(source.name, digest.hexdigest(), size_bytes - left)


def _copy_evidence(engine: Engine, settings: Settings, upload_id: UUID, target: Path) -> Part | None:
    """Copy the bytes of an upload that has become evidence since the snapshot; None for a deleted one."""
    became = (
        select(Evidence.sha256).join(Upload, Upload.evidence_id == Evidence.id).where(Upload.id == upload_id)
    )
    with Session(engine) as session:
        sha256 = session.scalar(became)
    if sha256 is None:
        return None
    size_bytes = 0
    with (target / upload_id.hex).open("wb") as copy:
        for chunk in Store.open(settings).chunks(sha256):
            size_bytes += copy.write(chunk)
    return Part(upload_id.hex, sha256, size_bytes)


def _delete_older(directory: Path, written: Manifest, parts: dict[str, Part]) -> None:
    """Delete what only earlier or interrupted backups had."""
    for path in directory.iterdir():
        if path.name.startswith("database-") and path.name != written.database:
            shutil.rmtree(path)
        if path.name.startswith("objects.") and path.name != written.objects.name:
            path.unlink()
    for path in (directory / manifest.UPLOADS).iterdir():
        if path.name not in {part.name for part in written.uploads}:
            path.unlink()
    if not written.has_key:
        (directory / manifest.SEAL_KEY).unlink(missing_ok=True)
    objects.prune(directory, parts)
