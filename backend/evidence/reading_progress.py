"""Progress of a reading, stored and published at most once a second."""

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
    """The evidence was removed from its case while being read."""


class Progress:
    """Stores and publishes the share read, throttled."""

    def __init__(self, sessions: sessionmaker[Session], subject: Subject) -> None:
        """Report progress of `subject`."""
        self._sessions = sessions
        self._subject = subject
        self._reported_at = time.monotonic()

    def __call__(self, share: float) -> None:
        """Record the share read, 0..1.

        Raises:
            EvidenceRemovedError: The evidence is no longer in its case.
        """
        now = time.monotonic()
        if now - self._reported_at < PROGRESS_SECONDS:
            return
        self._reported_at = now
        subject = self._subject
        with self._sessions.begin() as session:
            statement = update(Evidence).where(Evidence.id == subject.id)
            statement = statement.values(state=EvidenceState.READING, progress_share=share)
            if session.scalar(statement.returning(Evidence.deleted_at)) is not None:
                raise EvidenceRemovedError
            events.record(
                session,
                "evidence.progress",
                case_id=subject.case_id,
                payload={"evidence_id": str(subject.id), "name": subject.label, "share": share},
            )
