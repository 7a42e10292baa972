"""Jobs outlast a restart of the database: claims wait for it, and an attempt that it broke is given back."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from backend.core.db.outages import is_outage, outlast
from backend.core.jobs.queue import handler
from backend.core.jobs.runner import run_job, run_next
from backend.core.sessions import create_sessions
from backend.models.job import Job, JobState
from tests.backend.core.jobs.job_rows import job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.jobs.run import Run
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

SOCKET = ".s.PGSQL.5432"
AWAY_SECONDS = 0.5


class Database:
    """The database of a worker, reached by a socket that can be away; others still reach it."""

    def __init__(self, settings: Settings, others: sessionmaker[Session], folder: Path) -> None:
        self._socket = settings.run_dir / SOCKET
        self._place = folder / SOCKET
        self._others = others
        url = settings.effective_database_url.replace(
            quote(str(settings.run_dir), safe=""), quote(str(folder), safe="")
        )
        self.settings = settings.model_copy(update={"database_url": url})
        self.sessions = create_sessions(self.settings, pool_size=2)
        self.starts()

    def starts(self) -> None:
        self._place.symlink_to(self._socket)

    def dies(self) -> None:
        """End every connection of the worker and take no more for a while."""
        self._place.unlink()
        with self._others() as session:
            session.execute(
                text(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where usename = current_user and datname = current_database()"
                    " and pid <> pg_backend_pid()"
                )
            )
        threading.Timer(AWAY_SECONDS, self.starts).start()


@pytest.fixture
def database(settings: Settings, committed: sessionmaker[Session], tmp_path: Path) -> Iterator[Database]:
    database = Database(settings, committed, tmp_path)
    yield database
    database.sessions.kw["bind"].dispose()


def test_an_attempt_that_loses_the_database_is_given_back_as_soon_as_it_answers(
    database: Database, committed, add, kind, store: Store
):
    @handler(kind)
    def work(run: Run) -> None:
        with run.session() as session:
            database.dies()
            session.execute(select(Job.id))

    job_id = add()
    assert run_job(job_id, database.settings, database.sessions, store) is JobState.QUEUED
    given_back = job(committed, job_id)
    assert (given_back.attempt, given_back.lease_until) == (1, None)
    assert given_back.run_after <= datetime.now(UTC), "it waits for nothing: the database answers"


@pytest.mark.usefixtures("light")
def test_a_worker_waits_for_the_database_with_its_permit(database: Database, add, kind, store: Store):
    handler(kind)(lambda _: None)
    add()
    database.dies()
    assert run_next("light", database.settings, database.sessions, store) is JobState.DONE


def test_what_the_database_refuses_is_no_outage(committed):
    def refused() -> None:
        with committed.begin() as session:
            session.execute(text("select 1 / 0"))

    with pytest.raises(DBAPIError) as raised:
        outlast(refused, seconds=600)
    assert not is_outage(raised.value)


def test_an_outage_is_waited_for_in_vain_for_a_while_only(database: Database):
    database._place.unlink()

    def unreachable() -> None:
        with database.sessions() as session:
            session.execute(text("select 1"))

    with pytest.raises(DBAPIError) as raised:
        outlast(unreachable, seconds=0.2)
    assert is_outage(raised.value)
