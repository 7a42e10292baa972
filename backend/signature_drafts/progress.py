"""Progress of a draft, stored and published at each stage and at most once a second."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from backend.models import SignatureDraft
from backend.signature_drafts import service

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.jobs.run import Run

PROGRESS_SECONDS = 1.0


class Progress:
    """Stores stage and share of one draft, and requires that the lease is still ours."""

    def __init__(self, run: Run, draft_id: UUID) -> None:
        """Report progress of the draft."""
        self._run = run
        self._draft_id = draft_id
        self._stage = ""
        self._reported_at = time.monotonic()

    def begin(self, stage: str) -> None:
        """Begin a stage."""
        self._stage = stage
        self._store(0.0)

    def __call__(self, share: float) -> None:
        """Record the share of the stage that is done, 0..1.

        Raises:
            LostLeaseError: The lease is lost.
        """
        self._run.check()
        if time.monotonic() - self._reported_at >= PROGRESS_SECONDS:
            self._store(share)

    def _store(self, share: float) -> None:
        self._reported_at = time.monotonic()
        with self._run.session() as session:
            draft = session.get(SignatureDraft, self._draft_id)
            if draft is not None:
                draft.stage, draft.progress_share = self._stage, share
                service.record_event(session, draft, "progressed")
