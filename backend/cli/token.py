"""`casebook token create`: a bearer token for a program."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import click


@click.group("token")
def command() -> None:
    """Make bearer tokens for programs that use the REST API."""


@command.command("create")
@click.option("--name", required=True, help="What the token is for, such as 'ci'.")
@click.option("--days", type=click.IntRange(min=1), help="Days until it expires; default: never.")
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Data directory of the running instance; default: CASEBOOK_DATA_DIR.",
)
def create(name: str, days: int | None, data_dir: Path | None) -> None:
    """Print a new token; it is shown this once. The instance must be running."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - keeps `casebook --help` fast

    from backend.accounts import service  # noqa: PLC0415
    from backend.core.database import create_sessions  # noqa: PLC0415
    from backend.core.errors import CasebookError  # noqa: PLC0415
    from backend.core.settings import load_settings  # noqa: PLC0415

    try:
        settings = load_settings(data_dir=data_dir) if data_dir else load_settings()
        sessions = create_sessions(settings, pool_size=1)
        with sessions.begin() as session:
            lifetime = timedelta(days=days) if days else None
            token = service.create_api_token(session, name=name, lifetime=lifetime)
        sessions.kw["bind"].dispose()
    except CasebookError as error:
        raise click.ClickException(str(error)) from None
    except OperationalError:
        raise click.ClickException(
            f"no database answers for {settings.data_dir}; start the instance with `casebook serve` first"
        ) from None
    click.echo(token)
