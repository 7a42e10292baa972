"""Baselines of benchmarks: series of points, each with what the runs of one build cost."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, ForeignKey, Index, LargeBinary, Text, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt, HasId


class Baseline(HasId, HasCreatedAt, Base):
    """One series: points of one benchmark that may be compared.

    Attributes:
        project: Such as the repository.
        benchmark: Name of the load.
        machine: Class of machines, such as number and model of the CPUs.
        kernel: Release, "" where the recordings do not state it.
        team_id: Team that sees it; none: everybody.
        updated_at: When a point was last added.
    """

    __tablename__ = "baseline"
    __table_args__ = (
        UniqueConstraint(
            "project", "benchmark", "machine", "kernel", "team_id", postgresql_nulls_not_distinct=True
        ),
        Index(None, "team_id"),
    )

    project: Mapped[str]
    benchmark: Mapped[str]
    machine: Mapped[str]
    kernel: Mapped[str]
    team_id: Mapped[UUID | None] = mapped_column(ForeignKey("team.id", ondelete="RESTRICT"))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class BaselinePoint(HasId, HasCreatedAt, Base):
    """Runs of one build.

    Attributes:
        commit: That was measured; "" where not stated.
        measured_at: When the runs were recorded.
        author: Name of who added it.
        is_work_known: False when each run is one unit of work.
        comms: Threads whose samples count; empty for all.
        digests: SHA-256 (hex) of the recordings, ascending.
        runs: Number of runs.
        unit: What weights count.
        measures: Geometric mean of the runs, per unit of work, by measure: `cpu`, events, `kind.function`.
        content: Costs of the runs and their merged stacks, JSON in gzip.
    """

    __tablename__ = "baseline_point"
    __table_args__ = (Index(None, "baseline_id", "measured_at", "id"),)

    baseline_id: Mapped[UUID] = mapped_column(ForeignKey("baseline.id", ondelete="CASCADE"))
    commit: Mapped[str]
    measured_at: Mapped[datetime]
    author: Mapped[str]
    is_work_known: Mapped[bool]
    comms: Mapped[list[str]] = mapped_column(ARRAY(Text))
    digests: Mapped[list[str]] = mapped_column(ARRAY(Text))
    runs: Mapped[int]
    unit: Mapped[str]
    measures: Mapped[dict[str, Any]] = mapped_column(deferred=True)
    content: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
