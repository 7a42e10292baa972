"""A receiver, and an API whose settings allow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from backend.core.domain_events import publish
from backend.core.jobs.runner import run_job
from backend.core.outbox import SendingDue
from backend.destinations.tasks import SEND_JOB
from backend.models import Delivery, Destination, Job, JobState
from tests.backend.conftest import PATIENT, settings_below
from tests.backend.destinations.receiver import receiving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from tests.backend.destinations.receiver import Receiver


@pytest.fixture
def app_settings(settings, tmp_path):
    changed = settings_below(tmp_path, settings)
    allowed = {"outgoing_allow": "127.0.0.1/32", "public_url": "https://cases.example"}
    return changed.model_copy(update=allowed)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def hook(web, receiver):
    """Creates a webhook at the receiver; returns it, and keeps its secret."""

    def create(**fields):
        answer = web.post("/destinations", json={"name": "bot", "url": receiver.url, **fields})
        assert answer.status_code == 201, answer.text
        return answer.json()

    return create


class Worker:
    """Does what a worker does when the reaper has queued the job."""

    def __init__(self, settings: Settings, sessions: sessionmaker[Session], store: Store) -> None:
        self._settings = settings.model_copy(update=PATIENT)
        self._sessions = sessions
        self._store = store

    def __call__(self) -> None:
        with self._sessions.begin() as session:
            publish(session, SendingDue())
            is_queued = (Job.kind == SEND_JOB) & (Job.state == JobState.QUEUED)
            jobs = session.scalars(select(Job.id).where(is_queued)).all()
        for job_id in jobs:
            run_job(job_id, self._settings, self._sessions, self._store)

    def later(self) -> None:
        """Send after the pauses that follow a failure."""
        with self._sessions.begin() as session:
            session.execute(update(Destination).values(resume_at=None))
            session.execute(update(Delivery).values(next_at=func.now()))
        self()


@pytest.fixture
def send(app_settings, sessions, store) -> Worker:
    return Worker(app_settings, sessions, store)
