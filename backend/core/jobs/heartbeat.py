"""Lease renewal of a running job, by a thread with its own connection.

It also looks every second whether the job is still ours: one that was cancelled, or whose subject was
deleted, ends within that time.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Self

import psycopg

from backend.core.jobs.fence import FITS_PSYCOPG
from backend.core.jobs.job import IS_WANTED

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.jobs.fence import Claimant
    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
_IS_OURS = (
    f"where id = %(id)s and attempt = %(attempt)s and state = 'running' and {FITS_PSYCOPG} and {IS_WANTED}"
)
LOOK = f"select from job {_IS_OURS}"
RENEW = f"update job set lease_until = now() + make_interval(secs => %(lease_seconds)s) {_IS_OURS}"  # noqa: S608 - same


class Heartbeat:
    """Renews the lease of one attempt inside the block; `is_lost` once the lease is lost."""

    def __init__(self, settings: Settings, claimant: Claimant, job_id: UUID, attempt: int) -> None:
        """Prepare to renew the lease of attempt `attempt` at a job that `claimant` has."""
        self._settings = settings
        self._job_id = job_id
        self._values = {
            "id": job_id,
            "attempt": attempt,
            "lease_seconds": settings.lease_seconds,
            **claimant.values,
        }
        self._stopped = threading.Event()
        self._lost = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat {job_id}", daemon=True)

    @property
    def is_lost(self) -> bool:
        """Whether the lease ran out or was taken over, or the job was cancelled."""
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
        while not self._stopped.wait(min(LOOK_SECONDS, self._settings.heartbeat_seconds)):
            try:
                connection = connection or _connect(self._settings)
                is_due = time.monotonic() - renewed_at >= self._settings.heartbeat_seconds - LOOK_SECONDS / 2
                if connection.execute(RENEW if is_due else LOOK, self._values).rowcount == 0:
                    self._lost.set()
                    break
                if is_due:
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
