"""Limits of the queued work of one sender."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

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
        session.execute(update(Job).values(state=JobState.RUNNING))
        job_sender.attribute(session, BUSY)
        backlog.require_room(session, settings)
        assert session.scalar(select(func.count()).select_from(Job)) == 6
