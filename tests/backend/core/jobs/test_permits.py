"""Permits: each due job has one on the broker."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from backend.core.jobs.queue import handler
from backend.core.jobs.runner import run_next
from backend.models import Job, JobState
from backend.operations.reaper import reap
from tests.backend.core.jobs.light_queue import BUSY

if TYPE_CHECKING:
    from backend.core.jobs.run import Run
    from backend.core.storage.object_store import Store
    from tests.backend.core.jobs.light_queue import LightQueue


def test_a_dropped_permit_is_sent_again_when_the_running_job_ends(light: LightQueue, store: Store, kind: str):
    found: list[object] = []

    @handler(kind)
    def work(_: Run) -> None:
        # Another worker gets the second permit while this job runs.
        found.append(run_next("light", light.settings, light.sessions, store))

    light.add(BUSY)
    light.work(1, {BUSY: 5000.0})
    light.add(BUSY, 2, kind=kind)
    assert run_next("light", light.settings, light.sessions, store) is JobState.DONE
    assert found == [None]
    assert light.permits() == 1
    assert run_next("light", light.settings, light.sessions, store) is JobState.DONE
    with light.sessions() as session:
        assert set(session.scalars(select(Job.state))) == {JobState.DONE}


def test_a_queue_with_due_jobs_and_no_permits_gets_one_for_each_worker(light: LightQueue):
    light.add(BUSY, 5)
    with light.sessions.begin() as session:
        session.execute(update(Job).values(sent_at=func.now()))
    assert reap(light.sessions, light.settings, light.sender) == 0, "they may be on their way"
    with light.sessions.begin() as session:
        session.execute(update(Job).values(sent_at=datetime.now(UTC) - timedelta(minutes=1)))
    assert reap(light.sessions, light.settings, light.sender) == light.settings.light_workers
    assert light.permits() == light.settings.light_workers
    assert reap(light.sessions, light.settings, light.sender) == 0
