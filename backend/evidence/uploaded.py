"""An upload that is whole becomes evidence; its bytes stay where they are until that is certain."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from backend.cases import service as cases
from backend.cases.queries import hold
from backend.core import events
from backend.evidence import receiving
from backend.evidence.staging import Staged
from backend.models.evidence import Evidence
from backend.models.upload import Upload, UploadState
from backend.uploads.writer import path_of

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.run import Run


def keep(run: Run, upload_id: UUID) -> None:
    """Hash and store the bytes, then make them evidence and queue their reading."""
    path = path_of(run.settings, upload_id)
    with run.session() as session:
        upload = session.get(Upload, upload_id)
        if upload is None or upload.state is not UploadState.SENT:
            return
        filename, captured_path, size_bytes = upload.filename, upload.captured_path, upload.size_bytes
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    run.check()
    with run.putting():
        run.store.put_file(path, sha256=sha256)
        with run.result() as session:
            upload = session.get_one(Upload, upload_id, with_for_update=True)
            case = hold(session, upload.case_id)
            assert case is not None  # noqa: S101 - an upload goes with its case
            staged = Staged(path, filename, captured_path, size_bytes, sha256)
            preview = session.get(Evidence, upload.evidence_id) if upload.evidence_id else None
            if preview is not None and preview.deleted_at is not None:
                preview = None
            evidence, _ = receiving.add(
                session, run.settings, case, staged, actor=upload.actor, preview=preview
            )
            upload.state, upload.evidence_id = UploadState.KEPT, evidence.id
            cases.touch(case)
    path.unlink(missing_ok=True)


def fail(session: Session, upload_id: UUID, error: str) -> None:
    """Say that an upload could not be kept; the bytes stay until it expires."""
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
