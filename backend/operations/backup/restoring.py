"""Restoring a backup into an instance that is stopped.

The objects are copied first. Then one transaction empties the database, makes the tables as they were, fills
and compares them, and migrates them to this version: it succeeds as a whole, or changes nothing.
"""

from __future__ import annotations

import hashlib
import shutil
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from backend.core import audit_chain, audit_checkpoints, encryption, layout
from backend.core.audit_entry import AuditEntry
from backend.core.db import instance, migrate
from backend.core.db.engine import create_engine
from backend.core.encryption import DecryptionError
from backend.core.storage.durable_files import replace_file, sync_file_system
from backend.core.storage.object_store import Store
from backend.models import Account, Blob, Case
from backend.operations.backup import manifest, objects, tables
from backend.operations.backup.manifest import BackupError, Manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from sqlalchemy import Connection, Engine

    from backend.core.settings import Settings

    Report = Callable[[str, int, int], None]

AUDIT_TABLES = frozenset({"audit_entry", "audit_head"})
LOST_WITH_THE_KEY = (
    "the pseudonyms of earlier handoffs: later ones give the same names new pseudonyms",
    "the audit log: its entries cannot be verified, so they stay in the backup alone and a new log begins",
)
"""What a restore without the key loses."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and verified: every table and object equals the backup.

    Attributes:
        audit_entries: Number of entries of the audit log that were verified; 0 where the key is missing.
        has_key: Whether the instance has the key of the backup.
        audit_problems: What is wrong with the audit log, as in the backup, or as later checkpoints show.
    """

    manifest: Manifest
    rows: int
    audit_entries: int
    has_key: bool
    audit_problems: list[str]


def restore(
    settings: Settings, directory: Path, *, replaces: bool, without_key: bool, report: Report
) -> Restored:
    """Restore the backup in `directory` into the instance of `settings`, whose database server runs.

    Args:
        settings: The instance.
        directory: The backup.
        replaces: Whether to replace the data that the instance has.
        without_key: Whether to do without the key of the backup.
        report: Receives the name of a step, how much of it is done, and how much there is.

    Raises:
        BackupError: The backup is incomplete or damaged, the instance has data or is at work, or the key is
            missing.
    """
    found = manifest.read(directory)
    if not migrate.is_known(found.migration):
        raise BackupError(
            f"the backup was made by Casebook {found.casebook} (migration {found.migration}): "
            "restore it with that version or a newer one"
        )
    key = _key_for(settings, found, directory, replaces=replaces, without_key=without_key)
    layout.make_files_private(settings.data_dir)
    store = Store.open(settings)
    # Of the same instance, later checkpoints of its audit log show what the restore removes.
    kept = {item.key for item in store.listing(objects.AUDIT)} if key and key == _own_key(settings) else set()
    parts = [
        part
        for part in objects.read_list(found.objects, directory)
        # Checkpoints are signed with the key.
        if part.name not in kept and not (without_key and part.name.startswith(f"{objects.AUDIT}/"))
    ]
    engine = create_engine(settings, pool_size=1, as_owner=True)
    try:
        if not replaces:
            _require_empty(engine, store, {part.name for part in parts})
        _restore_objects(store, directory, parts, report)
        skipped = AUDIT_TABLES if without_key else frozenset[str]()
        with engine.begin() as connection:
            _require_stopped(connection)
            rows = _restore_tables(connection, found, directory, skipped, report)
            # Processes of the time before, and of the instance that was backed up, are of another generation.
            migrate.upgrade_to_head(connection, settings, renews=True)
            audit_entries, problems = _check_audit_log(connection, store, key)
        with engine.begin() as connection:
            connection.execute(text("analyze"))
    finally:
        engine.dispose()
    _delete_others(store, kept.union(part.name for part in parts))
    _restore_uploads(settings, found, directory)
    shutil.rmtree(settings.views_dir, ignore_errors=True)
    if key:
        _install_key(settings, key)
    return Restored(found, rows, audit_entries, has_key=not without_key, audit_problems=problems)


def _key_for(
    settings: Settings, found: Manifest, directory: Path, *, replaces: bool, without_key: bool
) -> str:
    """Return the key to use: that of the backup, else that of the instance; "" for none.

    Raises:
        BackupError: The key of the backup is in neither, or the instance has another.
    """
    if without_key or not found.audit.key_id:
        return ""
    included = (directory / manifest.SEAL_KEY).read_text("ascii").strip() if found.has_key else ""
    own = _own_key(settings)
    for key in (own, included):
        if key and _id_of(key) == found.audit.key_id:
            if own and key != own and (settings.seal_key.get_secret_value() or not replaces):
                break
            return key
    path = settings.data_dir / encryption.KEY_FILE
    lost = "; ".join(LOST_WITH_THE_KEY)
    raise BackupError(
        f"the key of the backup ({found.audit.key_id}) is not here"
        f"{f', which has another ({_id_of(own)})' if own else ''}: copy it to {path} "
        "or set CASEBOOK_SEAL_KEY, or restore "
        f"with --without-key, which loses {lost}"
    )


