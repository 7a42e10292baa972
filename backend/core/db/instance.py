"""Identity of an instance: which data directory and database belong together, and since when.

The data directory has it in `instance.json`, the database in the table `instance`:

    {"instance": "5f0c…", "generation": "b81e…", "inode": 1310771}

`instance` is the id of the data, for its whole life. `generation` changes whenever an earlier process could
still be at work on what is no longer its own: with each start of an embedded instance, with a restore, and
when another data directory takes over a database. Generations are random, so that two copies never have the
same one. A copy of the file has another inode number and is no identity.

Jobs are claimed and ended by the current generation alone, see `backend.core.jobs.fence`.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID, uuid4

from sqlalchemy import delete, insert, select, text
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.base import Base
from backend.core.errors import DataDirectoryError
from backend.core.layout import make_private_dir

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from backend.core.settings import Settings

FILE = "instance.json"
ENDING_SECONDS = 2.0
"""How long a connection that was closed may be listed; PostgreSQL waits longer before it drops a database."""


class Instance(Base):
    """The identity in the database: one row."""

    __tablename__ = "instance"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    generation: Mapped[UUID]


class Identity(NamedTuple):
    """Id of an instance, and its generation."""

    id: UUID
    generation: UUID


def identity_of(data_dir: Path) -> Identity | None:
    """Return the identity of a data directory; None without a file, or for a copy."""
    path = data_dir / FILE
    try:
        with path.open("rb") as stream:
            found = json.load(stream)
            inode = os.fstat(stream.fileno()).st_ino
        return (
            Identity(UUID(found["instance"]), UUID(found["generation"])) if found["inode"] == inode else None
        )
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None


def identity_in(connection: Connection) -> Identity | None:
    """Return the identity of the database; None before the first start."""
    row = connection.execute(select(Instance.id, Instance.generation)).one_or_none()
    return Identity(*row) if row is not None else None


def establish(connection: Connection, settings: Settings, *, renews: bool = False) -> None:
    """Make the data directory of `settings` that of the database, in the transaction of `connection`.

    A data directory that is not the database's takes it over with a new generation, once nobody is at work on
    it. `renews` begins a new generation in any case.

    Raises:
        DataDirectoryError: The database belongs to another data directory, whose service runs.
    """
    own, current = identity_of(settings.data_dir), identity_in(connection)
    if own == current and own is not None and not renews:
        return
    if own != current and current is not None and not renews and (others := other_connections(connection)):
        raise DataDirectoryError(
            f"the database belongs to another data directory than {settings.data_dir}, and its service is "
            f"running ({others} connections): use that data directory, or stop the service first"
        )
    identity = Identity(current.id if current else uuid4(), uuid4())
    connection.execute(delete(Instance))
    connection.execute(insert(Instance).values(id=identity.id, generation=identity.generation))
    _write(settings.data_dir, identity)


def other_connections(connection: Connection) -> int:
    """Return the number of connections of Casebook's processes to this database, without this one.

    Connections that just ended are waited for.
    """
    others = text(
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and pid <> pg_backend_pid() and application_name like 'casebook%'"
    )
    deadline = time.monotonic() + ENDING_SECONDS
    while (count := connection.scalar(others) or 0) and time.monotonic() < deadline:
        time.sleep(0.02)
        # Else the view stays as it is until the transaction ends.
        connection.execute(text("select pg_stat_clear_snapshot()"))
    return count


def _write(data_dir: Path, identity: Identity) -> None:
    """Replace the file atomically; it states the inode number that it keeps when it is renamed."""
    partial = make_private_dir(data_dir) / f".{FILE}.{identity.generation}"
    try:
        with partial.open("x", encoding="ascii") as stream:
            document = {"instance": str(identity.id), "generation": str(identity.generation)}
            json.dump(document | {"inode": os.fstat(stream.fileno()).st_ino}, stream)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(data_dir / FILE)
    finally:
        partial.unlink(missing_ok=True)
