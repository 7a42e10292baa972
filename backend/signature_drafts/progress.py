"""Progress of a draft, stored and published at each stage and at most once a second."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from backend.models import SignatureDraft
from backend.sandbox.computations.signature_draft import STAGES
from backend.signature_drafts import service

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.jobs.run import Run

PROGRESS_SECONDS = 1.0


class Progress:
    """Stores stage and share of one draft."""

    def __init__(self, run: Run, draft_id: UUID) -> None:
        """Begin the first stage of the draft."""
        self._run = run
        self._draft_id = draft_id
        self._stage = -1
        self._reported_at = 0.0
        self(0.0)

    def __call__(self, done: float) -> None:
        """Record the share of all stages that is done, 0..1."""
        stage = min(int(done * len(STAGES)), len(STAGES) - 1)
        if stage != self._stage or time.monotonic() - self._reported_at >= PROGRESS_SECONDS:
            self._stage = stage
            self._reported_at = time.monotonic()
            self._store(min(done * len(STAGES) - stage, 1.0))

    def _store(self, share: float) -> None:
        with self._run.session() as session:
            draft = session.get(SignatureDraft, self._draft_id)
            if draft is not None:
                draft.stage, draft.progress_share = STAGES[self._stage], share
                service.record_event(session, draft, "progressed")
