"""light      the light queue, claimed by hand and emptied afterwards
kind       a kind of job of the test's own
quick      settings with a quick heartbeat
committed  sessions that commit, emptied of jobs and events afterwards
add        enqueues a job of that kind
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from sqlalchemy import delete, update

from backend.core.jobs import queue as queues
from backend.core.jobs.queue import enqueue
from backend.core.sessions import create_sessions
from backend.models import Event, Job, QueueClock, QueueSender
from tests.backend.core.jobs.light_queue import LightQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings


@pytest.fixture
def light(settings: Settings) -> Iterator[LightQueue]:
    sessions = create_sessions(settings)
    queue = LightQueue(settings, sessions)
    queue.drop_permits()
    yield queue
    queue.drop_permits()
    with sessions.begin() as session:
        for table in (Job, Event, QueueSender):
            session.execute(delete(table))
        session.execute(update(QueueClock).values(virtual_time=0))
    sessions.kw["bind"].dispose()


@pytest.fixture
def kind() -> Iterator[str]:
    name = f"test.{uuid4().hex}"
    yield name
    queues._handlers.pop(name, None)
    queues._failure_handlers.pop(name, None)


@pytest.fixture
def quick(settings: Settings) -> Settings:
    return settings.model_copy(update={"lease_seconds": 600, "heartbeat_seconds": 0.2})


@pytest.fixture
def committed(settings: Settings) -> Iterator[sessionmaker[Session]]:
    """Sessions that really commit: several connections use the leases."""
    sessions = create_sessions(settings)
    yield sessions
    with sessions.begin() as session:
        session.execute(delete(Job))
        session.execute(delete(Event))
    sessions.kw["bind"].dispose()


@pytest.fixture
def add(committed: sessionmaker[Session], kind: str) -> Callable[[], UUID]:
    def add(**payload: object) -> UUID:
        with committed.begin() as session:
            return enqueue(session, kind, key=f"{kind}:{uuid4()}", **payload).id

    return add
