"""Drafting of a signature from a closed case in a limited child: what it is made of, and what is kept."""

from __future__ import annotations

import hashlib
import re
import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from backend.cases.overview import UNTITLED
from backend.handoffs import redaction, selection
from backend.models import Case, DraftState, SignatureDraft
from backend.signature_drafts import service
from backend.signature_drafts.progress import Progress
from backend.uploads.names import is_made_title
from signatures.engine_version import engine_version

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from backend.core.jobs.run import Run
    from backend.handoffs.selection import Subject

WHAT = "the drafting"

TITLE_CHARS = 110


@dataclass(frozen=True, slots=True)
class _Request:
    """The draft as of the start of the job."""

    id: UUID
    signature_id: str
    subject: Subject


def draft(run: Run, draft_id: UUID) -> None:
    """Draft the signature; a draft that is deleted or finished is left unchanged.

    Raises:
        LimitHitError: It needs more than its limits.
        StoredBytesError: The store has lost or damaged a text.
    """
    request = _request(run, draft_id)
    if request is None:
        return
    with redaction.computed(
        run,
        "draft signature",
        request.subject,
        what=WHAT,
        on_progress=Progress(run, draft_id),
        signature_id=request.signature_id,
    ) as (result, output):
        run.check()
        if result["report"] is None:
            with run.result() as session:
                service.fail(session, session.get_one(SignatureDraft, draft_id), result["problem"])
            return
        with run.putting():
            _put(run, request, result, output / "folder.zip")


def _put(run: Run, request: _Request, result: dict[str, Any], archive: Path) -> None:
    """Store the archive, then the draft in the transaction that ends the job."""
    with archive.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    size_bytes = archive.stat().st_size
    run.store.put_file(archive, sha256=sha256)
    with run.result() as session:
        done = session.get_one(SignatureDraft, request.id)
        selection.keep_pseudonyms(session, request.subject.case_id, result["pseudonym_map"])
        done.state, done.report = DraftState.READY, result["report"]
        done.zip_sha256, done.zip_bytes, done.engine = sha256, size_bytes, engine_version()
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
