"""Holding back who guesses: after a few failures for a name or from an address, each next must wait longer.

Kept in the database, so that it holds for all processes and after a restart.
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

FREE = 5
FREE_BY_ADDRESS = 50
LONGEST = timedelta(minutes=15)
FORGOTTEN = timedelta(hours=1)


def keys(name: str, address: str) -> dict[str, int]:
    """Return what failures are counted by, with how many are free: many people may share an address."""
    return {_by_name(name): FREE, f"address:{address}": FREE_BY_ADDRESS}


def check(session: Session, counted: dict[str, int]) -> None:
    """Let another attempt be made.

    Raises:
        TooManyAttemptsError: It is too early for that; the message says when.
    """
    now = datetime.now(UTC)
    for row in session.scalars(select(LoginAttempts).where(LoginAttempts.key.in_(counted))):
        over = row.failures - counted[row.key]
        if over < 0 or now - row.last_at > FORGOTTEN:
            continue
        wait = min(LONGEST, timedelta(seconds=2**over))
        left = (row.last_at + wait - now).total_seconds()
        if left > 0:
            raise TooManyAttemptsError(
                f"too many failed attempts to sign in; try again in {int(left) + 1} seconds",
                retry_after_seconds=int(left) + 1,
            )


def failed(session: Session, counted: dict[str, int]) -> None:
    """Count a failure; one that is an hour after the last begins anew."""
    now = datetime.now(UTC)
    row = insert(LoginAttempts).values(
        [{"key": key, "failures": 1, "last_at": now} for key in sorted(counted)]
    )
    is_old = LoginAttempts.last_at < now - FORGOTTEN
    failures = case((is_old, 1), else_=LoginAttempts.failures + 1)
    session.execute(
        row.on_conflict_do_update(index_elements=["key"], set_={"failures": failures, "last_at": now})
    )


def succeeded(session: Session, name: str) -> None:
    """Forget the failures for a name; those from the address stay, whoever else is at home there."""
    session.execute(delete(LoginAttempts).where(LoginAttempts.key == _by_name(name)))


def _by_name(name: str) -> str:
    """Return the key of a name, written as the database gives it back."""
    return f"name:{clean_text(name.casefold())}"
