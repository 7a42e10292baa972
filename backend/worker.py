"""The worker: one Celery task, which runs the next job of a queue.

casebook worker --queues light,heavy
"""

from __future__ import annotations

import logging
import os
import signal
from functools import lru_cache
from typing import TYPE_CHECKING

from celery.signals import setup_logging
from sqlalchemy.exc import DBAPIError, OperationalError

import backend.models
from backend.core import layout, tracing
from backend.core.db.engine import create_engine
from backend.core.db.outages import is_outage
from backend.core.errors import SettingsError
from backend.core.jobs import fence, priority
from backend.core.jobs.broker import QUEUES, RUN_JOB, create_celery
from backend.core.jobs.runner import run_next
from backend.core.jobs.task_modules import load_task_modules
from backend.core.logs import setup
from backend.core.sessions import create_sessions
from backend.core.settings_environment import load_settings
from backend.core.storage.object_store import Store
from backend.findings import fault_log
from backend.operations import sandbox_reports
from backend.sandbox import availability, fork_server

if TYPE_CHECKING:
    from celery import Celery
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

POOL_SIZE = 2

assert backend.models  # noqa: S101 - every table must be registered before the first session


def create_worker(settings: Settings) -> Celery:
    """Return the Celery application that runs jobs with `settings`."""
    load_task_modules()
    setup.install(settings)
    fault_log.install()
    # A receiver of this signal keeps Celery from configuring logging itself.
    setup_logging.connect(_keep_logs, weak=False)
    app = create_celery(settings)
    claimant = fence.Claimant.of(settings)
    worker_pid = os.getpid()

    @lru_cache(maxsize=1)
    def tools() -> tuple[sessionmaker[Session], Store]:
        # Created in the process that runs the job, never before a fork.
        sessions = create_sessions(settings, pool_size=POOL_SIZE)
        sessions.kw["info"][fence.KEY] = claimant
        return sessions, Store.open(settings)

    @app.task(name=RUN_JOB)  # type: ignore[untyped-decorator]
    def run(permit: str) -> None:
        """Run one job of the queue that `permit` names, if one is due."""
        if permit not in QUEUES:
            # Sent by an older version that named the job; the reaper sends a permit for it.
            return
        sessions, store = tools()
        tracing.install(settings, "worker")
        try:
            run_next(permit, settings, sessions, store)
        except DBAPIError as error:
            if not is_outage(error):
                raise
            logger.warning("the database is away: %s", error)
            sessions.kw["info"]["sender"].top_up(permit, 1)
        except SettingsError as error:
            logger.error("%s", error)  # noqa: TRY400 - a sentence for the operator, no bug
            sessions.kw["info"]["sender"].top_up(permit, 1)
            # Celery's signal for a worker that ends after its running jobs.
            os.kill(worker_pid, signal.SIGTERM)

    return app


def _require_own_database(settings: Settings) -> None:
    """Check before the worker starts that it may claim jobs; a database that is away is not checked.

    Raises:
        SettingsError: It may not.
    """
    engine = create_engine(settings, pool_size=1)
    try:
        with engine.connect() as connection:
            fence.Claimant.of(settings).require(connection)
    except OperationalError:
        return
    finally:
        engine.dispose()


def _keep_logs(**_: object) -> None:
    """Leave logging unchanged."""


def work(queues: str, *, concurrency: int, name: str, niceness: int) -> None:
    """Run jobs of `queues` until stopped; with concurrency 1 without child processes.

    Raises:
        SettingsError: The kernel grants evidence less of a sandbox than the settings require, or the
            database is of another instance or version.
    """
    priority.lower(niceness)
    settings = load_settings()
    layout.make_files_private(settings.data_dir)
    _require_own_database(settings)
    app = create_worker(settings)
    fork_server.expect_cases()
    sandbox_reports.keep_reporting(settings, availability.require(settings))
    if concurrency > 1:
        # Each child process has a fork server of its own.
        fork_server.close()
    pool = "solo" if concurrency == 1 else "prefork"
    app.worker_main(
        [
            "worker",
            f"--queues={queues}",
            f"--pool={pool}",
            f"--concurrency={concurrency}",
            f"--hostname={name}@%h",
            "--without-gossip",
            "--without-mingle",
            f"--loglevel={settings.log_level}",
        ]
    )
