"""Drafting of a signature from a closed case: redact, read again, draft, compare with the library, pack.

Redaction is that of handoffs, with the same pseudonyms. Parsers run in the sandbox; the rest handles values
and files of our own.
"""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.handoffs import selection
from backend.handoffs.preparation import learn, redact, scan
from backend.handoffs.preparation.store import store_pseudonyms
from backend.handoffs.preparation.values import Preparation
from backend.models import Case, DraftState, SignatureDraft
from backend.signature_drafts import fixture, service
from backend.signature_drafts.progress import Progress
from signatures.authoring import case_folder

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.jobs.run import Run
    from backend.handoffs.preparation.values import RedactedFiles
    from backend.handoffs.selection import Subject

PACKED_AT = (1980, 1, 1, 0, 0, 0)
"""Equal folders give equal archives."""


@dataclass(frozen=True, slots=True)
class _Request:
    """The draft as of the start of the job."""

    id: UUID
    signature_id: str
    subject: Subject


def draft(run: Run, draft_id: UUID) -> None:
    """Draft the signature; a draft that is deleted or finished is left unchanged."""
    request = _request(run, draft_id)
    if request is None:
        return
    run.settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (
        run.putting(),
        tempfile.TemporaryDirectory(dir=run.settings.scratch_dir, prefix="signature-") as scratch,
    ):
        progress = Progress(run, draft_id)
        progress.begin("redacting the evidence")
        redacted = redact.files(
            learn.names(Preparation(run=run, subject=request.subject, scratch=Path(scratch)))
        )
        root = Path(scratch, "library")
        try:
            folder = _write(redacted, request, root, progress)
        except ValueError as problem:
            with run.result() as session:
                service.fail(session, session.get_one(SignatureDraft, draft_id), str(problem))
            return
        progress.begin("packing")
        report = folder.document() | _review(redacted, root)
        archive = Path(scratch, "folder.zip")
        _pack(root, archive)
        with archive.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        size_bytes = archive.stat().st_size
        run.store.put_file(archive, sha256=sha256)
        with run.result() as session:
            done = session.get_one(SignatureDraft, draft_id)
            store_pseudonyms(session, redacted)
            done.state, done.report = DraftState.READY, report
            done.zip_sha256, done.zip_bytes = sha256, size_bytes
            service.record_event(session, done, "ready")


def _request(run: Run, draft_id: UUID) -> _Request | None:
    """Load the draft and its case; evidence before or after the incident does not show the pathology."""
    with run.session() as session:
        stored = session.get(SignatureDraft, draft_id)
        if stored is None or stored.state is not DraftState.DRAFTING:
            return None
        case = session.get_one(Case, stored.case_id)
        subject = selection.of_case(session, run.settings, case, with_notes=False)
        shown = [source.id for source in subject.sources if source.phase == "during"]
        subject = replace(
            subject, title=stored.title or case.title, chosen=shown, replacements=stored.replacements
        )
        return _Request(stored.id, stored.signature_id, subject)


def _write(
    redacted: RedactedFiles, request: _Request, root: Path, progress: Progress
) -> case_folder.CaseFolder:
    """Write the folder below `root`.

    Raises:
        ValueError: No condition can be drafted from the evidence.
    """
    own = case_folder.own_fixture(root, request.signature_id)
    own.mkdir(parents=True)
    progress.begin("reading it again")
    paths = fixture.place(redacted.files, own)
    items = fixture.read(redacted.run, paths, own, redacted.scratch, progress)
    progress.begin("comparing with the library")
    subject = redacted.subject
    words = case_folder.CaseWords(
        *(redacted.redactor.text(text) for text in (subject.title, *subject.resolution))
    )
    return case_folder.write(root, request.signature_id, words, items, on_progress=progress)


def _review(redacted: RedactedFiles, root: Path) -> dict[str, Any]:
    """Return what is to be reviewed before the folder is published."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    own = [path for path in files if not path.parent.name.startswith(("neg-", "unk-"))]
    texts = ((path.relative_to(root).as_posix(), path.read_bytes()) for path in own)
    leaks, open_classes = scan.of_texts(redacted.redactor, texts)
    chosen = {file.evidence_id for file in redacted.files}
    return {
        "texts": len(redacted.files),
        "left_out": [
            {
                "name": source.captured_path or source.name,
                "reason": source.reason or f"it is from {source.phase}",
            }
            for source in redacted.subject.sources
            if str(source.id) not in chosen
        ],
        "leaks": list(leaks),
        "leak_count": len(leaks),
        "open_classes": list(open_classes),
        "open_token_count": sum(one["distinct"] for one in open_classes),
    }


def _pack(root: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            member = zipfile.ZipInfo(path.relative_to(root).as_posix(), PACKED_AT)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            with path.open("rb") as content, packed.open(member, "w") as target:
                while block := content.read(1 << 20):
                    target.write(block)
