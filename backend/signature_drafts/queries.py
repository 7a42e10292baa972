"""Queries for signature drafts, and their description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.errors import ConflictError, NotFoundError
from backend.handoffs.schemas import ReplacementRead
from backend.models import DraftState, SignatureDraft
from backend.signature_drafts.schemas import SignatureDraftRead, SignatureDraftReport

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.models import Case


def of_case(session: Session, case: Case, page: Page) -> list[SignatureDraftRead]:
    """Return a page of the drafts of the case, newest first."""
    query = select(SignatureDraft).where(SignatureDraft.case_id == case.id)
    found = page.of(session, query, SignatureDraft.id, is_descending=True)
    return [describe(draft) for (draft,) in found]


def one(session: Session, case: Case, draft_id: UUID) -> SignatureDraft:
    """Return one draft of the case.

    Raises:
        NotFoundError: The case has no such draft.
    """
    query = select(SignatureDraft).where(SignatureDraft.id == draft_id, SignatureDraft.case_id == case.id)
    draft = session.scalar(query)
    if draft is None:
        raise NotFoundError(f"no signature draft {draft_id} in this case")
    return draft


def ready(session: Session, case: Case, draft_id: UUID) -> SignatureDraft:
    """Return one finished draft of the case.

    Raises:
        NotFoundError: The case has no such draft.
        ConflictError: It is not ready, or it failed.
    """
    draft = one(session, case, draft_id)
    if draft.state is not DraftState.READY:
        raise ConflictError(f"this draft is {draft.state.value}; it has no folder")
    return draft


def describe(draft: SignatureDraft) -> SignatureDraftRead:
    """Return the response document of a draft."""
    return SignatureDraftRead(
        id=draft.id,
        state=draft.state.value,
        signature_id=draft.signature_id,
        author=draft.author,
        created_at=draft.created_at,
        stage=draft.stage,
        progress_share=draft.progress_share,
        reason=draft.reason,
        replacements=[ReplacementRead(**token) for token in draft.replacements],
        zip_bytes=draft.zip_bytes,
        report=SignatureDraftReport.model_validate(draft.report) if draft.report else None,
    )
