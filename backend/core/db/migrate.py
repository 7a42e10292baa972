"""Bringing the database's tables to this version."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from backend.core.db.engine import create_engine
from backend.core.layout import MIGRATIONS_DIR

if TYPE_CHECKING:
    from backend.core.settings import Settings

LOCK_KEY = 0x6361736562
"""Two instances that start at once migrate one after the other."""


def upgrade(settings: Settings) -> None:
    """Apply every migration that the database has not seen, in one transaction."""
    config = _config()
    engine = create_engine(settings, pool_size=1)
    try:
        with engine.begin() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    finally:
        engine.dispose()


def head() -> str:
    """Return the migration that this code is written for."""
    return _known()[0]


def is_behind(version: str) -> bool:
    """Say whether a database at migration `version` lacks one of ours; one that we do not know is newer."""
    return version in _known()[1:]


@cache
def _known() -> list[str]:
    """Return the numbers of all migrations, newest first."""
    scripts = ScriptDirectory.from_config(_config())
    return [script.revision for script in scripts.walk_revisions()]


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS_DIR))
    return config
