"""Drafts of signatures, loaded, judged and packed by the current engine.

A draft that this version cannot read stays as it is, with the error; its folder can still be downloaded.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.core.errors import StoredBytesError
from backend.core.jobs.job import error_number
from backend.evidence.read_files import scratch_of
from backend.findings.fault_log import log_noted
from backend.models import SignatureDraft
from backend.reprocessing import runs, selection
from backend.sandbox.envelope import computed_in_job, limits_of_job
from backend.sandbox.runner import LimitHitError, SandboxCrashError
from backend.signature_drafts import service
from signatures.engine_version import engine_version

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.reprocessing.selection import Selection

UNREADABLE = "this version cannot read the folder: {problem}"


def renew_next(run: Run, run_id: UUID, chosen: Selection) -> bool:
    """Judge the next draft of the run again; False when there is none."""
    with run.session() as session:
        draft = selection.next_draft(session, chosen)
        if draft is None:
            return False
        draft_id, signature_id, sha256 = draft.id, draft.signature_id, str(draft.zip_sha256)
    try:
        _renew(run, run_id, draft_id, signature_id, sha256)
    except (LimitHitError, StoredBytesError) as error:
        _fail(run, run_id, draft_id, str(error))
    except SandboxCrashError as error:
        _fail(run, run_id, draft_id, f"judging it failed, reported as {error_number(str(error))}")
    return True


def _renew(run: Run, run_id: UUID, draft_id: UUID, signature_id: str, sha256: str) -> None:
    with tempfile.TemporaryDirectory(dir=scratch_of(run), prefix="draft-") as scratch:
        folder = Path(scratch)
        archive = folder / "folder.zip"
        run.store.fetch(sha256, archive)
        with computed_in_job(
            run.settings,
            "judge draft",
            {"archive": str(archive), "signature_id": signature_id},
            what="the judgement of the draft",
            limits=limits_of_job(run.settings, "heavy"),
            readable=[folder],
            check=run.check,
        ) as (result, output):
            log_noted(result["faults"])
            if result["report"] is None:
                _fail(run, run_id, draft_id, UNREADABLE.format(problem=result["problem"]))
                return
            packed = output / "folder.zip"
            with packed.open("rb") as stream:
                new_sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
            size_bytes = packed.stat().st_size
            with run.putting():
                run.store.put_file(packed, sha256=new_sha256)
                with run.result() as session:
                    _keep(session, draft_id, result["report"], new_sha256, size_bytes)
                    runs.advance_draft(session, run_id)


def _keep(session: Session, draft_id: UUID, report: dict[str, Any], sha256: str, size_bytes: int) -> None:
    draft = session.get(SignatureDraft, draft_id, with_for_update=True)
    if draft is not None:
        draft.report, draft.engine, draft.reason = draft.report | report, engine_version(), ""
        draft.zip_sha256, draft.zip_bytes = sha256, size_bytes
        service.record_event(session, draft, "judged")


def _fail(run: Run, run_id: UUID, draft_id: UUID, reason: str) -> None:
    with run.result() as session:
        draft = session.get(SignatureDraft, draft_id, with_for_update=True)
        if draft is not None:
            draft.reason, draft.engine = reason, engine_version()
            service.record_event(session, draft, "judged")
        runs.advance_draft(session, run_id)
