"""Claiming: which job a free worker takes, and at what cost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import event, select, text, update

from backend.core.db.engine import create_engine
from backend.core.jobs import job_sender
from backend.models import Job
from tests.backend.core.jobs.light_queue import BUSY, GUEST, OTHER, THIRD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from backend.core.settings import Settings
    from tests.backend.core.jobs.light_queue import LightQueue


def test_a_job_that_is_not_due_is_passed_over(light: LightQueue):
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


def test_a_slow_sender_leaves_a_worker_to_others(light: LightQueue):
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


def test_a_quick_sender_alone_may_use_every_worker(light: LightQueue):
    light.add(BUSY, 10)
    light.work(1)
    assert [light.claim() is None for _ in range(2)] == [False, False]


def test_guests_leave_a_worker_to_others_from_their_first_job_on(light: LightQueue):
    light.add(GUEST)
    light.add(job_sender.guest("192.0.2.2"))
    assert light.claim() is not None
    assert light.claim() is None


def test_the_only_worker_serves_slow_senders_and_guests_too(light: LightQueue):
    light.add(GUEST)
    light.add(BUSY, cost_ms=60_000)
    for _ in range(2):
        job = light.claim(workers=1)
        assert job is not None
        light.end(job)


def test_claimers_side_by_side_take_every_job_once(light: LightQueue):
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


def test_a_claim_among_ten_thousand_jobs_looks_at_one_per_sender(light: LightQueue, settings: Settings):
    with light.sessions.begin() as session:
        session.execute(
            text(
                "insert into job (id, kind, key, queue, sender, payload, state, attempt, worker, last_error)"
                " select gen_random_uuid(), 'test', i, 'light', 'account:' || i % 50, '{}', 'queued', 0,"
                " '', ''"
                " from generate_series(1, 10000) as i"
            )
        )
    owner = create_engine(settings, as_owner=True)
    with owner.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # Without it a claim also passes what tests before have left, until PostgreSQL removes it by itself.
        connection.execute(text("vacuum (analyze) job"))
    owner.dispose()
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
