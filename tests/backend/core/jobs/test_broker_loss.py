"""Jobs survive a broker that is away or has lost them: the reaper sends them again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, update

from backend.core.jobs.queue import Sender, enqueue
from backend.core.sessions import create_sessions
from backend.models.job import Job
from backend.operations.reaper import reap
from tests.backend.core.jobs.job_rows import job

if TYPE_CHECKING:
    from backend.core.settings import Settings


def test_a_job_unknown_to_the_broker_is_sent(committed, settings: Settings, kind):
    with committed.begin() as session:
        job_id = enqueue(session, kind, key="unsent").id
        session.info.pop("pending jobs")
    with committed.begin() as session:
        session.execute(update(Job).values(created_at=datetime.now(UTC) - timedelta(minutes=1)))
    sender: Sender = committed.kw["info"]["sender"]
    assert reap(committed, settings, sender) == 1
    assert job(committed, job_id).sent_at is not None
    assert sender.waiting("light") >= 1
    assert reap(committed, settings, sender) == 0


def test_a_job_that_the_broker_lost_is_sent_again(committed, settings: Settings, kind):
    with committed.begin() as session:
        job_id = enqueue(session, kind, key="lost", queue="heavy").id
    assert job(committed, job_id).sent_at is not None
    sender: Sender = committed.kw["info"]["sender"]
    with sender._celery.connection_for_write() as connection, connection.channel() as channel:
        channel.client.delete("heavy")
    with committed.begin() as session:
        session.execute(update(Job).values(sent_at=datetime.now(UTC) - timedelta(minutes=1)))
    assert reap(committed, settings, sender) == 1
    assert sender.waiting("heavy") == 1


def test_an_unavailable_broker_does_not_fail_a_commit(settings: Settings, kind):
    away = settings.model_copy(update={"broker_url": "redis+socket:///nonexistent/valkey.sock"})
    sessions = create_sessions(away)
    with sessions.begin() as session:
        job_id = enqueue(session, kind, key=f"{kind}:away").id
    assert job(sessions, job_id).sent_at is None
    with sessions.begin() as session:
        session.execute(delete(Job))
    sessions.kw["bind"].dispose()
