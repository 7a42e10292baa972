"""`casebook audit`: verify the audit log, and accept a loss after a restore.

$ casebook audit verify
12345 entries, none changed; checkpoint of 2026-11-22T21:59:58.120+00:00 at entry 12340; the last is 9f2c…
$ casebook audit verify --head 9f2c…
entry 17 was changed: its content does not match its hash
$ casebook audit accept --reason 'restored the backup of Sunday'
accepted the loss of entries 12001 to 12340
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.service.running import data_dir_option, database_of, note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy.orm import Session

    from backend.core.audit_checkpoints import Checkpoint
    from backend.core.storage.object_store import Store


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
    from backend.core import audit_chain, audit_checkpoints  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.core.db.roles import owns_audit_log  # noqa: PLC0415 - same

    with _log_of(data_dir) as (session, store, key):
        found = audit_chain.verify(session, key)
        try:
            checkpoints = audit_checkpoints.read_all(store, key)
        except audit_checkpoints.CheckpointError as error:
            raise exits.CheckFailedError(str(error)) from None
        problems = audit_checkpoints.compare(session, checkpoints)
        is_owner = owns_audit_log(session.connection())
        knows_head = not head or _contains(session, head)
    if found.broken is not None:
        problems.insert(0, f"entry {found.broken} was changed: {found.reason}")
    if not knows_head:
        problems.append(f"no entry has the hash {head}: the log was rewritten since that hash was recorded")
    for line in _remarks(checkpoints, unkeyed=found.unkeyed, is_owner=is_owner):
        click.echo(line)
    if problems:
        raise exits.CheckFailedError("\n".join(problems))
    latest = (
        f"checkpoint of {checkpoints[-1].at} at entry {checkpoints[-1].number}"
        if checkpoints
        else "no checkpoint yet"
    )
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

    with _log_of(data_dir) as (session, store, key):
        found = audit_chain.verify(session, key)
        if found.broken is not None:
            raise click.ClickException(f"entry {found.broken} was changed: {found.reason}; that is no loss")
        made = audit_checkpoints.accept(session, store, key, reason=reason)
        note(session, f"audit accept: entries {made.lost_from} to {made.lost_to}: {reason}")
    click.echo(f"accepted the loss of entries {made.lost_from} to {made.lost_to}")


@contextmanager
def _log_of(data_dir: Path | None) -> Iterator[tuple[Session, Store, bytes]]:
    """Open the audit log of an instance: its database, its store, and its key.

    Raises:
        ClickException: One of them is missing, or does not agree.
    """
    from backend.core import audit_chain  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.core.audit_checkpoints import CheckpointError  # noqa: PLC0415 - same
    from backend.core.encryption import DecryptionError  # noqa: PLC0415 - same
    from backend.core.storage.object_store import Store  # noqa: PLC0415 - same

    with database_of(data_dir) as (settings, session):
        try:
            key = audit_chain.AuditKey(settings).get(may_create=False)
            yield session, Store.open(settings), key
        except (DecryptionError, CheckpointError) as error:
            raise click.ClickException(str(error)) from None


def _contains(session: Session, head: str) -> bool:
    """Return whether an entry has the hash `head`, or the log was empty when it was copied."""
    from sqlalchemy import select  # noqa: PLC0415 - same

    from backend.core.audit_chain import FIRST  # noqa: PLC0415 - same
    from backend.core.audit_entry import AuditEntry  # noqa: PLC0415 - same

    if head == FIRST:
        return True
    return session.scalar(select(AuditEntry.number).where(AuditEntry.hash == head)) is not None


def _remarks(checkpoints: list[Checkpoint], *, unkeyed: int, is_owner: bool) -> Iterator[str]:
    if is_owner:
        yield (
            "the role of the service owns the audit log and can disable its triggers: "
            "set CASEBOOK_DATABASE_OWNER_URL and give the service a role of its own"
        )
    if unkeyed:
        yield f"the first {unkeyed} entries are from before hashes were keyed"
    for one in checkpoints:
        if one.lost_from:
            yield f"{one.at}: the loss of entries {one.lost_from} to {one.lost_to} was accepted: {one.reason}"
