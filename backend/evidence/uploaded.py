"""A complete upload becomes evidence; its bytes stay in place until that is committed."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.cases import service as cases
from backend.cases.queries import hold
from backend.core import events
from backend.core.domain_events import publish
from backend.evidence import receiving
from backend.evidence.batching import has_own_job
from backend.evidence.staging import Staged
from backend.models.evidence import Evidence
from backend.models.upload import Upload, UploadState
from backend.uploads.domain_events import UploadCompleted
from backend.uploads.writer import path_of

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy import BindParameter, ColumnElement
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.core.settings import Settings
    from backend.models.case import Case


KEEP_KEY = "keep:"


def keep(run: Run, upload_id: UUID) -> None:
    """Hash and store the bytes, make them evidence and queue their reading."""
    with run.session() as session:
        upload = session.get(Upload, upload_id)
        if upload is None or upload.state is not UploadState.SENT:
            return
        staged = _unhashed(run.settings, upload)
    staged = replace(staged, sha256=_sha256(staged.path))
    run.check()
    with run.putting():
        run.store.put_file(staged.path, sha256=staged.sha256)
        with run.result() as session:
            upload = session.get_one(Upload, upload_id, with_for_update=True)
            case = hold(session, upload.case_id)
            assert case is not None  # noqa: S101 - an upload goes with its case
            received = _become_evidence(session, case, upload, staged)
            receiving.queue_readings(session, run.settings, case, received)
    staged.path.unlink(missing_ok=True)


def keep_together(run: Run, case_id: UUID, unhashed: dict[UUID, Staged]) -> None:
    """Make evidence of complete small uploads of the case, by id (`staged`)."""
    files = {upload_id: replace(file, sha256=_sha256(file.path)) for upload_id, file in unhashed.items()}
    run.check()
    with run.putting():
        for file in files.values():
            run.store.put_file(file.path, sha256=file.sha256)
        with run.session() as session:
            case = hold(session, case_id)
            if case is None:
                return
            locked = select(Upload).where(Upload.id.in_(files), Upload.state == UploadState.SENT)
            # The holder of an upload may wait for the case lock; skipped uploads belong to the next batch.
            uploads = session.scalars(locked.order_by(Upload.id).with_for_update(skip_locked=True)).all()
            locked_ids = [upload.id for upload in uploads]
            for upload in uploads:
                for evidence in _become_evidence(session, case, upload, files[upload.id]):
                    # This very job reads small files.
                    if not receiving.is_small(run.settings, evidence):
                        receiving.queue_reading_alone(session, run.settings, evidence)
    for upload_id in locked_ids:
        files[upload_id].path.unlink(missing_ok=True)


def staged(session: Session, settings: Settings, case_id: UUID, *, limit: int) -> dict[UUID, Staged]:
    """Return the files of the uploads of the case waiting for a batch by upload, oldest first, unhashed."""
    return {one.id: _unhashed(settings, one) for one in waiting(session, case_id, limit=limit)}


def waiting(session: Session, case_id: UUID, *, limit: int | None = None) -> list[Upload]:
    """Return the uploads of the case waiting for a batch, oldest first, at most `limit`."""
    query = select(Upload).where(*_waits(case_id)).order_by(Upload.id).limit(limit)
    return list(session.scalars(query))


def is_waiting(case_id: UUID | BindParameter[UUID]) -> ColumnElement[bool]:
    """Return the SQL condition that an upload of the case waits for a batch."""
    return select(Upload.id).where(*_waits(case_id)).exists()


def _waits(case_id: UUID | BindParameter[UUID]) -> tuple[ColumnElement[bool], ...]:
    return (
        Upload.case_id == case_id,
        Upload.state == UploadState.SENT,
        ~has_own_job(KEEP_KEY, Upload.id),
    )


def split(session: Session, case_id: UUID) -> None:
    """Give every upload waiting for a batch of the case a job of its own; the caller holds the case lock."""
    for upload in waiting(session, case_id):
        publish(session, UploadCompleted(upload.id, upload.sender))


def _unhashed(settings: Settings, upload: Upload) -> Staged:
    path = path_of(settings, upload.id)
    return Staged(path, upload.filename, upload.captured_path, upload.size_bytes, "")


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _become_evidence(session: Session, case: Case, upload: Upload, staged: Staged) -> list[Evidence]:
    """Return the new evidence of an upload, to be read next; none when the case already has it."""
    preview = session.get(Evidence, upload.evidence_id) if upload.evidence_id else None
    if preview is not None and preview.deleted_at is not None:
        preview = None
    evidence, is_new = receiving.add(
        session,
        case,
        staged,
        actor=upload.actor,
        preview=preview,
        host=upload.host,
        phase=upload.phase,
    )
    upload.state, upload.evidence_id = UploadState.KEPT, evidence.id
    cases.touch(case)
    return [evidence] if is_new else []


def reset(session: Session, upload_id: UUID) -> None:
    """Mark a failed upload as complete, to be stored again."""
    upload = session.get(Upload, upload_id, with_for_update=True)
    if upload is not None and upload.state is UploadState.FAILED:
        upload.state = UploadState.SENT


def fail(session: Session, upload_id: UUID, error: str) -> None:
    """Mark an upload as failed; its bytes stay until it expires."""
    upload = session.get(Upload, upload_id)
    if upload is None or upload.state is not UploadState.SENT:
        return
    upload.state = UploadState.FAILED
    events.record(
        session,
        "upload.failed",
        case_id=upload.case_id,
        payload={"upload_id": str(upload.id), "name": upload.filename, "error": error},
    )
