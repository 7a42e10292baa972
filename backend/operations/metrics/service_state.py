"""State of the service as metrics, read from the database at a scrape.

    casebook_queue_jobs{queue="light",state="queued"} 4
    casebook_queue_oldest_seconds{queue="light"} 0.8
    casebook_jobs_recent{kind="evidence.read",outcome="done"} 57

They are the same whichever process answers.
"""

from __future__ import annotations

import shutil
from datetime import timedelta
from typing import TYPE_CHECKING

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func, select, text

from backend.core.jobs.broker import QUEUES
from backend.core.jobs.job import Job, JobState
from backend.core.version import VERSION
from backend.models import Blob, Case
from backend.operations import outbox_state, queries, sandbox_reports
from backend.operations.backup import last_backup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from prometheus_client.core import Metric
    from sqlalchemy.orm import Session

RECENT = timedelta(minutes=15)
DUE_WITHIN = timedelta(days=1)
"""Jobs that were due longer ago are not counted when they end: the index of due times bounds the query."""

ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


class ServiceState(Collector):
    """Reads the state at a scrape.

    Attributes:
        data_dir: Directory whose disk is measured.
    """

    def __init__(self, session: Session, data_dir: Path) -> None:
        """Read by `session`."""
        self._session = session
        self.data_dir = data_dir

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        yield _family("casebook_build_info", "Version of the service.", ("version",), [((VERSION,), 1)])
        yield from self._queues()
        yield from self._jobs()
        yield from self._outbox()
        yield from self._sizes()
        hosts = [
            ((host.name,), float(sandbox_reports.layers_of(host).is_complete))
            for host in sandbox_reports.hosts(self._session)
        ]
        text_of = "Whether a machine reads evidence with every layer of the sandbox."
        yield _family("casebook_sandbox_complete", text_of, ("host",), hosts)

    def _queues(self) -> Iterator[Metric]:
        # A queue without jobs has zeros, so that a dashboard tells idle from unknown.
        jobs = {(name, state): 0 for name in QUEUES for state in ("queued", "running")}
        ages = {(name,): 0.0 for name in QUEUES}
        for one in queries.open_jobs_by_queue(self._session):
            jobs |= {(one.name, "queued"): one.queued, (one.name, "running"): one.running}
            ages[one.name,] = one.oldest_seconds
        yield _family("casebook_queue_jobs", "Open jobs.", ("queue", "state"), jobs.items())
        text_of = "Seconds for which the oldest waiting job has been due."
        yield _family("casebook_queue_oldest_seconds", text_of, ("queue",), ages.items())

    def _jobs(self) -> Iterator[Metric]:
        failed = [((), queries.count_failed(self._session))]
        yield _family("casebook_failed_jobs", "Failed jobs that nobody has retried.", (), failed)
        took = func.max(func.extract("epoch", Job.finished_at - Job.started_at))
        ended = self._session.execute(
            select(Job.kind, Job.state, func.count(), func.coalesce(took, 0))
            .where(Job.state.in_(ENDED), Job.run_after > func.now() - DUE_WITHIN)
            .where(Job.finished_at > func.now() - RECENT)
            .group_by(Job.kind, Job.state)
        ).all()
        labels, minutes = ("kind", "outcome"), RECENT // timedelta(minutes=1)
        counts = [((kind, state.value), count) for kind, state, count, _ in ended]
        yield _family("casebook_jobs_recent", f"Jobs that ended in the last {minutes} min.", labels, counts)
        longest = [((kind, state.value), float(seconds)) for kind, state, _, seconds in ended]
        text_of = f"Seconds of the longest job that ended in the last {minutes} min."
        yield _family("casebook_jobs_recent_longest_seconds", text_of, labels, longest)

    def _outbox(self) -> Iterator[Metric]:
        found = outbox_state.read(self._session)
        states = [((name,), getattr(found, name)) for name in ("unsent", "pending", "held")]
        text_of = "Events and deliveries to other services; nobody sends those that are held."
        yield _family("casebook_outbox_rows", text_of, ("state",), states)
        oldest = [((), found.oldest_seconds)]
        text_of = "Age of the oldest event or delivery that is not sent and not held."
        yield _family("casebook_outbox_oldest_seconds", text_of, (), oldest)

    def _sizes(self) -> Iterator[Metric]:
        cases = self._session.execute(select(Case.state, func.count()).group_by(Case.state))
        counts = [((state,), count) for state, count in cases]
        yield _family(
            "casebook_cases", "Cases, deleted ones that can be restored included.", ("state",), counts
        )
        stored = self._session.scalar(select(func.coalesce(func.sum(Blob.size_bytes), 0)))
        yield _family("casebook_evidence_bytes", "Bytes of stored evidence.", (), [((), float(stored or 0))])
        database = self._session.scalar(text("select pg_database_size(current_database())"))
        yield _family("casebook_database_bytes", "Bytes of the database.", (), [((), float(database or 0))])
        backup = last_backup.made_at(self.data_dir)
        made = [] if backup is None else [((), backup.timestamp())]
        yield _family("casebook_last_backup_timestamp_seconds", "When the last backup was made.", (), made)
        free = shutil.disk_usage(self.data_dir).free
        yield _family("casebook_disk_free_bytes", "Free bytes of the disk of the data.", (), [((), free)])


def _family(
    name: str, text_of: str, labels: tuple[str, ...], values: Iterable[tuple[Sequence[str], float]]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text_of, labels=labels)
    for key, value in values:
        family.add_metric(key, value)
    return family
