"""light   the light queue, claimed by hand and emptied afterwards
kind    a kind of job of the test's own
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from sqlalchemy import delete, update

from backend.core.jobs import queue as queues
from backend.core.sessions import create_sessions
from backend.models import Event, Job, QueueClock, QueueSender
from tests.backend.core.jobs.light_queue import LightQueue

if TYPE_CHECKING:
    from collections.abc import Iterator

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
