"""Self-clocked fair queueing over senders, by the worker time they use.

Every job has a finish tag in virtual time, milliseconds of one worker:

    finish = max(virtual time of the queue when it was enqueued, finish of its sender's last job) + cost

The job with the least tag is next, and its tag becomes the virtual time of the queue. A sender with a
thousand queued jobs thus has tags far ahead, and a single job of another sender precedes them. When a job
ends, its sender is charged its real duration. Within a sender the oldest job comes first.

All guests form one class that is charged `GUEST_FACTOR` times its use; within it each guest has
its own. A tag is fixed by then, and every claim moves the virtual time on, so nobody waits for ever.

A sender whose jobs are slow may occupy all workers of a queue but one, since a running job is not preempted.
A permit that finds only such senders is dropped; the end of their running job sends another (`charge`).

Claims of one queue are serialized by the row of its clock. The cost is one index probe per waiting sender.

Source: S. J. Golestani, A Self-Clocked Fair Queueing Scheme for Broadband Applications, INFOCOM 1994
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, text

from backend.core.jobs.fence import FITS
from backend.core.jobs.job import Job, QueueClock
from backend.core.jobs.job_sender import GUEST, is_guest

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.jobs.fence import Claimant

GUEST_FACTOR = 10.0
"""Cost factor of guests: beside a busy account, all guests together get a tenth of its share."""
SLOW_MS = 1000.0
"""Duration from which a job makes its sender slow."""
SLOW_FOR_SECONDS = 600.0
"""How long a sender counts as slow after its last slow job."""
DEFAULT_COST_MS = 100.0
"""Typical cost of reading or judging a paste."""
MIN_COST_MS = 1.0

_CLASS = f"case when sender like '{GUEST}:%' then '{GUEST}' else sender end"
_CLAIM = text(
    # The senders are found by a loose index scan, https://wiki.postgresql.org/wiki/Loose_indexscan
    f"""
with recursive waiting (sender) as (
    (select sender from job where queue = :queue and state = 'queued' order by sender limit 1)
    union all
    select (
        select job.sender from job
        where job.queue = :queue and job.state = 'queued' and job.sender > waiting.sender
        order by job.sender limit 1
    )
    from waiting where waiting.sender is not null
),
running (class, jobs) as (
    select {_CLASS}, count(*) from job where queue = :queue and state = 'running' group by 1
),
heads as (
    select
        waiting.sender, waiting.class, head.*, own.slow_until,
        greatest(head.virtual_start, coalesce(own.virtual_time, 0)) + head.cost_ms as sender_finish
    from (select sender, {_CLASS} as class from waiting) as waiting
    cross join lateral (
        select job.id, job.run_after, job.cost_ms, job.virtual_start from job
        where job.queue = :queue and job.state = 'queued' and job.sender = waiting.sender
            and job.run_after <= statement_timestamp()
        order by job.run_after, job.id limit 1
    ) as head
    left join queue_sender as own on own.queue = :queue and own.sender = waiting.sender
    where waiting.sender is not null
),
classes as (
    select distinct on (class) * from heads order by class, sender_finish, run_after, id
),
chosen as (
    select
        classes.*,
        greatest(classes.virtual_start, coalesce(shared.virtual_time, 0))
            + classes.cost_ms * case when class = '{GUEST}' then :guest_factor else 1 end as finish
    from classes
    left join queue_sender as shared on shared.queue = :queue and shared.sender = class
    left join running using (class)
    where coalesce(running.jobs, 0) < :slow_jobs
        or not (
            class = '{GUEST}' or classes.cost_ms > :slow_ms
            or coalesce(classes.slow_until > statement_timestamp(), false)
        )
    order by finish, run_after, id limit 1
),
taken as (
    update job
    set state = 'running', attempt = attempt + 1, worker = :worker, generation = :fence_generation,
        started_at = statement_timestamp(),
        lease_until = statement_timestamp() + make_interval(secs => :lease_seconds)
    from chosen where job.id = chosen.id and job.state = 'queued' and {FITS}
    returning job.*, chosen.class, chosen.sender_finish, chosen.finish
),
charged as (
    insert into queue_sender (queue, sender, virtual_time)
    select queue, sender, sender_finish from taken
    union all
    select queue, class, finish from taken where class <> sender
    on conflict (queue, sender) do update set virtual_time = excluded.virtual_time
),
moved as (
    update queue_clock set virtual_time = greatest(virtual_time, taken.finish)
    from taken where queue_clock.queue = taken.queue
)
select * from taken
"""  # noqa: S608 - made of constants
)
_CHARGE = text(
    """
with charged as (
    update queue_sender
    set virtual_time = virtual_time + :excess_ms * case when sender = :sender then 1 else :guest_factor end,
        slow_until = case
            when :is_slow then statement_timestamp() + make_interval(secs => :slow_for)
            else slow_until
        end
    where queue = :queue and sender in (:sender, :class)
)
select exists (select from job where queue = :queue and state = 'queued' and run_after <= now())
"""
)
_FORGET = text(
    """
delete from queue_sender as idle
where queue = :queue and virtual_time <= :now
    and coalesce(slow_until < statement_timestamp(), true)
    and not exists (
        select from job where job.queue = :queue and job.sender = idle.sender and job.state = 'queued'
    )
    and not exists (
        select from job where job.queue = :queue and job.sender = idle.sender and job.state = 'running'
    )
returning sender
"""
)


def take(
    session: Session, queue: str, *, workers: int, worker: str, claimant: Claimant, lease_seconds: float
) -> Job | None:
    """Claim the next job of `queue` for `worker`; None when there is none to claim.

    Args:
        session: Its transaction claims; others wait for its commit.
        queue: The queue.
        workers: Concurrent jobs of the queue, on all machines together.
        worker: Name of the worker process.
        claimant: Its instance and version.
        lease_seconds: Duration of the lease.
    """
    _lock(session, queue)
    values = {
        "queue": queue,
        "worker": worker,
        "lease_seconds": lease_seconds,
        "slow_jobs": max(1, workers - 1),
        "slow_ms": SLOW_MS,
        "guest_factor": GUEST_FACTOR,
        **claimant.values,
    }
    taken: Job | None = session.scalar(select(Job).from_statement(_CLAIM).params(values))
    return taken


def charge(session: Session, job: Job, took_ms: float) -> bool:
    """Charge the sender of the ended `job` its real duration; return whether more of its queue is due."""
    _lock(session, job.queue)
    has_due: bool = session.execute(
        _CHARGE,
        {
            "queue": job.queue,
            "sender": job.sender,
            "class": GUEST if is_guest(job.sender) else job.sender,
            "excess_ms": max(took_ms, MIN_COST_MS) - job.cost_ms,
            "guest_factor": GUEST_FACTOR,
            "is_slow": took_ms > SLOW_MS,
            "slow_for": SLOW_FOR_SECONDS,
        },
    ).scalar_one()
    return has_due


def forget_idle(session: Session) -> int:
    """Delete senders without queued jobs and with expired state; return how many."""
    forgotten = 0
    for queue in session.scalars(select(QueueClock.queue).order_by(QueueClock.queue)).all():
        values = {"queue": queue, "now": _lock(session, queue)}
        forgotten += len(session.execute(_FORGET, values).all())
    return forgotten


def _lock(session: Session, queue: str) -> float:
    """Lock the clock of `queue`; return its virtual time."""
    row = select(QueueClock.virtual_time).where(QueueClock.queue == queue).with_for_update()
    return session.scalars(row).one()
