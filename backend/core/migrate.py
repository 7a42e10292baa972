"""Bringing the database's tables to this version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from backend.core.database import create_engine
from backend.core.layout import MIGRATIONS_DIR

if TYPE_CHECKING:
    from backend.core.settings import Settings

LOCK_KEY = 0x6361736562
"""Two instances that start at once migrate one after the other."""


def upgrade(settings: Settings) -> None:
    """Apply every migration that the database has not seen, in one transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS_DIR))
    engine = create_engine(settings, pool_size=1)
    try:
        with engine.begin() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    finally:
        engine.dispose()
