"""Lease renewal of a running job, by a thread with its own connection.

The connection also listens on `JOBS_ENDED`: whoever cancels a job or deletes a subject notifies of it, and
each running job looks at once whether it is still wanted. A notification that is lost with a connection is
made up for when the next one begins.
"""

from __future__ import annotations

import logging
import os
import select
import threading
import time
from typing import TYPE_CHECKING, Self

import psycopg

from backend.core.jobs.fence import FITS_PSYCOPG
from backend.core.jobs.job import IS_WANTED, JOBS_ENDED

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.jobs.fence import Claimant
    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

FIRST_LOOK_SHARE = 0.05
"""Of the interval of renewals: shorter jobs need no connection, and none is deleted unseen for longer."""

RETRY_SECONDS = 1.0
"""Pause after an attempt to reach the database."""

_IS_OURS = (
    f"where id = %(id)s and attempt = %(attempt)s and state = 'running' and {FITS_PSYCOPG} and {IS_WANTED}"
)
LOOK = f"select from job {_IS_OURS}"
RENEW = f"update job set lease_until = now() + make_interval(secs => %(lease_seconds)s) {_IS_OURS}"  # noqa: S608 - same


class Heartbeat:
    """Renews the lease of one attempt inside the block; `is_lost` once the lease is lost."""

    def __init__(
        self, settings: Settings, conninfo: str, claimant: Claimant, job_id: UUID, attempt: int
    ) -> None:
        """Prepare to renew the lease of attempt `attempt` at a job that `claimant` has.

        `conninfo` is a connection string for LISTEN.
        """
        self._settings = settings
        self._conninfo = conninfo
        self._job_id = job_id
        self._values = {
            "id": job_id,
            "attempt": attempt,
            "lease_seconds": settings.lease_seconds,
            **claimant.values,
        }
        self._wake = os.eventfd(0, os.EFD_CLOEXEC)
        self._lost = threading.Event()
        self._has_heard = False
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
        os.eventfd_write(self._wake, 1)
        self._thread.join(timeout=self._settings.lease_seconds)
        if not self._thread.is_alive():
            os.close(self._wake)

    def _beat(self) -> None:
        interval = self._settings.heartbeat_seconds
        renewed_at = time.monotonic()
        look_at = renewed_at + FIRST_LOOK_SHARE * interval
        connection: psycopg.Connection | None = None
        while not self._stops_before(look_at, connection):
            now = time.monotonic()
            try:
                connection = connection or self._connect()
                is_due = now - renewed_at >= interval
                self._has_heard = False
                if connection.execute(RENEW if is_due else LOOK, self._values).rowcount == 0:
                    self._lost.set()
                    break
                renewed_at = now if is_due else renewed_at
                look_at = renewed_at + interval
            except psycopg.Error as error:
                logger.warning("the lease of job %s could not be renewed: %s", self._job_id, error)
                if connection is not None:
                    connection.close()
                    connection = None
                if now - renewed_at > self._settings.lease_seconds:
                    self._lost.set()
                    break
                look_at = now + RETRY_SECONDS
        if connection is not None:
            connection.close()

    def _stops_before(self, moment: float, connection: psycopg.Connection | None) -> bool:
        """Wait until `moment`, or until the connection has something to say; return whether to stop."""
        # What was heard during the last look may be newer than its answer.
        seconds = 0.0 if self._has_heard else max(0.0, moment - time.monotonic())
        poll = select.poll()
        poll.register(self._wake, select.POLLIN)
        if connection is not None:
            poll.register(connection.fileno(), select.POLLIN)
        return any(descriptor == self._wake for descriptor, _ in poll.poll(seconds * 1000))

    def _connect(self) -> psycopg.Connection:
        connection = psycopg.connect(
            self._conninfo, autocommit=True, connect_timeout=3, application_name="casebook heartbeat"
        )
        connection.add_notify_handler(self._hear)
        connection.execute(f"listen {JOBS_ENDED}")
        return connection

    def _hear(self, _: psycopg.Notify) -> None:
        self._has_heard = True
