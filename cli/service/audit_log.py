"""The audit log of an instance, verified entry by entry against its checkpoints."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cli.service.running import database_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy.orm import Session

    from backend.core.audit_checkpoints import Checkpoint
    from backend.core.storage.object_store import Store


class LogChangedError(Exception):
    """A checkpoint of the log was changed, or is not ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCheck:
    """A verified log.

    Attributes:
        problems: What was changed or removed, as sentences.
        entries: Number of entries.
        head: Hash of the last one.
        unkeyed: Number of first entries from before hashes were keyed.
        checkpoints: Oldest first.
        is_owner: Whether the role of the service can disable the triggers of the log.
    """

    problems: tuple[str, ...]
    entries: int
    head: str
    unkeyed: int
    checkpoints: tuple[Checkpoint, ...]
    is_owner: bool


def check_log(data_dir: Path | None, head: str) -> LogCheck:
    """Verify the log of an instance.

    Args:
        data_dir: Of the instance; None for that of the environment.
        head: Hash that must be in the log; "" for none.

    Raises:
        ClickException: Database, store or key is missing.
        LogChangedError: A checkpoint was changed.
    """
    from backend.core import audit_chain, audit_checkpoints  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.core.db.roles import owns_audit_log  # noqa: PLC0415 - same

    with log_of(data_dir) as (session, store, key):
        found = audit_chain.verify(session, key)
        try:
            checkpoints = audit_checkpoints.read_all(store, key)
        except audit_checkpoints.CheckpointError as error:
            raise LogChangedError(str(error)) from None
        problems = audit_checkpoints.compare(session, checkpoints)
        is_owner = owns_audit_log(session.connection())
        knows_head = not head or _contains(session, head)
    if found.broken is not None:
        problems.insert(0, f"entry {found.broken} was changed: {found.reason}")
    if not knows_head:
        problems.append(f"no entry has the hash {head}: the log was rewritten since that hash was recorded")
    return LogCheck(
        problems=tuple(problems),
        entries=found.entries,
        head=found.head,
        unkeyed=found.unkeyed,
        checkpoints=tuple(checkpoints),
        is_owner=is_owner,
    )


@contextmanager
def log_of(data_dir: Path | None) -> Iterator[tuple[Session, Store, bytes]]:
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
