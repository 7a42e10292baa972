"""`casebook token`: bearer tokens for programs.

$ casebook token create --name ci --scope read --scope evidence --days 90
cbk_p_9hV0…
$ casebook token list
PREFIX        NAME  SCOPES         ENDS        LAST USED
cbk_p_9hV0Qd  ci    evidence,read  2027-02-19  2026-11-21 11:40
$ casebook token revoke cbk_p_9hV0Qd
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import click

from cli.service.options import SCOPES
from cli.service.running import data_dir_option, database_of, note

if TYPE_CHECKING:
    from pathlib import Path

ROLES = ("viewer", "responder", "curator", "admin")


@click.group("token")
def command() -> None:
    """Create, list and revoke bearer tokens for programs that use the REST API."""


@command.command("create")
@click.option("--name", metavar="NAME", required=True, help="What the token is for, such as 'ci'.")
@click.option(
    "--days",
    metavar="N",
    type=click.IntRange(1, 3650),
    required=True,
    help="Days until it expires, at most 3650.",
)
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(SCOPES),
    multiple=True,
    required=True,
    help="What it may do; may be repeated. A pipeline needs read and evidence.",
)
@click.option(
    "--service",
    "role",
    type=click.Choice(ROLES),
    help="Create a service token with this role instead of the owner's.",
)
@data_dir_option
def create(name: str, days: int, scopes: tuple[str, ...], role: str | None, data_dir: Path | None) -> None:
    """Print a new token, shown once. The instance must be running."""
    from cli.service import token_store  # noqa: PLC0415 - keeps `casebook --help` fast

    with database_of(data_dir) as (_, session):
        secret = token_store.create(
            session, name=name, lifetime=timedelta(days=days), scopes=scopes, role=role
        )
        note(session, f"token create {name}")
    click.echo(secret)


@command.command("list")
@data_dir_option
def list_tokens(data_dir: Path | None) -> None:
    """List active tokens of all accounts. The instance must be running."""
    from cli.service import token_store  # noqa: PLC0415 - keeps `casebook --help` fast

    with database_of(data_dir) as (_, session):
        rows = token_store.active_rows(session)
    for line in token_store.table_lines(rows):
        click.echo(line)


@command.command("revoke")
@click.argument("prefix")
@data_dir_option
def revoke(prefix: str, data_dir: Path | None) -> None:
    """Revoke the token that begins with PREFIX. The instance must be running."""
    from cli.service import token_store  # noqa: PLC0415 - keeps `casebook --help` fast

    with database_of(data_dir) as (_, session):
        try:
            revoked = token_store.revoke(session, prefix)
        except token_store.PrefixChoiceError as error:
            raise click.ClickException(str(error)) from None
        note(session, f"token revoke {revoked.prefix}")
        click.echo(f"revoked {revoked.prefix} ({revoked.name})")
