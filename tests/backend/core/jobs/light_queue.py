"""The light queue, claimed by hand, and some senders."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from sqlalchemy import update

from backend.core.jobs import fair_queue, job_sender
from backend.core.jobs.queue import enqueue
from backend.core.jobs.runner import claim_next
from backend.models import Job, JobState

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

BUSY, OTHER, THIRD = "account:busy", "account:other", "account:third"
GUEST = job_sender.guest("192.0.2.1")


class LightQueue:
    """The light queue, worked on by hand."""

    def __init__(self, settings: Settings, sessions: sessionmaker[Session]) -> None:
        self.settings = settings
        self.sessions = sessions
        self.sender = sessions.kw["info"]["sender"]

    def add(self, sender: str, count: int = 1, *, cost_ms: float = 100.0, kind: str = "test") -> None:
        """Queue jobs, without permits: they are claimed by hand."""
        with self.sessions.begin() as session:
            for _ in range(count):
                enqueue(session, kind, key=str(uuid4()), sender=sender, cost_ms=cost_ms)
            session.info.pop("pending jobs")

    def claim(self, *, workers: int = 2) -> Job | None:
        settings = self.settings.model_copy(update={"light_workers": workers})
        return claim_next(self.sessions, "light", settings)

    def end(self, job: Job, took_ms: float | None = None) -> bool:
        with self.sessions.begin() as session:
            session.execute(update(Job).where(Job.id == job.id).values(state=JobState.DONE))
        with self.sessions.begin() as session:
            return fair_queue.charge(session, job, job.cost_ms if took_ms is None else took_ms)

    def work(self, count: int, took_ms: dict[str, float] | None = None) -> list[str]:
        """Do so many jobs, one after the other, and return whose they were."""
        done = []
        for _ in range(count):
            job = self.claim()
            assert job is not None
            self.end(job, (took_ms or {}).get(job.sender))
            done.append(job.sender)
        return done

    def permits(self) -> int:
        return self.sender.waiting("light")

    def drop_permits(self) -> None:
        celery = self.sender._celery
        with celery.connection_for_write() as connection, connection.channel() as channel:
            channel.client.delete("light")
