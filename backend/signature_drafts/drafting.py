"""Drafting of a signature from a closed case: redact, read again, draft, compare with the library, pack.

Redaction is that of handoffs, with the same pseudonyms. Parsers run in the sandbox; the rest handles values
and files of our own.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import textwrap
import zipfile
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cases.service import UNTITLED
from backend.handoffs import selection
from backend.handoffs.preparation import learn, redact, scan
from backend.handoffs.preparation.store import store_pseudonyms
from backend.handoffs.preparation.values import Preparation
from backend.models import Case, DraftState, SignatureDraft
from backend.signature_drafts import fixture, service
from backend.signature_drafts.progress import Progress
from backend.uploads.names import is_made_title
from signatures.authoring import case_folder
from signatures.authoring.fixture_tests import EXCLUDED_FILES

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.jobs.run import Run
    from backend.handoffs.preparation.values import RedactedFiles
    from backend.handoffs.selection import Subject

PACKED_AT = (1980, 1, 1, 0, 0, 0)
"""Equal folders give equal archives."""

TITLE_CHARS = 110


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
            words = _words(redacted)
            folder = _write(redacted, request, root, words, progress)
        except ValueError as problem:
            with run.result() as session:
                service.fail(session, session.get_one(SignatureDraft, draft_id), str(problem))
            return
        progress.begin("packing")
        report = folder.document() | _review(redacted, root, words)
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
            subject, title=_title(stored, case, subject), chosen=shown, replacements=stored.replacements
        )
        return _Request(stored.id, stored.signature_id, subject)


def _title(stored: SignatureDraft, case: Case, subject: Subject) -> str:
    """Return the title that was asked for, else that of the case; names of files give way to its cause."""
    names = [source.captured_path or source.name for source in subject.sources]
    if stored.title or not (case.title == UNTITLED or is_made_title(case.title, names)):
        return stored.title or case.title
    return _first_sentence(case.cause) or case.title


def _first_sentence(text: str) -> str:
    """Return it without the full stop; what cannot be a title is cut at a clause, then at a word."""
    sentence = re.split(r"(?<=[.!?])\s|\n", text.strip(), maxsplit=1)[0].rstrip(".")
    if len(sentence) > TITLE_CHARS:
        sentence = re.split(r"[,;:]\s", sentence, maxsplit=1)[0]
    return textwrap.shorten(sentence, TITLE_CHARS, placeholder=" …")


def _words(redacted: RedactedFiles) -> case_folder.CaseWords:
    subject = redacted.subject
    return case_folder.CaseWords(
        *(redacted.redactor.text(text) for text in (subject.title, *subject.resolution))
    )


def _write(
    redacted: RedactedFiles, request: _Request, root: Path, words: case_folder.CaseWords, progress: Progress
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
    return case_folder.write(root, request.signature_id, words, items, on_progress=progress)


def _review(redacted: RedactedFiles, root: Path, words: case_folder.CaseWords) -> dict[str, Any]:
    """Return what is to be reviewed before the folder is published."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    own = [path for path in files if not path.parent.name.startswith(("neg-", "unk-"))]
    evidence = [path for path in own if _is_evidence(path)]
    drafted = [(path.relative_to(root).as_posix(), path.read_bytes()) for path in own if path not in evidence]
    in_drafted, _ = scan.of_texts(redacted.redactor, drafted)
    leaks, open_classes = scan.of_texts(
        redacted.redactor,
        chain(
            ((path.relative_to(root).as_posix(), fixture.text_of(path)) for path in evidence),
            ((name, _lines_with(content, words)) for name, content in drafted),
        ),
    )
    leaks += tuple(leak for leak in in_drafted if leak not in leaks)
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


def _is_evidence(path: Path) -> bool:
    return case_folder.OWN_FIXTURE in path.parent.parts and path.name not in EXCLUDED_FILES


def _lines_with(content: bytes, words: case_folder.CaseWords) -> bytes:
    """Return the lines of a drafted file that have words of the case, and empty ones in place of the others.

    The rest is made of names of the library and of functions and fields that stand in the evidence.
    """
    said = [line.encode() for text in words for line in text.splitlines() if line.strip()]
    return b"\n".join(line if any(one in line for one in said) else b"" for line in content.split(b"\n"))


def _pack(root: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            member = zipfile.ZipInfo(path.relative_to(root).as_posix(), PACKED_AT)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            with path.open("rb") as content, packed.open(member, "w") as target:
                while block := content.read(1 << 20):
                    target.write(block)
