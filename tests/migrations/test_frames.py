"""The migration queues one job per case to index existing profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, text

from backend.core.jobs.queue import handler_of
from backend.core.jobs.task_modules import load_task_modules
from backend.core.layout import MIGRATIONS_DIR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.core.settings import Settings

CASE = UUID("01900000-0000-7000-8000-000000000002")
PROFILE = (
    "insert into profile (id, reading_id, case_id, ordinal, event, unit, what, samples, weight, nodes,"
    " is_ordered, has_weights, has_time, has_cpu)"
    " values (gen_random_uuid(), gen_random_uuid(), :case, :ordinal, '', 'samples', 'cpu', 1, 1, 1,"
    " true, true, false, false)"
)


@pytest.fixture
def old(settings: Settings) -> Iterator[Engine]:
    """A database of the first version in which one case has two profiles."""
    server = f"host={settings.run_dir} user=casebook dbname=postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("create database unindexed")
    engine = create_engine(settings.effective_owner_url.replace("/casebook?", "/unindexed?"))
    up(engine, "0001")
    with engine.begin() as connection:
        # The readings themselves do not matter here.
        connection.execute(text("set local session_replication_role = replica"))
        for ordinal in range(2):
            connection.execute(text(PROFILE), {"case": CASE, "ordinal": ordinal})
    yield engine
    engine.dispose()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("drop database unindexed")


def up(engine: Engine, revision: str) -> None:
    with engine.begin() as connection:
        command.upgrade(_config(connection), revision)


def down(engine: Engine, revision: str) -> None:
    with engine.begin() as connection:
        command.downgrade(_config(connection), revision)


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS_DIR))
    config.attributes["connection"] = connection
    return config


def jobs(engine: Engine) -> list[tuple[object, ...]]:
    with engine.connect() as connection:
        found = connection.execute(text("select kind, key, subject_id, state, queue, sent_at from job"))
        return [tuple(row) for row in found]


def test_a_case_with_profiles_gets_one_job_that_a_worker_can_do(old: Engine):
    up(old, "0005")
    assert jobs(old) == [("profiles.index", f"index:{CASE}", CASE, "queued", "light", None)]
    load_task_modules()
    assert callable(handler_of("profiles.index"))


def test_the_downgrade_keeps_existing_rows(old: Engine):
    up(old, "0005")
    down(old, "0001")
    assert jobs(old) == []
    with old.connect() as connection:
        assert connection.execute(text("select count(*) from profile")).scalar() == 2
