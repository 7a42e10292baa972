"""`casebook audit verify`: was any entry of the audit log changed, removed or added?

$ casebook audit verify
12345 entries, none changed; the last is 9f2c…
$ casebook audit verify --head 9f2c…
entry 17 is not as it was written: its content is not what its hash was made of
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from backend.cli.running import data_dir_option, database_of

if TYPE_CHECKING:
    from pathlib import Path


@click.group("audit")
def command() -> None:
    """Check the log of who saw and did what."""


@command.command("verify")
@click.option("--head", default="", help="A hash that an earlier check printed: it must still be in the log.")
@data_dir_option
def verify(head: str, data_dir: Path | None) -> None:
    """Check every entry; name the first that is not as it was written and exit with 1."""
    from backend.core import audit  # noqa: PLC0415 - keeps `casebook --help` fast

    with database_of(data_dir) as (_, session):
        found = audit.verify(session)
        knows_head = not head or audit.holds(session, head)
    if found.broken is not None:
        raise click.ClickException(f"entry {found.broken} is not as it was written: {found.reason}")
    if not knows_head:
        raise click.ClickException(
            f"no entry has the hash {head}: the log was written anew since it was noted"
        )
    click.echo(f"{found.entries} entries, none changed; the last is {found.head}")
