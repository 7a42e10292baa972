"""Fence of the job table: only workers of this instance, generation and version claim jobs and end them.

A worker states the identity of its data directory, as it was when the worker started, and the latest
migration of its code. Every statement that claims a job, renews its lease or ends it requires that the
database has both. So a worker of an older version stops as soon as the migration has run, and a worker of
another data directory, of a copy or of the time before a restore never begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from backend.core.db import migrate
from backend.core.db.instance import Identity, identity_in, identity_of
from backend.core.errors import WorkerFencedError

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy import Connection, TextClause
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

KEY = "claimant"
"""Key of the claimant in the `info` of sessions."""


def _condition(parameter: str) -> str:
    """Return the condition on the database, with named parameters written like `parameter`."""
    instance, generation, revision = (
        parameter.format(f"fence_{name}") for name in ("instance", "generation", "revision")
    )
    return (
        f"exists (select from instance, alembic_version where instance.id = {instance} "
        f"and instance.generation = {generation} and alembic_version.version_num = {revision})"
    )


FITS = _condition(":{}")
FITS_PSYCOPG = _condition("%({})s")
"""SQL that is true for a worker that may claim and end jobs, for SQLAlchemy and for psycopg."""


@dataclass(frozen=True, slots=True)
class Claimant:
    """What a worker states with every claim.

    Attributes:
        data_dir: Its data directory, for messages.
        identity: Identity of that directory when the worker started; None for none or a copy.
    """

    data_dir: Path
    identity: Identity | None

    @classmethod
    def of(cls, settings: Settings) -> Claimant:
        """Return what a worker with `settings` that starts now states."""
        return cls(settings.data_dir, identity_of(settings.data_dir))

    @property
    def generation(self) -> UUID | None:
        """Generation of its identity."""
        return self.identity.generation if self.identity else None

    @property
    def values(self) -> dict[str, Any]:
        """Parameters of `FITS`."""
        return {
            "fence_instance": self.identity.id if self.identity else None,
            "fence_generation": self.generation,
            "fence_revision": migrate.head(),
        }

    def fits(self) -> TextClause:
        """Return the condition `FITS` with its parameters."""
        return text(FITS).bindparams(**self.values)

    def require(self, connection: Connection) -> None:
        """Require that this worker may claim jobs of the database.

        Raises:
            WorkerFencedError: It may not; the message states why, in one sentence.
            DatabaseTooNewError: A newer version migrated the database.
        """
        migrate.require_known(connection)
        revision = migrate.revision_of(connection)
        if revision != migrate.head():
            raise WorkerFencedError(
                f"the database is at migration {revision or 'none'} and this worker needs "
                f"{migrate.head()}: run `casebook migrate` of this version"
            )
        current = identity_in(connection)
        if self.identity == current and current is not None:
            return
        raise WorkerFencedError(f"{self._mismatch(current)}; this worker claims no jobs of it")

    def _mismatch(self, current: Identity | None) -> str:
        if current is None:
            return "the database belongs to no instance: run `casebook migrate`"
        if self.identity is None:
            return (
                f"the data directory {self.data_dir} is not that of the database "
                "(it is new, or a copy): share the data directory of the service, see CASEBOOK_DATA_DIR"
            )
        if self.identity.id != current.id:
            return f"the data directory {self.data_dir} belongs to another instance than the database"
        return (
            "the service was restarted or restored, or another data directory took over, "
            f"since this worker started with {self.data_dir}: start it again"
        )


def claimant_of(sessions: sessionmaker[Session]) -> Claimant:
    """Return what workers state that use `sessions`."""
    claimant: Claimant = sessions.kw["info"][KEY]
    return claimant
