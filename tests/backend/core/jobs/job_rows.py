"""A job as the database has it, and what tests change about one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import text, update

from backend.models.job import Job

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker


def job(sessions: sessionmaker[Session], job_id: UUID) -> Job:
    with sessions() as session:
        return session.get_one(Job, job_id)


def make_due(sessions: sessionmaker[Session], job_id: UUID) -> None:
    with sessions.begin() as session:
        session.execute(update(Job).where(Job.id == job_id).values(run_after=datetime.now(UTC)))


def is_listening(sessions: sessionmaker[Session]) -> bool:
    """Return whether the heartbeat of a running job listens, and has looked."""
    with sessions() as session:
        return bool(
            session.scalar(
                text(
                    "select count(*) from pg_stat_activity where application_name = 'casebook heartbeat'"
                    " and datname = current_database() and state = 'idle' and query like 'select from job%'"
                )
            )
        )
