"""`casebook audit verify`: verify the hash chain of the audit log.

$ casebook audit verify
12345 entries, none changed; the last is 9f2c…
$ casebook audit verify --head 9f2c…
entry 17 was changed: its content is not what its hash was made of
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from backend.cli.running import data_dir_option, database_of

if TYPE_CHECKING:
    from pathlib import Path


@click.group("audit")
def command() -> None:
    """Verify the audit log."""


@command.command("verify")
@click.option("--head", default="", help="Hash printed by an earlier check; it must still be in the log.")
@data_dir_option
def verify(head: str, data_dir: Path | None) -> None:
    """Verify every entry; name the first invalid one and exit with 1."""
    from backend.core import audit  # noqa: PLC0415 - keeps `casebook --help` fast

    with database_of(data_dir) as (_, session):
        found = audit.verify(session)
        knows_head = not head or audit.holds(session, head)
    if found.broken is not None:
        raise click.ClickException(f"entry {found.broken} was changed: {found.reason}")
    if not knows_head:
        raise click.ClickException(
            f"no entry has the hash {head}: the log was rewritten since that hash was recorded"
        )
    click.echo(f"{found.entries} entries, none changed; the last is {found.head}")
