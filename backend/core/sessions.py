"""Database sessions: one engine per process, one transaction per request, committed before the response."""

from __future__ import annotations

from collections.abc import Iterator  # noqa: TC003 - FastAPI reads the annotations of a dependency
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - same
from sqlalchemy.orm import Session, sessionmaker

from backend.core import audit, capacity, derived_rows, events, outbox
from backend.core.audit_chain import AuditKey
from backend.core.db.engine import POOL_SIZE, create_engine
from backend.core.jobs import fence, queue

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from backend.core.settings import Settings


def create_sessions(settings: Settings, *, pool_size: int = POOL_SIZE) -> sessionmaker[Session]:
    """Return a session factory: jobs are sent after commit, events are written with it."""
    return _sessions_of(settings, create_engine(settings, pool_size=pool_size))


def create_api_sessions(settings: Settings) -> sessionmaker[Session]:
    """Return the session factory of one API process, with a pool that fits its threads."""
    pool_size = settings.api_threads
    engine = create_engine(
        settings,
        pool_size=pool_size,
        max_overflow=capacity.pool_size(settings.api_threads) - pool_size,
        pool_timeout_seconds=capacity.POOL_TIMEOUT_SECONDS,
    )
    return _sessions_of(settings, engine)


def _sessions_of(settings: Settings, engine: Engine) -> sessionmaker[Session]:
    sessions = sessionmaker(engine, info=session_info(settings, queue.Sender(settings, engine)))
    watch(sessions)
    return sessions


def session_info(settings: Settings, sender: object) -> dict[str, object]:
    """Return what sessions of a factory carry: sender and claimant of jobs, and the key of the audit log."""
    return {"sender": sender, fence.KEY: fence.Claimant.of(settings), audit.KEY: AuditKey(settings)}


def watch(sessions: sessionmaker[Session]) -> None:
    """Have sessions of `sessions` write derived rows, events, outbox and audit entries, and send jobs."""
    derived_rows.watch(sessions)
    events.watch(sessions)
    outbox.watch(sessions)
    audit.watch(sessions)
    queue.watch(sessions)


def get_session(request: Request) -> Iterator[Session]:
    """Yield the session of a request: committed when the route returns, rolled back when it raises.

    Depend on it with `scope="function"`, or the commit follows the response.
    """
    sessions: sessionmaker[Session] = request.app.state.sessions
    with sessions() as session:
        yield session
        session.commit()
