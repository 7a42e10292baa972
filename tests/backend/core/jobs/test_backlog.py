"""Limits of the queued work of one sender."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from sqlalchemy import func, select, text, update

from backend.core.errors import QueueFullError
from backend.core.jobs import backlog, job_sender
from backend.models import Job, JobState
from tests.backend.core.jobs.light_queue import BUSY, GUEST, OTHER, THIRD

if TYPE_CHECKING:
    from tests.backend.core.jobs.light_queue import LightQueue


def test_a_sender_over_its_backlog_limit_is_refused_with_retry_after(light: LightQueue):
    settings = light.settings.model_copy(
        update={"queued_per_sender": 3, "queued_per_guest": 1, "queued_seconds_per_sender": 600}
    )
    light.add(BUSY, 3, cost_ms=100_000)
    light.add(OTHER, 2, cost_ms=400_000)
    light.add(GUEST)
    for sender, is_full in ((BUSY, True), (OTHER, True), (GUEST, True), (THIRD, False)):
        with light.sessions() as session:
            job_sender.attribute(session, sender)
            if not is_full:
                backlog.require_room(session, settings)
                continue
            with pytest.raises(QueueFullError) as refused:
                backlog.require_room(session, settings)
            assert 5 <= refused.value.retry_after_seconds <= 300
    with light.sessions.begin() as session:
        session.execute(update(Job).values(state=JobState.RUNNING, generation=uuid4()))
        job_sender.attribute(session, BUSY)
        backlog.require_room(session, settings)
        assert session.scalar(select(func.count()).select_from(Job)) == 6


def test_a_sender_whose_oldest_light_job_waits_too_long_sends_later(light: LightQueue):
    settings = light.settings.model_copy(update={"queued_age_seconds": 30})
    light.add(BUSY, 2)
    light.add(OTHER, 1)
    with light.sessions.begin() as session:
        waiting = update(Job).where(Job.sender == BUSY)
        session.execute(waiting.values(run_after=func.now() - text("interval '31 s'")))
    with light.sessions() as session:
        job_sender.attribute(session, BUSY)
        with pytest.raises(QueueFullError, match="has waited for"):
            backlog.require_room(session, settings)
        job_sender.attribute(session, OTHER)
        backlog.require_room(session, settings)
    with light.sessions.begin() as session:
        session.execute(update(Job).where(Job.sender == BUSY).values(queue="heavy"))
        job_sender.attribute(session, BUSY)
        backlog.require_room(session, settings)
