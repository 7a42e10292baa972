"""Runs the Alembic migrations of this version."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from backend.core.db.engine import create_engine
from backend.core.db.roles import grant
from backend.core.layout import MIGRATIONS_DIR

if TYPE_CHECKING:
    from backend.core.settings import Settings

LOCK_KEY = 0x6361736562
"""Advisory lock: instances that start concurrently migrate one after the other."""


def upgrade(settings: Settings) -> None:
    """Apply all pending migrations, and grant the application its rights, in one transaction."""
    config = _config()
    engine = create_engine(settings, pool_size=1, as_owner=True)
    try:
        with engine.begin() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            grant(connection, settings)
    finally:
        engine.dispose()


def head() -> str:
    """Return the latest migration of this code."""
    return _revisions()[0]


def is_behind(version: str) -> bool:
    """Return whether a database at migration `version` lacks one of ours; an unknown one is newer."""
    return version in _revisions()[1:]


@cache
def _revisions() -> list[str]:
    """Return the numbers of all migrations, newest first."""
    scripts = ScriptDirectory.from_config(_config())
    return [script.revision for script in scripts.walk_revisions()]


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS_DIR))
    return config
