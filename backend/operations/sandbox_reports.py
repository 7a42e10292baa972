"""Reports of sandboxes: each worker states the layers of its machine at startup and while it lives."""

from __future__ import annotations

import logging
import os
import socket
import threading
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from backend.core.sessions import create_sessions
from backend.models.sandbox_host import SandboxHost
from backend.operations.schemas import SandboxStatus
from backend.sandbox.layers import Layers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

REPEAT_SECONDS = 60.0
FORGET_AFTER = timedelta(minutes=10)


def report(session: Session, layers: Layers, *, policy: str) -> None:
    """Store the layers of this machine, and remove machines that no longer report."""
    now = datetime.now(UTC)
    row = {
        "kernel": os.uname().release,
        "policy": policy,
        "layers": asdict(layers),
        "reported_at": now,
    }
    made = insert(SandboxHost).values(name=socket.gethostname(), **row)
    session.execute(made.on_conflict_do_update(index_elements=["name"], set_=row))
    session.execute(delete(SandboxHost).where(SandboxHost.reported_at < now - FORGET_AFTER))


def hosts(session: Session) -> Sequence[SandboxHost]:
    """Return the machines that reported lately, by name."""
    lately = SandboxHost.reported_at > datetime.now(UTC) - FORGET_AFTER
    return session.scalars(select(SandboxHost).where(lately).order_by(SandboxHost.name)).all()


def layers_of(host: SandboxHost) -> Layers:
    """Return the layers of a machine."""
    return Layers(**host.layers)


def describe(host: SandboxHost) -> SandboxStatus:
    """Return the API representation of the sandbox of a machine."""
    layers = layers_of(host)
    return SandboxStatus(
        host=host.name,
        kernel=host.kernel,
        policy="required" if host.policy == "required" else "best",
        files="landlock" if layers.landlock else "mount namespace",
        landlock=layers.landlock,
        network_namespace=layers.network,
        seccomp=layers.calls,
        is_complete=layers.is_complete,
        missing=layers.missing(),
        reported_at=host.reported_at,
    )


def keep_reporting(settings: Settings, layers: Layers) -> None:
    """Report the layers of this machine now and, in a thread, as long as this process lives."""
    if layers.is_complete:
        logger.info("sandbox: %s", layers.describe())
    else:
        logger.warning("sandbox: %s", layers.describe())
    thread = threading.Thread(target=_repeat, args=(settings, layers), name="sandbox-reports", daemon=True)
    thread.start()


def _repeat(settings: Settings, layers: Layers) -> None:
    pause = threading.Event()
    sessions = create_sessions(settings, pool_size=1)
    while True:
        try:
            with sessions.begin() as session:
                report(session, layers, policy=settings.sandbox)
            # A connection for one statement a minute would be idle in the budget of PostgreSQL.
            sessions.kw["bind"].dispose()
        except SQLAlchemyError as error:
            logger.warning("the sandbox was not reported: the database is away: %s", error)
        pause.wait(REPEAT_SECONDS)
