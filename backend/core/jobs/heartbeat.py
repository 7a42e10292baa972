"""Lease renewal of a running job, by a thread with its own connection."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Self

import psycopg

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

RENEW = (
    "update job set lease_until = now() + make_interval(secs => %s) "
    "where id = %s and attempt = %s and state = 'running'"
)


class Heartbeat:
    """Renews the lease of one attempt inside the block; `is_lost` once the lease is lost."""

    def __init__(self, settings: Settings, job_id: UUID, attempt: int) -> None:
        """Prepare to renew the lease of attempt `attempt` at a job."""
        self._settings = settings
        self._job_id = job_id
        self._attempt = attempt
        self._stopped = threading.Event()
        self._lost = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat {job_id}", daemon=True)

    @property
    def is_lost(self) -> bool:
        """Whether the lease ran out or was taken over."""
        return self._lost.is_set()

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop; the connection is closed by the thread."""
        self._stopped.set()
        self._thread.join(timeout=self._settings.lease_seconds)

    def _beat(self) -> None:
        renewed_at = time.monotonic()
        connection: psycopg.Connection | None = None
        while not self._stopped.wait(self._settings.heartbeat_seconds):
            try:
                connection = connection or _connect(self._settings)
                values = (self._settings.lease_seconds, self._job_id, self._attempt)
                if connection.execute(RENEW, values).rowcount == 0:
                    self._lost.set()
                    break
                renewed_at = time.monotonic()
            except psycopg.Error as error:
                logger.warning("the lease of job %s could not be renewed: %s", self._job_id, error)
                if connection is not None:
                    connection.close()
                    connection = None
                if time.monotonic() - renewed_at > self._settings.lease_seconds:
                    self._lost.set()
                    break
        if connection is not None:
            connection.close()


def _connect(settings: Settings) -> psycopg.Connection:
    url = settings.effective_database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    return psycopg.connect(url, autocommit=True, connect_timeout=3, application_name="casebook heartbeat")
