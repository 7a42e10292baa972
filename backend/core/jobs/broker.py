"""The broker: Celery on Valkey; it carries permits to run one job of a queue, nothing else.

An unacknowledged message is redelivered after `visibility_timeout`: hours, because a running job must not be
delivered twice. The reaper resends lost permits from the table.

Source: https://docs.celeryq.dev/en/stable/getting-started/backends-and-brokers/redis.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celery import Celery
from kombu.entity import Queue

if TYPE_CHECKING:
    from backend.core.settings import Settings

RUN_JOB = "casebook.run_job"
QUEUES = ("light", "heavy")
VISIBILITY_TIMEOUT_SECONDS = 12 * 3600
CONNECT_TIMEOUT_SECONDS = 3


def create_celery(settings: Settings) -> Celery:
    """Return a Celery application for the broker of `settings`; it connects when first used."""
    app = Celery("casebook", broker=settings.effective_broker_url, set_as_current=False)
    app.conf.update(
        task_queues=[Queue(name) for name in QUEUES],  # type: ignore[no-untyped-call]
        task_default_queue="light",
        task_create_missing_queues=False,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": VISIBILITY_TIMEOUT_SECONDS,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": CONNECT_TIMEOUT_SECONDS,
            "socket_keepalive": True,
        },
    )
    return app
