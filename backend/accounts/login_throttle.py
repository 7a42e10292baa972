"""Login throttling: after a few failures per name or IP address, the delay doubles with each further failure.

Stored in the database, so it applies to all processes and survives a restart.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import case, delete, select
from sqlalchemy.dialects.postgresql import insert

from backend.core.db.base import clean_text
from backend.core.errors import TooManyAttemptsError
from backend.models.invitation import LoginAttempts

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

FREE_PER_NAME = 5
FREE_PER_ADDRESS = 50
MAX_DELAY = timedelta(minutes=15)
RESET_AFTER = timedelta(hours=1)


def keys(name: str, address: str) -> dict[str, int]:
    """Return the counter keys and the free failures of each: many people may share an IP address."""
    return {_by_name(name): FREE_PER_NAME, f"address:{address}": FREE_PER_ADDRESS}


def check(session: Session, counted: dict[str, int]) -> None:
    """Refuse an attempt that comes too early.

    Raises:
        TooManyAttemptsError: The delay has not passed; the message states the remaining seconds.
    """
    now = datetime.now(UTC)
    for row in session.scalars(select(LoginAttempts).where(LoginAttempts.key.in_(counted))):
        excess = row.failures - counted[row.key]
        if excess < 0 or now - row.last_at > RESET_AFTER:
            continue
        wait = min(MAX_DELAY, timedelta(seconds=2**excess))
        remaining = (row.last_at + wait - now).total_seconds()
        if remaining > 0:
            raise TooManyAttemptsError(
                f"too many failed attempts to sign in; try again in {int(remaining) + 1} seconds",
                retry_after_seconds=int(remaining) + 1,
            )


def record_failure(session: Session, counted: dict[str, int]) -> None:
    """Count a failure; after an hour without one the count restarts at 1."""
    now = datetime.now(UTC)
    row = insert(LoginAttempts).values(
        [{"key": key, "failures": 1, "last_at": now} for key in sorted(counted)]
    )
    is_old = LoginAttempts.last_at < now - RESET_AFTER
    failures = case((is_old, 1), else_=LoginAttempts.failures + 1)
    session.execute(
        row.on_conflict_do_update(index_elements=["key"], set_={"failures": failures, "last_at": now})
    )


def clear_failures(session: Session, name: str) -> None:
    """Clear the failures of a name; those of the IP address remain, since others may share it."""
    session.execute(delete(LoginAttempts).where(LoginAttempts.key == _by_name(name)))


def _by_name(name: str) -> str:
    """Return the key of a name, cleaned as the database stores it."""
    return f"name:{clean_text(name.casefold())}"
