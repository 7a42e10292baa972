"""`casebook token create`: a bearer token for a program."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import click

from backend.cli.running import data_dir_option, database_of

if TYPE_CHECKING:
    from pathlib import Path


@click.group("token")
def command() -> None:
    """Make bearer tokens for programs that use the REST API."""


@command.command("create")
@click.option("--name", required=True, help="What the token is for, such as 'ci'.")
@click.option("--days", type=click.IntRange(min=1), help="Days until it expires; default: never.")
@data_dir_option
def create(name: str, days: int | None, data_dir: Path | None) -> None:
    """Print a new token; it is shown this once. The instance must be running."""
    from backend.accounts import service  # noqa: PLC0415 - keeps `casebook --help` fast

    with database_of(data_dir) as (_, session):
        lifetime = timedelta(days=days) if days else None
        token = service.create_api_token(session, name=name, lifetime=lifetime)
    click.echo(token)
