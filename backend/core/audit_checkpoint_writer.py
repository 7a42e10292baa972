"""Writes checkpoints of the audit log periodically, and reports a log that does not agree with them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from backend.core import audit_checkpoints
from backend.core.audit_chain import HEAD_ID, AuditKey
from backend.core.audit_checkpoints import CheckpointError
from backend.core.audit_entry import AuditHead
from backend.core.encryption import DecryptionError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.audit_checkpoints import Checkpoint
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

logger = logging.getLogger(__name__)


class AuditCheckpoints:
    """Writes the checkpoints of one instance; any number of processes may."""

    def __init__(self, sessions: sessionmaker[Session], store: Store, settings: Settings) -> None:
        """Read the log of `sessions`, write to `store`, sign with the key of `settings`."""
        self._sessions = sessions
        self._store = store
        self._key = AuditKey(settings)
        self._latest: Checkpoint | None = None
        self._reported = ""

    def write(self) -> None:
        """Write a checkpoint if entries were added; log once what does not agree.

        Raises:
            UnavailableError: The store does not respond.
        """
        with self._sessions() as session:
            head = session.get(AuditHead, HEAD_ID)
            if self._latest is None and (head is None or not head.number):
                return
            try:
                key = self._key.get(may_create=False)
                if self._latest is None:
                    self._latest = next(reversed(audit_checkpoints.read_all(self._store, key)), None)
                self._latest = audit_checkpoints.write(session, self._store, key, self._latest)
                self._reported = ""
            except (CheckpointError, DecryptionError) as error:
                # An operator may accept the loss: read the checkpoints again.
                self._latest = None
                if str(error) != self._reported:
                    self._reported = str(error)
                    logger.error("no checkpoint of the audit log: %s", error)  # noqa: TRY400 - a sentence
