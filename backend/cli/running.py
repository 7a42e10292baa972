"""Database of a running instance, for local administration commands."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

data_dir_option = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Data directory of the running instance; default: CASEBOOK_DATA_DIR.",
)


@contextmanager
def database_of(data_dir: Path | None) -> Iterator[tuple[Settings, Session]]:
    """Open one transaction in the database of the instance at `data_dir`, or of the environment.

    Raises:
        ClickException: A setting is wrong, or the database is unreachable.
    """
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.core.errors import CasebookError  # noqa: PLC0415 - same
    from backend.core.sessions import create_sessions  # noqa: PLC0415 - same
    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - same

    try:
        settings = load_settings(data_dir=data_dir) if data_dir else load_settings()
        sessions = create_sessions(settings, pool_size=1)
        try:
            with sessions.begin() as session:
                yield settings, session
        finally:
            sessions.kw["bind"].dispose()
    except CasebookError as error:
        raise click.ClickException(str(error)) from None
    except OperationalError:
        raise click.ClickException(
            f"the database of {settings.data_dir} is unreachable; "
            "start the instance with `casebook serve` first"
        ) from None


def address_of(settings: Settings) -> str:
    """Return the URL published by the instance, whose port may have been chosen at start."""
    if settings.public_url or not settings.address_path.is_file():
        return settings.public_url or f"http://{settings.host}:{settings.port}"
    return settings.address_path.read_text(encoding="utf-8")


def note(session: Session, subject: str) -> None:
    """Record a local command in the audit log under the uid of the system user."""
    from backend.core import audit  # noqa: PLC0415 - keeps `casebook --help` fast

    audit.record(
        session,
        audit.AuditAction(action="command", subject=subject, actor=f"uid {os.getuid()}", via="command"),
    )
