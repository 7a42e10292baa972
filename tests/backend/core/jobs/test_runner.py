"""A job runs exactly once, with bounded attempts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.jobs import runner
from backend.core.jobs.queue import enqueue, handler, on_failure
from backend.core.jobs.runner import run_job
from backend.models.event import Event
from backend.models.job import Job, JobState
from tests.backend.core.jobs.job_rows import job, make_due

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.run import Run
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store


def test_a_job_is_done(committed, add, kind, quick: Settings, store: Store):
    @handler(kind)
    def work(run: Run) -> None:
        with run.result() as session:
            enqueue(session, kind, key="next")

    job_id = add()
    assert run_job(job_id, quick, committed, store) is JobState.DONE
    done = job(committed, job_id)
    assert (done.state, done.attempt, done.lease_until) == (JobState.DONE, 1, None)


def test_a_done_job_is_not_done_again(committed, add, kind, quick: Settings, store: Store):
    handler(kind)(lambda _: None)
    job_id = add()
    run_job(job_id, quick, committed, store)
    assert run_job(job_id, quick, committed, store) is None


def test_a_job_may_queue_its_own_key_with_its_result(committed, kind, quick: Settings, store: Store):
    @handler(kind)
    def work(run: Run) -> None:
        with run.result() as session:
            enqueue(session, kind, key="judge:1")

    with committed.begin() as session:
        first = enqueue(session, kind, key="judge:1").id
    run_job(first, quick, committed, store)
    with committed() as session:
        assert list(session.scalars(select(Job.state).order_by(Job.id))) == [JobState.DONE, JobState.QUEUED]


def test_a_failing_job_is_retried_and_finally_marked_failed(
    committed, add, kind, *, quick: Settings, store: Store, monkeypatch
):
    monkeypatch.setattr(runner, "FIRST_RETRY_SECONDS", 600.0)
    errors: list[str] = []

    @handler(kind)
    def work(_: Run) -> None:
        raise ZeroDivisionError("a bug of ours")

    @on_failure(kind)
    def tell(_: Session, __: Job, error: str) -> None:
        errors.append(error)

    job_id = add()
    for attempt in (1, 2):
        began = datetime.now(UTC)
        assert run_job(job_id, quick, committed, store) is JobState.QUEUED
        waiting = job(committed, job_id)
        assert waiting.attempt == attempt
        assert waiting.run_after >= began + attempt * timedelta(seconds=600)
        assert run_job(job_id, quick, committed, store) is None
        make_due(committed, job_id)
    assert run_job(job_id, quick, committed, store) is JobState.FAILED
    assert errors == ["ZeroDivisionError: a bug of ours"]
    with committed() as session:
        assert session.scalars(select(Event.kind)).all() == ["job.failed"]


def test_a_failed_job_is_rolled_back(committed, add, kind, quick: Settings, store: Store):
    @handler(kind)
    def work(run: Run) -> None:
        with run.result() as session:
            enqueue(session, kind, key="half done")
            session.flush()
            raise ZeroDivisionError

    job_id = add()
    run_job(job_id, quick, committed, store)
    with committed() as session:
        assert session.scalars(select(Job.key).where(Job.key == "half done")).all() == []
    assert job(committed, job_id).state is JobState.QUEUED
