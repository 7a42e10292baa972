"""`casebook sign-in`: another single-use sign-in URL for a running instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.service.running import address_of, data_dir_option, database_of, note

if TYPE_CHECKING:
    from pathlib import Path


@click.command("sign-in")
@data_dir_option
def command(data_dir: Path | None) -> None:
    """Print a single-use sign-in URL, valid for ten minutes. The instance must be running."""
    from backend.accounts.service import create_sign_in_token  # noqa: PLC0415 - keeps `casebook --help` fast

    with database_of(data_dir) as (settings, session):
        token = create_sign_in_token(session)
        note(session, "sign-in")
        url = address_of(settings)
    click.echo(f"{url}/sign-in?token={token}")
