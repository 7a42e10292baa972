"""Runs migrations on a passed connection, or on the database of the settings."""

from typing import Any

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

import backend.models
from backend.core.db.base import CleanJson, CleanText
from backend.core.sessions import create_engine
from backend.core.settings_environment import load_settings

metadata = backend.models.Base.metadata


def render(kind: str, item: Any, autogenerate: AutogenContext) -> str | bool:
    """Render our column types as PostgreSQL types, so that migrations are self-contained."""
    if kind == "type" and isinstance(item, CleanText):
        return "sa.Text()"
    if kind == "type" and isinstance(item, CleanJson):
        autogenerate.imports.add("from sqlalchemy.dialects import postgresql")
        return "postgresql.JSONB()"
    return False


def run(connection: Connection) -> None:
    """Run the migrations requested by `alembic` or `backend.core.db.migrate`."""
    context.configure(connection=connection, target_metadata=metadata, compare_type=True, render_item=render)
    with context.begin_transaction():
        context.run_migrations()


connection = context.config.attributes.get("connection")
if connection is not None:
    run(connection)
else:
    with create_engine(load_settings(), as_owner=True).begin() as connection:
        run(connection)
