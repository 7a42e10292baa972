"""Machines that read evidence, with the layers of their sandbox."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base


class SandboxHost(Base):
    """One machine or container, as its workers reported it last.

    Attributes:
        name: Host name.
        kernel: Release of its kernel.
        policy: `CASEBOOK_SANDBOX` there.
        layers: `backend.sandbox.layers.Layers` as JSON.
        reported_at: Last report; workers repeat it.
    """

    __tablename__ = "sandbox_host"

    name: Mapped[str] = mapped_column(primary_key=True)
    kernel: Mapped[str]
    policy: Mapped[str]
    layers: Mapped[dict[str, Any]]
    reported_at: Mapped[datetime]
