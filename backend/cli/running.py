"""The database of a running instance, for commands that stand beside it."""

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
    """Open one transaction in the database of the instance of `data_dir`, or of the environment.

    Raises:
        ClickException: A setting is wrong, or no database answers.
    """
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.core.errors import CasebookError  # noqa: PLC0415 - same
    from backend.core.sessions import create_sessions  # noqa: PLC0415 - same
    from backend.core.settings import load_settings  # noqa: PLC0415 - same

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
            f"no database answers for {settings.data_dir}; start the instance with `casebook serve` first"
        ) from None


def address_of(settings: Settings) -> str:
    """Return where the instance answers, by its own word; a port may have been chosen when it started."""
    if settings.public_url or not settings.address_path.is_file():
        return settings.public_url or f"http://{settings.host}:{settings.port}"
    return settings.address_path.read_text(encoding="utf-8")


def note(session: Session, subject: str) -> None:
    """Note in the audit log what is done by command, under the number of this system's user."""
    from backend.core import audit  # noqa: PLC0415 - keeps `casebook --help` fast

    audit.record(
        session,
        audit.AuditAction(action="command", subject=subject, actor=f"uid {os.getuid()}", via="command"),
    )