def _own_key(settings: Settings) -> str:
    """Return the key that the instance has; "" for none."""
    with suppress(DecryptionError):
        return encryption.key_text(settings)
    return ""


def _id_of(key: str) -> str:
    return audit_chain.id_of(encryption.derived_from(key, audit_chain.PURPOSE))


def _require_empty(engine: Engine, store: Store, names: set[str]) -> None:
    """Require that the instance holds nothing but objects `names`, which an interrupted restore left.

    Raises:
        BackupError: It does.
    """
    with engine.connect() as connection:
        if migrate.revision_of(connection):
            for table in (Account, Case, Blob, AuditEntry):
                if connection.scalar(select(func.count()).select_from(table.__table__).limit(1)):
                    raise BackupError(
                        "the database of the instance is not empty: "
                        "restore into a new instance, or add --replace to delete what it has"
                    )
    if any(item.key not in names for item in store.listing()):
        raise BackupError(
            "the object store of the instance is not empty: "
            "restore into a new instance, or add --replace to delete what it has"
        )


def _require_stopped(connection: Connection) -> None:
    """Require that no process of the service uses the database.

    Raises:
        BackupError: One does.
    """
    others = instance.other_connections(connection)
    if others:
        raise BackupError(
            f"{others} connections of the service are open to the database: stop the service first"
        )


def _restore_objects(store: Store, directory: Path, parts: list[manifest.Part], report: Report) -> None:
    for done, part in enumerate(parts):
        report("objects", done, len(parts))
        problem = objects.problem_of(part, directory)
        if problem:
            raise BackupError(
                f"the object {part.name} of the backup is {problem}; nothing was changed in the database"
            )
        store.put_object(part.name, directory / manifest.STORE / part.name)
    store.sync()


def _restore_tables(
    connection: Connection, found: Manifest, directory: Path, skipped: Iterable[str], report: Report
) -> int:
    """Make the tables of the backup in place of those that are there, and compare them; return their rows."""
    connection.execute(text("drop schema public cascade"))
    connection.execute(text("create schema public"))
    connection.execute(text("grant usage on schema public to public"))
    migrate.upgrade_to(connection, found.migration)
    tables.use_formats(connection)
    made = {source.name: source for source in tables.sources(connection)}
    # Tables that others added to the database are no part of an instance.
    wanted = [table for table in found.tables if table.name in made.keys() - set(skipped)]
    absent = made.keys() - {table.name for table in found.tables}
    if absent:
        raise BackupError(f"the backup has no table {min(absent)}, which migration {found.migration} makes")
    tables.empty(connection, made.keys() - AUDIT_TABLES)
    if not skipped:
        connection.execute(text("delete from audit_head"))
    with tables.without_triggers(connection, [table.name for table in wanted]):
        for done, table in enumerate(wanted):
            report("tables", done, 2 * len(wanted))
            tables.load(connection, table, directory / found.database)
    for done, table in enumerate(wanted):
        report("tables", len(wanted) + done, 2 * len(wanted))
        if tables.measure(connection, made[table.name]) != table:
            raise BackupError(f"the restored table {table.name} differs from the backup; nothing was changed")
    tables.set_sequences(connection, found.sequences)
    return sum(table.rows for table in wanted)


def _check_audit_log(connection: Connection, store: Store, key: str) -> tuple[int, list[str]]:
    """Return the number of entries of the restored audit log, and what is wrong with it.

    A log that was altered before the backup is restored as it was; later checkpoints of the same instance
    name entries that the backup does not have.
    """
    if not key:
        return 0, []
    log_key = encryption.derived_from(key, audit_chain.PURPOSE)
    with Session(connection) as session:
        found = audit_chain.verify(session, log_key)
        try:
            problems = audit_checkpoints.compare(session, audit_checkpoints.read_all(store, log_key))
        except audit_checkpoints.CheckpointError as error:
            problems = [str(error)]
    if found.broken is not None:
        problems.insert(0, f"entry {found.broken} was changed before the backup: {found.reason}")
    return found.entries, problems


def _delete_others(store: Store, names: set[str]) -> None:
    """Delete objects of the replaced instance that the backup does not have."""
    for item in list(store.listing()):
        if item.key not in names:
            store.delete_object(item.key)


def _restore_uploads(settings: Settings, found: Manifest, directory: Path) -> None:
    layout.make_private_dir(settings.uploads_dir)
    for part in found.uploads:
        content = directory / manifest.UPLOADS / part.name
        with content.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != part.sha256:
                raise BackupError(f"the upload {part.name} of the backup is damaged; all else was restored")
        shutil.copyfile(content, settings.uploads_dir / part.name)
    sync_file_system(settings.uploads_dir)


def _install_key(settings: Settings, key: str) -> None:
    """Make `key` that of the instance; one that it had is kept beside it."""
    path = settings.data_dir / encryption.KEY_FILE
    if settings.seal_key.get_secret_value():
        return
    if path.exists():
        if path.read_text("ascii").strip() == key:
            return
        path.replace(path.with_name(f"{path.name}.replaced"))
    replace_file(path, key.encode("ascii"))
