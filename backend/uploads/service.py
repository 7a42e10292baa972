"""Uploads: start, delete, expire."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from backend.cases import service as cases
from backend.core import events
from backend.core.domain_events import publish
from backend.core.errors import ConflictError, TooLargeError
from backend.core.jobs import backlog, job_sender
from backend.models.case import Case
from backend.models.upload import Upload, UploadState
from backend.uploads import names, queries, space
from backend.uploads.domain_events import PreviewedUploadDeleted
from backend.uploads.schemas import UploadRead
from backend.uploads.writer import path_of, queue_keeping, write_first

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.access.principals import Principal
    from backend.core.settings import Settings
    from backend.uploads.protocol import UploadMetadata

BATCH = 200


def describe(session: Session, upload: Upload, settings: Settings) -> UploadRead:
    """Return an upload as the API shows it."""
    return UploadRead(
        id=upload.id,
        case_id=upload.case_id,
        case_number=session.get_one(Case, upload.case_id).number,
        filename=upload.filename,
        captured_path=upload.captured_path,
        fingerprint=upload.fingerprint,
        size_bytes=upload.size_bytes,
        offset_bytes=upload.offset_bytes,
        state=upload.state.value,
        evidence_id=upload.evidence_id,
        updated_at=upload.updated_at,
        expires_at=upload.updated_at + settings.upload_lifetime,
    )


def actor_of(principal: Principal) -> str:
    """Return the actor name of uploads of `principal`."""
    return principal.name if principal.case_id is None else f"{principal.name} (token)"


def begin(
    session: Session,
    settings: Settings,
    case: Case | None,
    file: UploadMetadata,
    principal: Principal,
    *,
    content: bytes = b"",
) -> Upload:
    """Start an upload into `case` (a new one of `principal` when None), with the first bytes `content`.

    Raises:
        InvalidNameError: The name leaves its folder or cannot be shown.
        TooLargeError: It exceeds the size limit of evidence.
        NoSpaceError: Not enough storage.
        QueueFullError: The queue of the sender is full.
    """
    if len(content) > file.size_bytes:
        raise TooLargeError(f"the upload exceeds its announced length of {file.size_bytes:,} bytes")
    name = names.split(file.filename)
    if file.captured_path:
        name = names.SentName(name.filename, names.captured(file.captured_path))
    settings.uploads_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    backlog.require_room(session, settings)
    space.require(session, settings, file.size_bytes, together_bytes=file.drop_bytes)
    if case is None:
        folder = names.captured(file.drop_folder)
        title = names.title_of(name.captured_path or name.filename, file.drop_files, folder=folder)
        case = cases.create(session, title=title, actor=principal.name, owner=principal)
    upload = Upload(
        case_id=case.id,
        actor=actor_of(principal),
        sender=job_sender.of(session),
        filename=name.filename,
        captured_path=name.captured_path,
        host=file.host,
        phase=file.phase,
        fingerprint=file.fingerprint,
        size_bytes=file.size_bytes,
        offset_bytes=len(content),
    )
    session.add(upload)
    session.flush()
    session.refresh(upload)
    write_first(settings, upload.id, content)
    _record_event(session, "upload.began", upload)
    if file.size_bytes == len(content):
        upload.state = UploadState.SENT
        queue_keeping(session, settings, upload, is_one_of_many=file.drop_files > 1)
    return upload


def cancel(session: Session, settings: Settings, upload: Upload, *, actor: str) -> None:
    """Delete an upload and its bytes.

    Raises:
        ConflictError: It is complete; delete the evidence instead.
    """
    if upload.state in {UploadState.SENT, UploadState.KEPT}:
        raise ConflictError("the upload is complete: delete the evidence from the case instead")
    _forget(session, settings, upload, "upload.given_up", actor=actor)


def expire(sessions: sessionmaker[Session], settings: Settings) -> int:
    """Delete expired uploads, and files without an upload; return how many."""
    before = datetime.now(UTC) - settings.upload_lifetime
    with sessions.begin() as session:
        old = queries.unused_since(session, before, limit=BATCH)
        for upload in old:
            _forget(session, settings, upload, "upload.expired", actor=events.SYSTEM)
    return len(old) + _remove_strays(sessions, settings, before)


def _forget(session: Session, settings: Settings, upload: Upload, kind: str, *, actor: str) -> None:
    path_of(settings, upload.id).unlink(missing_ok=True)
    if upload.state is not UploadState.KEPT:
        _record_event(session, kind, upload, actor=actor)
        if upload.evidence_id is not None:
            publish(session, PreviewedUploadDeleted(upload.evidence_id, upload.sender))
    session.delete(upload)


def _remove_strays(sessions: sessionmaker[Session], settings: Settings, before: datetime) -> int:
    """Delete files without a row: their case was deleted, or the row never committed."""
    if not settings.uploads_dir.is_dir():
        return 0
    files = [path for path in settings.uploads_dir.iterdir() if path.stat().st_mtime < before.timestamp()]
    with sessions() as session:
        existing_ids = queries.ids_among(session, [path.name for path in files])
    strays = [path for path in files if path.name not in existing_ids]
    for path in strays:
        path.unlink(missing_ok=True)
    return len(strays)


def _record_event(session: Session, kind: str, upload: Upload, *, actor: str = "") -> None:
    events.record(
        session,
        kind,
        case_id=upload.case_id,
        actor=actor or upload.actor,
        payload={
            "upload_id": str(upload.id),
            "name": upload.captured_path or upload.filename,
            "size_bytes": upload.size_bytes,
        },
    )
