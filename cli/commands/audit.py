"""`casebook audit`: verify the audit log, and accept a loss after a restore.

$ casebook audit verify
12345 entries, none changed; checkpoint of 2026-11-22T21:59:58.120+00:00 at entry 12340; the last is 9f2c…
$ casebook audit verify --head 9f2c…
entry 17 was changed: its content does not match its hash
$ casebook audit accept --reason 'restored the backup of Sunday'
accepted the loss of entries 12001 to 12340
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.service.running import data_dir_option, note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cli.service.audit_log import LogCheck


@click.group("audit")
def command() -> None:
    """Verify the audit log."""


@command.command("verify")
@click.option(
    "--head",
    metavar="HASH",
    default="",
    help="Hash printed by an earlier check; it must still be in the log.",
)
@data_dir_option
def verify(head: str, data_dir: Path | None) -> None:
    """Verify every entry and every checkpoint; name what was changed or removed, and exit with 4."""
    from cli.service.audit_log import LogChangedError, check_log  # noqa: PLC0415 - keeps `casebook --help` fast

    try:
        found = check_log(data_dir, head)
    except LogChangedError as error:
        raise exits.CheckFailedError(str(error)) from None
    for line in _remarks(found):
        click.echo(line)
    if found.problems:
        raise exits.CheckFailedError("\n".join(found.problems))
    last = found.checkpoints[-1] if found.checkpoints else None
    latest = f"checkpoint of {last.at} at entry {last.number}" if last else "no checkpoint yet"
    click.echo(f"{found.entries} entries, none changed; {latest}; the last is {found.head}")


@command.command("accept")
@click.option(
    "--reason",
    metavar="TEXT",
    required=True,
    help="Why entries are missing, such as which backup was restored.",
)
@data_dir_option
def accept(reason: str, data_dir: Path | None) -> None:
    """Accept that entries are missing after a restore; every later verification states it."""
    from backend.core import audit_chain, audit_checkpoints  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.service.audit_log import log_of  # noqa: PLC0415 - same

    with log_of(data_dir) as (session, store, key):
        found = audit_chain.verify(session, key)
        if found.broken is not None:
            raise click.ClickException(f"entry {found.broken} was changed: {found.reason}; that is no loss")
        made = audit_checkpoints.accept(session, store, key, reason=reason)
        note(session, f"audit accept: entries {made.lost_from} to {made.lost_to}: {reason}")
    click.echo(f"accepted the loss of entries {made.lost_from} to {made.lost_to}")


def _remarks(found: LogCheck) -> Iterator[str]:
    if found.is_owner:
        yield (
            "the role of the service owns the audit log and can disable its triggers: "
            "set CASEBOOK_DATABASE_OWNER_URL and give the service a role of its own"
        )
    if found.unkeyed:
        yield f"the first {found.unkeyed} entries are from before hashes were keyed"
    for one in found.checkpoints:
        if one.lost_from:
            yield f"{one.at}: the loss of entries {one.lost_from} to {one.lost_to} was accepted: {one.reason}"
