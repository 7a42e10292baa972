"""Workers of a hunt that are killed while a step runs."""

from __future__ import annotations

import os
import signal
import time
from select import select
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    import random
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

LOOK_SECONDS = 0.01
STEP_PATIENCE_SECONDS = 10.0
LONGEST_STEP_SECONDS = 1.0
STEP = text("""
    select id, attempt, worker from job where kind = 'hunts.step' and state = 'running' and attempt < 3
""")
"""The step that runs; one whose third worker dies is failed by design."""
ATTEMPT = text(
    "select state = 'running' and attempt = :attempt or attempt > :attempt from job where id = :id"
)
"""Whether an attempt did not store its result."""


def strike(sessions: sessionmaker[Session], chance: random.Random) -> bool | None:
    """Kill the worker of a step, at a random moment of it.

    Return whether the step had to begin again: its result may have been stored at that moment. None: no step
    ran long enough.
    """
    deadline = time.monotonic() + STEP_PATIENCE_SECONDS
    while time.monotonic() < deadline:
        step = _running(sessions)
        if step is not None:
            time.sleep(chance.uniform(0, LONGEST_STEP_SECONDS))
            if _running(sessions) == step:
                return _kill(sessions, *step)
        time.sleep(LOOK_SECONDS)
    return None


def _running(sessions: sessionmaker[Session]) -> tuple[UUID, int, str] | None:
    with sessions() as session:
        row = session.execute(STEP).first()
    return None if row is None else (row.id, row.attempt, row.worker)


def _kill(sessions: sessionmaker[Session], job_id: UUID, attempt: int, worker: str) -> bool | None:
    process = int(worker.rpartition(":")[2])
    try:
        opened = os.pidfd_open(process)
    except ProcessLookupError:
        return None
    try:
        signal.pidfd_send_signal(opened, signal.SIGKILL)
        select([opened], [], [])
    finally:
        os.close(opened)
    with sessions() as session:
        return bool(session.scalar(ATTEMPT, {"id": job_id, "attempt": attempt}))
