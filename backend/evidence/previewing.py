"""Preview of an incoming perf script, plain or compressed: its first part is read while the upload continues.

The preview is ordinary evidence of the bytes received so far, with a provisional `Reading.stage`. A complete
upload replaces its content under the same evidence id, so links to its lines stay valid.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from backend.cases.queries import hold
from backend.core import events
from backend.evidence import hosts, placement, reading_folders, reading_rows
from backend.evidence.service import case_changed
from backend.models.blob import Blob
from backend.models.evidence import Evidence, EvidenceState
from backend.models.reading import Reading, Stage
from backend.models.section import Section
from backend.models.upload import Upload, UploadState
from backend.sandbox.runner import PART, SandboxLimits, read_in_sandbox
from backend.uploads.writer import path_of

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.sandbox.report import ReadEvidence

LONG = "perf-script"


def preview(run: Run, upload_id: UUID) -> None:
    """Read the received part of an upload if it is an unfinished perf script."""
    with run.session() as session:
        upload = session.get(Upload, upload_id)
        if upload is None or not _may_be_shown(upload):
            return
        filename, captured_path = upload.filename, upload.captured_path
    run.settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=run.settings.scratch_dir, prefix="preview-") as scratch:
        output = Path(scratch, "output")
        output.mkdir()
        report = read_in_sandbox(
            path_of(run.settings, upload_id),
            output=output,
            limits=_limits(run),
            name=filename,
            captured_path=captured_path,
            part_bytes=run.settings.preview_bytes,
            check=run.check,
        )
        if report.state != "read" or {section.format for section in report.sections} != {LONG}:
            return
        content = output / PART
        with content.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        report = report.model_copy(update={"sha256": sha256, "size_bytes": content.stat().st_size})
        host = hosts.stated(report, output)
        run.check()
        with run.putting():
            run.store.put_file(content, sha256=sha256)
            reading_folders.put_folders(run.store, output, report)
            with run.result() as session:
                _keep(session, upload_id, report, output, host)


def _limits(run: Run) -> SandboxLimits:
    """Return the limits of a preview; on a limit there is no preview and the file is read when complete."""
    limits = SandboxLimits.of(run.settings, is_heavy=False)
    return replace(limits, cpu_seconds=min(limits.cpu_seconds, run.settings.light_cpu_seconds))


def forget(session: Session, evidence_id: UUID) -> None:
    """Delete the preview of a cancelled upload and queue the judgement of its case."""
    evidence = session.get(Evidence, evidence_id)
    if evidence is None:
        return
    case_id = evidence.case_id
    session.delete(evidence)
    session.flush()
    case_changed(session, case_id)


def _may_be_shown(upload: Upload) -> bool:
    return upload.state is UploadState.SENDING and upload.evidence_id is None


def _keep(
    session: Session, upload_id: UUID, report: ReadEvidence, output: Path, host: hosts.StatedHost
) -> None:
    upload = session.get(Upload, upload_id, with_for_update=True)
    if upload is None or not _may_be_shown(upload) or hold(session, upload.case_id) is None:
        return
    session.execute(
        insert(Blob).values(sha256=report.sha256, size_bytes=report.size_bytes).on_conflict_do_nothing()
    )
    evidence = Evidence(
        case_id=upload.case_id,
        captured_path=upload.captured_path,
        filename=upload.filename,
        sha256=report.sha256,
        size_bytes=report.size_bytes,
        state=EvidenceState.READ,
    )
    placement.set_host(session, evidence, upload.host)
    placement.set_phase(evidence, upload.phase)
    session.add(evidence)
    session.flush()
    reading_rows.keep(session, evidence, report, output, host)
    session.flush()
    sections = select(Section.id).where(Section.evidence_id == evidence.id)
    session.execute(update(Reading).where(Reading.section_id.in_(sections)).values(stage=Stage.PROVISIONAL))
    upload.evidence_id = evidence.id
    events.record(
        session,
        "evidence.previewed",
        case_id=upload.case_id,
        payload={
            "evidence_id": str(evidence.id),
            "name": upload.captured_path or upload.filename,
            "size_bytes": report.size_bytes,
        },
    )
    case_changed(session, upload.case_id)
