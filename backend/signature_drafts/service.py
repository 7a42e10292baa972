"""Requests for signature drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core import events
from backend.core.domain_events import publish
from backend.core.errors import ConflictError
from backend.findings import library
from backend.models import DraftState, Evidence, EvidenceState, SignatureDraft
from backend.signature_drafts.domain_events import SignatureDraftRequested

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.models import Case
    from backend.signature_drafts.schemas import SignatureDraftCreate


def begin(session: Session, case: Case, body: SignatureDraftCreate, *, actor: str) -> SignatureDraft:
    """Create a draft and queue its job.

    Raises:
        ConflictError: The case is open or has no text evidence, another draft of it is running, or the id is
            taken.
    """
    if case.state != "closed":
        raise ConflictError(f"case {case.number} is open; close it with its cause and fix, then draft")
    if library.catalog().get(body.signature_id) is not None:
        raise ConflictError(f"the library has a signature {body.signature_id}; choose another name")
    running = select(SignatureDraft.id).where(
        SignatureDraft.case_id == case.id, SignatureDraft.state == DraftState.DRAFTING
    )
    if session.scalar(running.limit(1)) is not None:
        raise ConflictError("a signature is being drafted from this case; wait until it is ready")
    texts = select(Evidence.id).where(
        Evidence.case_id == case.id,
        Evidence.deleted_at.is_(None),
        Evidence.state == EvidenceState.READ,
        Evidence.line_count > 0,
    )
    if session.scalar(texts.limit(1)) is None:
        raise ConflictError("this case has no text evidence; a signature is drafted from text")
    draft = SignatureDraft(
        case_id=case.id,
        signature_id=body.signature_id,
        title=body.title.strip(),
        author=actor,
        replacements=[token.model_dump() for token in body.replacements],
    )
    session.add(draft)
    session.flush()
    session.refresh(draft)
    publish(session, SignatureDraftRequested(draft.id))
    record_event(session, draft, "begun", actor=actor)
    return draft


def fail(session: Session, draft: SignatureDraft, reason: str) -> None:
    """Mark a draft as failed, with the reason in one sentence."""
    draft.state, draft.reason = DraftState.FAILED, reason
    record_event(session, draft, "failed")


def record_event(session: Session, draft: SignatureDraft, what: str, *, actor: str = events.SYSTEM) -> None:
    """Append `signature-draft.<what>` to the event log."""
    events.record(
        session,
        f"signature-draft.{what}",
        case_id=draft.case_id,
        actor=actor,
        payload={"draft_id": str(draft.id), "signature": draft.signature_id},
    )
