"""Fair queueing: senders share workers by the time they use; a busy one does not delay others."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from sqlalchemy import delete, event, func, select, text, update

from backend.core.errors import QueueFullError
from backend.core.jobs import backlog, fair_queue, job_sender
from backend.core.jobs import queue as queues
from backend.core.jobs.fair_queue import GUEST_FACTOR
from backend.core.jobs.queue import enqueue, handler
from backend.core.jobs.runner import claim_next, run_next
from backend.core.sessions import create_sessions
from backend.models import Event, Job, JobState, QueueClock, QueueSender
from backend.operations.reaper import reap

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.jobs.run import Run
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

BUSY, OTHER, THIRD = "account:busy", "account:other", "account:third"
GUEST = job_sender.guest("192.0.2.1")


class Queue:
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


@pytest.fixture
def light(settings: Settings) -> Iterator[Queue]:
    sessions = create_sessions(settings)
    queue = Queue(settings, sessions)
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


def test_one_job_of_another_sender_comes_before_the_hundred_of_a_busy_one(light: Queue):
    light.add(BUSY, 100)
    light.work(3)
    light.add(OTHER)
    assert OTHER in light.work(2)


def test_two_busy_senders_take_turns_however_much_each_has(light: Queue):
    light.add(BUSY, 30)
    light.add(OTHER, 10)
    assert Counter(light.work(12)) == {BUSY: 6, OTHER: 6}


def test_within_a_sender_the_oldest_job_comes_first(light: Queue):
    light.add(BUSY, 5)
    with light.sessions() as session:
        oldest_first = list(session.scalars(select(Job.id).order_by(Job.id)))
    claimed = []
    while job := light.claim():
        light.end(job)
        claimed.append(job.id)
    assert claimed == oldest_first


def test_expensive_jobs_cost_their_sender_turns(light: Queue):
    light.add(BUSY, 20, cost_ms=1000)
    light.add(OTHER, 60, cost_ms=100)
    done = Counter(light.work(33))
    assert done[OTHER] == pytest.approx(10 * done[BUSY], abs=10)


def test_a_job_is_charged_its_actual_cost(light: Queue):
    light.add(BUSY, 60)
    light.add(OTHER, 60)
    done = Counter(light.work(33, {BUSY: 1000.0}))
    assert done[OTHER] == pytest.approx(10 * done[BUSY], abs=10)


def test_a_guest_comes_after_an_account_that_came_later(light: Queue):
    light.add(GUEST)
    light.add(OTHER, 3)
    assert light.work(4) == [OTHER, OTHER, OTHER, GUEST]


def test_all_guests_together_get_a_small_share(light: Queue):
    for number in range(10):
        light.add(job_sender.guest(f"192.0.2.{number}"), 5)
    light.add(OTHER, 50)
    done = light.work(44)
    guests = sum(map(job_sender.is_guest, done))
    assert guests == pytest.approx(44 / (GUEST_FACTOR + 1), abs=1)


def test_guests_take_turns_among_themselves(light: Queue):
    light.add(GUEST, 20)
    light.add(job_sender.guest("192.0.2.2"))
    assert job_sender.guest("192.0.2.2") in light.work(2)


def test_guests_and_expensive_jobs_do_not_starve(light: Queue):
    light.add(GUEST)
    light.add(THIRD, cost_ms=900)
    done = []
    for _ in range(25):
        light.add(BUSY)
        light.add(OTHER)
        done += light.work(1)
    assert {GUEST, THIRD} <= set(done)


def test_an_idle_sender_accumulates_no_credit(light: Queue):
    light.add(OTHER)
    light.work(1)
    light.add(BUSY, 30)
    light.work(12)
    light.add(OTHER, 10)
    assert Counter(light.work(10))[BUSY] == pytest.approx(5, abs=1)


def test_a_job_that_is_not_due_is_passed_over(light: Queue):
    light.add(BUSY, 2)
    with light.sessions.begin() as session:
        first = session.scalars(select(Job.id).order_by(Job.id).limit(1)).one()
        later = datetime.now(UTC) + timedelta(hours=1)
        session.execute(update(Job).where(Job.id == first).values(run_after=later))
    claimed = light.claim()
    assert claimed is not None
    assert claimed.id != first
    light.end(claimed)
    assert light.claim() is None


def test_a_slow_sender_leaves_a_worker_to_others(light: Queue):
    light.add(BUSY, 10)
    light.work(1, {BUSY: 5000.0})
    running = light.claim()
    assert running is not None
    assert light.claim() is None, "the last free worker is for others"
    light.add(OTHER)
    other = light.claim()
    assert other is not None
    assert other.sender == OTHER
    assert light.claim(workers=3) is not None, "of three workers it may have two"


def test_a_quick_sender_alone_may_use_every_worker(light: Queue):
    light.add(BUSY, 10)
    light.work(1)
    assert [light.claim() is None for _ in range(2)] == [False, False]


def test_guests_leave_a_worker_to_others_from_their_first_job_on(light: Queue):
    light.add(GUEST)
    light.add(job_sender.guest("192.0.2.2"))
    assert light.claim() is not None
    assert light.claim() is None


def test_the_only_worker_serves_slow_senders_and_guests_too(light: Queue):
    light.add(GUEST)
    light.add(BUSY, cost_ms=60_000)
    for _ in range(2):
        job = light.claim(workers=1)
        assert job is not None
        light.end(job)


def test_claimers_side_by_side_take_every_job_once(light: Queue):
    for sender in (BUSY, OTHER, THIRD, GUEST):
        light.add(sender, 20)
    start = threading.Barrier(4)

    def work() -> list[tuple[UUID, int]]:
        taken = []
        start.wait()
        while job := light.claim(workers=100):
            taken.append((job.id, job.attempt))
        return taken

    with ThreadPoolExecutor(4) as pool:
        taken = [one for claimed in [pool.submit(work) for _ in range(4)] for one in claimed.result()]
    assert len(taken) == 80
    assert len(set(taken)) == 80
    assert {attempt for _, attempt in taken} == {1}


def test_a_claim_among_ten_thousand_jobs_looks_at_one_per_sender(light: Queue):
    with light.sessions.begin() as session:
        session.execute(
            text(
                "insert into job (id, kind, key, queue, sender, payload, state, attempt, worker, last_error)"
                " select gen_random_uuid(), 'test', i, 'light', 'account:' || i % 50, '{}', 'queued', 0,"
                " '', ''"
                " from generate_series(1, 10000) as i"
            )
        )
        session.execute(text("analyze job"))
    plans = []

    def explain(connection, _cursor, statement, parameters, *_):
        if statement.lstrip().startswith("with recursive waiting"):
            asked = connection.connection.cursor()
            asked.execute("savepoint explained")
            asked.execute(f"explain (analyze, buffers, format json) {statement}", parameters)
            plans.append(asked.fetchone()[0][0]["Plan"])
            asked.execute("rollback to savepoint explained")

    engine = light.sessions.kw["bind"]
    event.listen(engine, "before_cursor_execute", explain)
    try:
        assert light.claim() is not None
    finally:
        event.remove(engine, "before_cursor_execute", explain)
    [plan] = plans
    assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 1000
    assert not [
        node for node in nodes(plan) if node["Node Type"] == "Seq Scan" and node["Relation Name"] == "job"
    ]


def nodes(plan: dict) -> Iterator[dict]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def test_a_dropped_permit_is_sent_again_when_the_running_job_ends(light: Queue, store: Store, kind: str):
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


def test_a_queue_with_due_jobs_and_no_permits_gets_one_for_each_worker(light: Queue):
    light.add(BUSY, 5)
    with light.sessions.begin() as session:
        session.execute(update(Job).values(sent_at=func.now()))
    assert reap(light.sessions, light.settings, light.sender) == 0, "they may be on their way"
    with light.sessions.begin() as session:
        session.execute(update(Job).values(sent_at=datetime.now(UTC) - timedelta(minutes=1)))
    assert reap(light.sessions, light.settings, light.sender) == light.settings.light_workers
    assert light.permits() == light.settings.light_workers
    assert reap(light.sessions, light.settings, light.sender) == 0


def test_a_job_enqueues_for_its_own_sender(light: Queue, store: Store, kind: str):
    @handler(kind)
    def work(run: Run) -> None:
        with run.session() as session:
            enqueue(session, "test", key="on its way")
        with run.result() as session:
            enqueue(session, "test", key="in the end")

    light.add(OTHER, kind=kind)
    run_next("light", light.settings, light.sessions, store)
    with light.sessions() as session:
        assert set(session.scalars(select(Job.sender).where(Job.kind == "test"))) == {OTHER}


def test_inactive_senders_are_removed(light: Queue):
    light.add(GUEST)
    light.add(OTHER)
    light.work(2)
    light.add(BUSY, 15)
    light.work(14)
    with light.sessions.begin() as session:
        fair_queue.forget_idle(session)
        assert set(session.scalars(select(QueueSender.sender))) == {BUSY}


def test_a_sender_over_its_backlog_limit_is_refused_with_retry_after(light: Queue):
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
