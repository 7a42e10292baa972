"""Login throttling: after a few failures the delay before the next attempt doubles with each further one.

    limit                          free   counts
    credential at an address          5   attempts at one name from one IP address (IPv6: /64)
    address                          50   attempts at any name from there
    known device                     10   attempts from a browser that signed in to this account before
    session                           5   confirmations of one browser session

Nobody can lock others out: there is no count by name alone, and a known device is counted by itself, whatever
happens at its address (`backend.accounts.known_devices`). An attempt is counted and committed before the
credential is checked, so parallel attempts cannot exceed a limit; a success takes it back. Stored in the
database: it applies to all processes and survives a restart. Secrets of 256 random bits are not throttled.

Source: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
"""

from __future__ import annotations

import hashlib
import math
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Interval, case, cast, delete, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from backend.core.db.base import clean_text
from backend.core.errors import CodeNeededError, TooManyAttemptsError
from backend.core.http.rate_limit_keys import network_of
from backend.models.invitation import LoginAttempts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

FREE_PER_CREDENTIAL = 5
FREE_PER_ADDRESS = 50
FREE_PER_DEVICE = 10
FREE_PER_SESSION = 5
FIRST_DELAY = timedelta(seconds=1)
MAX_DELAY = timedelta(minutes=15)
RESET_AFTER = timedelta(hours=1)
MAX_DOUBLINGS = 10
"""The first delay, doubled as often, exceeds the longest."""


class Limit(NamedTuple):
    """One counter, and the failures after which it delays.

    Attributes:
        is_shared: Others may share it: a success takes back only its own attempt.
    """

    key: str
    free: int
    is_shared: bool = False


def of_client(name: str, address: str) -> list[Limit]:
    """Return the limits of a client that the account does not know, which may have any name."""
    network = network_of(address)
    digest = hashlib.sha256(clean_text(name.casefold()).encode()).hexdigest()
    return [
        Limit(f"name:{digest}@{network}", FREE_PER_CREDENTIAL),
        Limit(f"address:{network}", FREE_PER_ADDRESS, is_shared=True),
    ]


def of_device(device_id: UUID) -> list[Limit]:
    """Return the limit of a known device."""
    return [Limit(f"device:{device_id}", FREE_PER_DEVICE)]


def of_session(token_id: UUID) -> list[Limit]:
    """Return the limit of a browser session."""
    return [Limit(f"session:{token_id}", FREE_PER_SESSION)]


@contextmanager
def attempt(session: Session, limits: Sequence[Limit]) -> Iterator[None]:
    """Count an attempt at a credential, commit the count, and take it back if the block succeeds.

    A right password without the code of the authenticator is no failure either, but forgives none: else
    whoever knows the password could guess codes without end.

    Raises:
        TooManyAttemptsError: It comes too early; nothing was counted.
    """
    count(session, limits)
    session.commit()
    try:
        yield
    except CodeNeededError:
        session.rollback()
        take_back(session, limits)
        session.commit()
        raise
    forgive(session, limits)


def count(session: Session, limits: Sequence[Limit]) -> None:
    """Count one attempt by every limit, in the transaction of `session`.

    Raises:
        TooManyAttemptsError: One delays it; the message states the remaining seconds. Roll back.
    """
    for limit in sorted(limits):
        is_old = LoginAttempts.last_at < func.clock_timestamp() - RESET_AFTER
        row = insert(LoginAttempts).values(key=limit.key, failures=1, last_at=func.clock_timestamp())
        counted = row.on_conflict_do_update(
            index_elements=["key"],
            set_={
                "failures": case((is_old, 1), else_=LoginAttempts.failures + 1),
                "last_at": func.clock_timestamp(),
            },
            where=or_(is_old, free_at(limit) <= func.clock_timestamp()),
        )
        if session.scalar(counted.returning(LoginAttempts.key)) is None:
            raise _refusal(session, limit)


def forgive(session: Session, limits: Sequence[Limit]) -> None:
    """Take back an attempt: clear the limits of this client, lower those that others share."""
    for limit in sorted(limits):
        if limit.is_shared:
            take_back(session, [limit])
        else:
            session.execute(delete(LoginAttempts).where(LoginAttempts.key == limit.key))


def take_back(session: Session, limits: Sequence[Limit]) -> None:
    """Take back one attempt, and leave the failures before it."""
    less = func.greatest(LoginAttempts.failures - 1, 0)
    for limit in sorted(limits):
        row = LoginAttempts.key == limit.key
        session.execute(update(LoginAttempts).where(row).values(failures=less))


def remove_old(session: Session) -> int:
    """Remove counters that no longer delay anything; return their number."""
    old = delete(LoginAttempts).where(LoginAttempts.last_at < datetime.now(UTC) - RESET_AFTER)
    return len(session.scalars(old.returning(LoginAttempts.key)).all())


def free_at(limit: Limit) -> ColumnElement[datetime]:
    """Return when the next attempt is allowed, for a row of `LoginAttempts`."""
    excess = LoginAttempts.failures - limit.free
    doubled = func.power(2, func.least(excess, MAX_DOUBLINGS)) * cast(literal(FIRST_DELAY), Interval)
    wait = func.least(cast(literal(MAX_DELAY), Interval), doubled)
    return case((excess < 0, LoginAttempts.last_at), else_=LoginAttempts.last_at + wait)


def _refusal(session: Session, limit: Limit) -> TooManyAttemptsError:
    left = func.extract("epoch", free_at(limit) - func.clock_timestamp())
    seconds = session.scalar(select(left).where(LoginAttempts.key == limit.key)) or 0
    wait = max(1, math.ceil(seconds))
    return TooManyAttemptsError(
        f"too many failed attempts to sign in; try again in {wait} seconds", retry_after_seconds=wait
    )
