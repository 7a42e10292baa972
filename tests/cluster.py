"""A migrated PostgreSQL cluster, made once per test run; every server and database of the tests is a copy.

Creating and migrating one takes seconds of CPU, copying it a fraction of that.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql
from pydantic import SecretStr

from backend.core import encryption
from backend.core.db import instance, migrate
from backend.core.db.engine import create_engine
from backend.core.settings import Settings
from backend.core.supervisor.supervisor import Supervisor

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
MIGRATED = "migrated"
"""A database that nothing connects to, so that it can be copied at any time."""


def migrated_cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of the stopped cluster; the first process that asks makes it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    settings = Settings(data_dir=shared / "cluster")
    done = shared / "cluster.done"
    with (shared / "cluster.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            with Supervisor(settings, say=lambda _: None, postgres_options=FORGETFUL) as supervisor:
                supervisor.open_servers()
                migrate.upgrade(settings)
                _create(settings, MIGRATED, template="casebook")
            done.touch()
    return settings.data_dir / "postgres"


def copy_cluster(cluster: Path, settings: Settings) -> None:
    """Copy the cluster to the data directory of `settings`, before its server starts."""
    shutil.copytree(cluster, settings.data_dir / "postgres")


def create_database(settings: Settings, name: str) -> str:
    """Create a migrated database on the server of `settings`, or one anew; return its URL."""
    _create(settings, name, template=MIGRATED)
    return settings.effective_database_url.replace("/casebook?", f"/{name}?")


def _create(settings: Settings, name: str, *, template: str) -> None:
    server = f"host={settings.run_dir} user=casebook dbname=postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
        statement = sql.SQL("create database {} template {}")
        connection.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))


def own(settings: Settings, *, renews: bool = False) -> None:
    """Make the data directory of `settings` that of its database, so that its workers claim jobs."""
    url = settings.effective_owner_url.replace("casebook_app@", "casebook@")
    engine = create_engine(settings.model_copy(update={"database_owner_url": url}), as_owner=True)
    try:
        with engine.begin() as connection:
            instance.establish(connection, settings, renews=renews)
    finally:
        engine.dispose()


def key_of(settings: Settings) -> SecretStr:
    """Return the key of the servers' installation: one audit log has one key."""
    encryption.derived_key(settings, "audit")
    return SecretStr((settings.data_dir / "seal.key").read_text(encoding="ascii"))
