"""Jobs are rows of the transaction that causes them; permits are sent after its commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from backend.core.jobs.queue import enqueue
from backend.models.job import Job, JobState

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from tests.transactions import Sent


def test_a_commit_sends_the_job(session: Session, sent: Sent):
    job = enqueue(session, "evidence.read", key="read:1", queue="heavy", evidence_id="1")
    assert sent == []
    session.commit()
    assert [(waiting.id, waiting.queue) for waiting in sent] == [(job.id, "heavy")]
    assert job.payload == {"evidence_id": "1"}


def test_a_rollback_sends_nothing(session: Session, sent: Sent):
    enqueue(session, "evidence.read", key="read:1")
    session.rollback()
    session.commit()
    assert sent == []
    assert session.scalar(select(func.count(Job.id))) == 0


def test_a_queued_key_is_not_queued_twice(session: Session, sent: Sent):
    first = enqueue(session, "findings.judge", key="judge:1")
    second = enqueue(session, "findings.judge", key="judge:1")
    session.commit()
    assert second.id == first.id
    assert len(sent) == 1


def test_a_done_key_can_be_queued_again(session: Session):
    first = enqueue(session, "findings.judge", key="judge:1")
    first.state = JobState.DONE
    session.flush()
    assert enqueue(session, "findings.judge", key="judge:1").id != first.id


def test_an_unknown_queue_is_a_bug(session: Session):
    with pytest.raises(ValueError, match="no queue 'huge'; expected one of light, heavy"):
        enqueue(session, "evidence.read", key="read:1", queue="huge")


def due_seconds(session: Session, job: Job) -> float:
    """Return in how many seconds the job may start."""
    due = func.extract("epoch", Job.run_after - func.now())
    return float(session.scalars(select(due).where(Job.id == job.id)).one())


def test_a_delayed_job_is_brought_forward_and_never_postponed(session: Session, sent: Sent):
    job = enqueue(session, "findings.judge", key="judge:1", delay_seconds=60)
    assert due_seconds(session, job) == 60
    enqueue(session, "findings.judge", key="judge:1", delay_seconds=90)
    assert due_seconds(session, job) == 60
    enqueue(session, "findings.judge", key="judge:1")
    assert due_seconds(session, job) == 0
    session.commit()
    assert [(waiting.id, waiting.delay_seconds) for waiting in sent] == [(job.id, 60), (job.id, 0)]


def test_a_retry_keeps_its_pause(session: Session, sent: Sent):
    job = enqueue(session, "findings.judge", key="judge:1", delay_seconds=60)
    job.attempt = 1
    session.flush()
    enqueue(session, "findings.judge", key="judge:1")
    assert due_seconds(session, job) == 60
    session.commit()
    assert len(sent) == 1
