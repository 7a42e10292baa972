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
    from datetime import datetime
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
    from backend.access.actions import Scope  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.accounts import service, tokens  # noqa: PLC0415 - same
    from backend.models.account import Role  # noqa: PLC0415 - same

    wanted = [Scope(scope) for scope in scopes]
    lifetime = timedelta(days=days)
    with database_of(data_dir) as (_, session):
        if role is None:
            secret = service.create_api_token(session, name=name, lifetime=lifetime, scopes=wanted)
        else:
            _, secret = tokens.make_service(
                session, name=name, role=Role(role), scopes=wanted, lifetime=lifetime
            )
        note(session, f"token create {name}")
    click.echo(secret)


@command.command("list")
@data_dir_option
def list_tokens(data_dir: Path | None) -> None:
    """List active tokens of all accounts. The instance must be running."""
    from backend.accounts import tokens  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.rendering.lines import bare  # noqa: PLC0415 - same

    with database_of(data_dir) as (_, session):
        rows = [
            (
                token.prefix,
                bare(token.name),
                ",".join(token.scopes),
                _day(token.expires_at),
                _minute(token.last_used_at),
            )
            for token in tokens.of_all(session)
        ]
    table = [("PREFIX", "NAME", "SCOPES", "ENDS", "LAST USED"), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@command.command("revoke")
@click.argument("prefix")
@data_dir_option
def revoke(prefix: str, data_dir: Path | None) -> None:
    """Revoke the token that begins with PREFIX. The instance must be running."""
    from backend.accounts import tokens  # noqa: PLC0415 - keeps `casebook --help` fast

    with database_of(data_dir) as (_, session):
        found = [
            token for token in tokens.of_all(session) if token.prefix and token.prefix.startswith(prefix)
        ]
        if len(found) != 1:
            raise click.ClickException(
                f"{len(found)} tokens begin with {prefix!r}; `casebook token list` shows active tokens"
            )
        tokens.revoke(session, found[0])
        note(session, f"token revoke {found[0].prefix}")
        click.echo(f"revoked {found[0].prefix} ({found[0].name})")


def _day(at: datetime | None) -> str:
    return "never" if at is None else f"{at:%Y-%m-%d}"


def _minute(at: datetime | None) -> str:
    return "never" if at is None else f"{at:%Y-%m-%d %H:%M}"
