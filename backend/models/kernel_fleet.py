"""Kernels of hosts: those that the evidence of cases names, and those of uploaded inventories."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class CaseKernel(Base):
    """A kernel that ran on a host of a case; derived from the facts of its evidence.

    Attributes:
        host: Name of the host, "" when the evidence names none.
        release: `uname -r`.
        build: `uname -v` and version signature, "" when unknown.
        os_id: ID of os-release, "" when unknown.
        distro: Name of the distribution, "" when unknown.
    """

    __tablename__ = "case_kernel"

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    host: Mapped[str] = mapped_column(primary_key=True)
    release: Mapped[str] = mapped_column(primary_key=True)
    build: Mapped[str]
    os_id: Mapped[str]
    distro: Mapped[str]


class Inventory(HasId, HasCreatedAt, Base):
    """A list of hosts under the name of its source, replaced as a whole.

    Attributes:
        team_id: Team that sees it; none: everybody.
        author: Who uploaded it last.
        hosts: Rows that it holds.
        rejected: Rows of the upload that could not be read.
    """

    __tablename__ = "inventory"
    __table_args__ = (
        UniqueConstraint("source", "team_id", postgresql_nulls_not_distinct=True),
        Index(None, "team_id"),
    )

    source: Mapped[str]
    team_id: Mapped[UUID | None] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    author: Mapped[str]
    hosts: Mapped[int]
    rejected: Mapped[int]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class InventoryHost(Base):
    """A host of an inventory; what the upload does not state is "".

    Attributes:
        build: `uname -v`, which names the package of Debian and Ubuntu.
    """

    __tablename__ = "inventory_host"
    __table_args__ = (Index(None, "release", "inventory_id"),)

    inventory_id: Mapped[UUID] = mapped_column(
        ForeignKey("inventory.id", ondelete="CASCADE"), primary_key=True
    )
    host: Mapped[str] = mapped_column(primary_key=True)
    release: Mapped[str]
    build: Mapped[str]
    distro: Mapped[str]
    instance_type: Mapped[str]
    cluster: Mapped[str]
