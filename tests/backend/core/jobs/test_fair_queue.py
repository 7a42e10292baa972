"""Fair queueing: senders share workers by the time they use; a busy one does not delay others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from backend.core.jobs import fair_queue, job_sender
from backend.core.jobs.fair_queue import GUEST_FACTOR
from backend.core.jobs.queue import enqueue, handler
from backend.core.jobs.runner import run_next
from backend.models import Job, QueueSender
from tests.backend.core.jobs.light_queue import BUSY, GUEST, OTHER, THIRD

if TYPE_CHECKING:
    from backend.core.jobs.run import Run
    from backend.core.storage.object_store import Store
    from tests.backend.core.jobs.light_queue import LightQueue


def test_one_job_of_another_sender_comes_before_the_hundred_of_a_busy_one(light: LightQueue):
    light.add(BUSY, 100)
    light.work(3)
    light.add(OTHER)
    assert OTHER in light.work(2)


def test_two_busy_senders_take_turns_however_much_each_has(light: LightQueue):
    light.add(BUSY, 30)
    light.add(OTHER, 10)
    assert Counter(light.work(12)) == {BUSY: 6, OTHER: 6}


def test_within_a_sender_the_oldest_job_comes_first(light: LightQueue):
    light.add(BUSY, 5)
    with light.sessions() as session:
        oldest_first = list(session.scalars(select(Job.id).order_by(Job.id)))
    claimed = []
    while job := light.claim():
        light.end(job)
        claimed.append(job.id)
    assert claimed == oldest_first


def test_expensive_jobs_cost_their_sender_turns(light: LightQueue):
    light.add(BUSY, 20, cost_ms=1000)
    light.add(OTHER, 60, cost_ms=100)
    done = Counter(light.work(33))
    assert done[OTHER] == pytest.approx(10 * done[BUSY], abs=10)


def test_a_job_is_charged_its_actual_cost(light: LightQueue):
    light.add(BUSY, 60)
    light.add(OTHER, 60)
    done = Counter(light.work(33, {BUSY: 1000.0}))
    assert done[OTHER] == pytest.approx(10 * done[BUSY], abs=10)


def test_a_guest_comes_after_an_account_that_came_later(light: LightQueue):
    light.add(GUEST)
    light.add(OTHER, 3)
    assert light.work(4) == [OTHER, OTHER, OTHER, GUEST]


def test_all_guests_together_get_a_small_share(light: LightQueue):
    for number in range(10):
        light.add(job_sender.guest(f"192.0.2.{number}"), 5)
    light.add(OTHER, 50)
    done = light.work(44)
    guests = sum(map(job_sender.is_guest, done))
    assert guests == pytest.approx(44 / (GUEST_FACTOR + 1), abs=1)


def test_guests_take_turns_among_themselves(light: LightQueue):
    light.add(GUEST, 20)
    light.add(job_sender.guest("192.0.2.2"))
    assert job_sender.guest("192.0.2.2") in light.work(2)


def test_guests_and_expensive_jobs_do_not_starve(light: LightQueue):
    light.add(GUEST)
    light.add(THIRD, cost_ms=900)
    done = []
    for _ in range(25):
        light.add(BUSY)
        light.add(OTHER)
        done += light.work(1)
    assert {GUEST, THIRD} <= set(done)


def test_an_idle_sender_accumulates_no_credit(light: LightQueue):
    light.add(OTHER)
    light.work(1)
    light.add(BUSY, 30)
    light.work(12)
    light.add(OTHER, 10)
    assert Counter(light.work(10))[BUSY] == pytest.approx(5, abs=1)


def test_a_job_enqueues_for_its_own_sender(light: LightQueue, store: Store, kind: str):
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


def test_inactive_senders_are_removed(light: LightQueue):
    light.add(GUEST)
    light.add(OTHER)
    light.work(2)
    light.add(BUSY, 15)
    light.work(14)
    with light.sessions.begin() as session:
        fair_queue.forget_idle(session)
        assert set(session.scalars(select(QueueSender.sender))) == {BUSY}
