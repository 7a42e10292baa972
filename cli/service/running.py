"""Database of a running instance, for local administration commands."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

data_dir_option = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Data directory of the running instance; default: CASEBOOK_DATA_DIR.",
)


def settings_of(data_dir: Path | None) -> Settings:
    """Return the settings of the environment, with `data_dir` when given.

    Raises:
        ClickException: One is invalid.
    """
    from backend.core.errors import SettingsError  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - same

    try:
        return load_settings(data_dir=data_dir) if data_dir else load_settings()
    except SettingsError as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def database_server(settings: Settings, say: Callable[[str], None]) -> Iterator[None]:
    """Have the database of `settings` run: the server of a stopped instance runs until the end of the block.

    Raises:
        SettingsError: It does not start, or there is none.
    """
    from backend.core.errors import SettingsError  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.core.supervisor.supervisor import Supervisor  # noqa: PLC0415 - same

    if not settings.embeds_database or is_reachable(settings):
        yield
        return
    if not (settings.data_dir / "postgres" / "PG_VERSION").is_file():
        raise SettingsError(f"there is no instance in {settings.data_dir}: it has no database")
    with Supervisor(settings, say=say) as supervisor:
        supervisor.open_database()
        yield


def database_failure(error: Exception) -> str:
    """Return the sentence about an error of the database, SQLAlchemy's or psycopg's: its first line."""
    cause = getattr(error, "orig", None) or error
    return f"the database failed: {str(cause).strip().partition(chr(10))[0]}"


def is_reachable(settings: Settings) -> bool:
    """Return whether the database accepts connections."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.core.db.engine import create_engine  # noqa: PLC0415 - same

    engine = create_engine(settings, pool_size=1)
    try:
        engine.connect().close()
    except OperationalError:
        return False
    finally:
        engine.dispose()
    return True


@contextmanager
def database_of(data_dir: Path | None) -> Iterator[tuple[Settings, Session]]:
    """Open one transaction in the database of the instance at `data_dir`, or of the environment.

    Raises:
        ClickException: A setting is wrong, or the database is unreachable or of a newer version.
    """
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.core.db.migrate import require_known  # noqa: PLC0415 - same
    from backend.core.errors import CasebookError  # noqa: PLC0415 - same
    from backend.core.sessions import create_sessions  # noqa: PLC0415 - same
    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - same

    try:
        settings = load_settings(data_dir=data_dir) if data_dir else load_settings()
        sessions = create_sessions(settings, pool_size=1)
        try:
            with sessions.begin() as session:
                require_known(session.connection())
                yield settings, session
        finally:
            sessions.kw["bind"].dispose()
    except CasebookError as error:
        raise click.ClickException(str(error)) from None
    except OperationalError:
        raise click.ClickException(
            f"the database of {settings.data_dir} is unreachable; "
            "start the instance with `casebook serve` first, or name its directory with --data-dir"
        ) from None


def address_path(settings: Settings) -> Path:
    """Return the file with the URL of the running instance, for commands."""
    return settings.run_dir / "address"


def address_of(settings: Settings) -> str:
    """Return the URL published by the instance, whose port may have been chosen at start."""
    if settings.public_url or not address_path(settings).is_file():
        return settings.public_url or f"http://{settings.host}:{settings.port}"
    return address_path(settings).read_text(encoding="utf-8")


def note(session: Session, subject: str) -> None:
    """Record a local command in the audit log under the uid of the system user."""
    from backend.core import audit  # noqa: PLC0415 - keeps `casebook --help` fast

    audit.record(
        session,
        audit.AuditAction(action="command", subject=subject, actor=f"uid {os.getuid()}", via="command"),
    )


def record(data_dir: Path | None, subject: str) -> None:
    """Record a command in the audit log; without its key, state on stderr that it is not recorded."""
    from backend.core.errors import AuditUnavailableError  # noqa: PLC0415 - keeps `casebook --help` fast

    try:
        with database_of(data_dir) as (_, session):
            note(session, subject)
    except click.ClickException as error:
        if not isinstance(error.__context__, AuditUnavailableError):
            raise
        click.echo(f"not recorded in the audit log: {error.message}", err=True)
