"""Progress of a reading: its share is stored and announced, at most once a second."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import update

from backend.core import events
from backend.models.evidence import Evidence, EvidenceState

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.evidence.subject import Subject

PROGRESS_SECONDS = 1.0


class EvidenceRemovedError(Exception):
    """The evidence was taken out of its case while it was read."""


class Progress:
    """Keeps and tells the share that is read, not too often."""

    def __init__(self, sessions: sessionmaker[Session], subject: Subject) -> None:
        """Tell of `subject`."""
        self._sessions = sessions
        self._subject = subject
        self._told_at = time.monotonic()

    def __call__(self, share: float) -> None:
        """Hear the share, 0..1.

        Raises:
            EvidenceRemovedError: The evidence is no longer in its case.
        """
        now = time.monotonic()
        if now - self._told_at < PROGRESS_SECONDS:
            return
        self._told_at = now
        subject = self._subject
        with self._sessions.begin() as session:
            noted = update(Evidence).where(Evidence.id == subject.id)
            noted = noted.values(state=EvidenceState.READING, progress_share=share)
            if session.scalar(noted.returning(Evidence.deleted_at)) is not None:
                raise EvidenceRemovedError
            events.record(
                session,
                "evidence.progress",
                case_id=subject.case_id,
                payload={"evidence_id": str(subject.id), "name": subject.label, "share": share},
            )
