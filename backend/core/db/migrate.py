"""Runs the Alembic migrations of this version."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import OperationalError

from backend.core.db import instance
from backend.core.db.engine import create_engine
from backend.core.db.roles import grant
from backend.core.db.schema_version import SchemaVersion
from backend.core.errors import DatabaseTooNewError
from backend.core.layout import MIGRATIONS_DIR
from backend.core.version import VERSION

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from backend.core.settings import Settings

LOCK_KEY = 0x6361736562
"""Advisory lock: instances that start concurrently migrate one after the other."""


def upgrade(settings: Settings, *, renews: bool = False) -> None:
    """Apply all pending migrations, and grant the application its rights, in one transaction.

    `renews` begins a new generation of the instance, see `backend.core.db.instance`.

    Raises:
        DatabaseTooNewError: A newer version migrated the database.
        DataDirectoryError: It belongs to another data directory, whose service runs.
    """
    engine = create_engine(settings, pool_size=1, as_owner=True)
    try:
        with engine.begin() as connection:
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK_KEY})
            upgrade_to_head(connection, settings, renews=renews)
    finally:
        engine.dispose()


def upgrade_to_head(connection: Connection, settings: Settings, *, renews: bool) -> None:
    """Do so in the transaction of `connection`, of the role that owns the tables.

    Raises:
        DatabaseTooNewError: A newer version migrated the database.
        DataDirectoryError: It belongs to another data directory, whose service runs.
    """
    require_known(connection)
    upgrade_to(connection, "head")
    recorded = insert(SchemaVersion).values(revision=head(), version=VERSION)
    connection.execute(recorded.on_conflict_do_nothing())
    instance.establish(connection, settings, renews=renews)
    grant(connection, settings)


def upgrade_to(connection: Connection, revision: str) -> None:
    """Apply the migrations up to `revision` in the transaction of `connection`."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def is_known(revision: str) -> bool:
    """Return whether this version has the migration `revision`."""
    return revision in _revisions()


def require_known_database(settings: Settings) -> None:
    """Check before a process starts that this version knows the database; one that is away is not checked.

    Raises:
        DatabaseTooNewError: A newer version migrated the database.
    """
    engine = create_engine(settings, pool_size=1)
    try:
        with engine.connect() as connection:
            require_known(connection)
    except OperationalError:
        return
    finally:
        engine.dispose()


def require_known(connection: Connection) -> None:
    """Check that this version has all migrations of the database.

    Raises:
        DatabaseTooNewError: A newer version migrated the database; the message names that version.
    """
    revision = revision_of(connection)
    if not revision or is_known(revision):
        return
    written = select(SchemaVersion.version).where(SchemaVersion.revision == revision)
    is_recorded = inspect(connection).has_table(SchemaVersion.__tablename__)
    version = connection.scalar(written) if is_recorded else None
    needed = f"Casebook {version}" if version else "a newer version of Casebook"
    raise DatabaseTooNewError(
        f"the database was migrated by {needed} (migration {revision}), and this is Casebook {VERSION} "
        f"(migration {head()}): use that version or a newer one, "
        "or restore a backup that was made before the upgrade"
    )


def revision_of(connection: Connection) -> str:
    """Return the migration of the database; "" for one without tables."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.scalar(text("select version_num from alembic_version")) or ""


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
