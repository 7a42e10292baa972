"""The SQLAlchemy engine of one process, and its connection string."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import create_engine as create_sqlalchemy_engine

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

POOL_SIZE = 10
MAX_OVERFLOW = 20
POOL_TIMEOUT_SECONDS = 30.0


def create_engine(
    settings: Settings,
    *,
    pool_size: int = POOL_SIZE,
    max_overflow: int = MAX_OVERFLOW,
    pool_timeout_seconds: float = POOL_TIMEOUT_SECONDS,
    as_owner: bool = False,
) -> Engine:
    """Return an engine for the database of `settings`; it connects when first used.

    `as_owner` connects with the role that owns the tables, for migrations.

    `pool_size` connections stay open, `max_overflow` more open on demand; a caller that gets none within
    `pool_timeout_seconds` receives SQLAlchemy's `TimeoutError`.
    """
    return create_sqlalchemy_engine(
        settings.effective_owner_url if as_owner else settings.effective_database_url,
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=pool_timeout_seconds,
        pool_pre_ping=True,
        # Parameters hold evidence, titles and hashes; an error shows the statement only.
        hide_parameters=True,
        connect_args={"connect_timeout": 10, "application_name": "casebook", "options": "-c timezone=UTC"},
    )


def conninfo(sessions: sessionmaker[Session]) -> str:
    """Return the connection string of the database of `sessions`, for psycopg."""
    url = sessions.kw["bind"].engine.url.set(drivername="postgresql")
    return str(url.render_as_string(hide_password=False))
