"""The table `schema_version`: which version of Casebook brought the database to which migration."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.base import Base


class SchemaVersion(Base):
    """One migration that ended an upgrade.

    Attributes:
        revision: Number of the migration, as in `alembic_version`.
        version: Version of Casebook that first upgraded to it.
    """

    __tablename__ = "schema_version"

    revision: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[str]
    applied_at: Mapped[datetime] = mapped_column(server_default=func.now())
