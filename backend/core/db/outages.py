"""Transactions that outlast a restart of the database.

outlast(lambda: give_back(sessions, job), seconds=30)
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

import psycopg
from sqlalchemy.exc import DBAPIError

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 1.0
AWAY = ("08", "57P")
"""Beginnings of SQLSTATE of a server that is shutting down, starting, or whose connection broke.

Source: https://www.postgresql.org/docs/18/errcodes-appendix.html
"""


def is_outage(error: BaseException) -> bool:
    """Return whether `error` says that the database is away, and nothing about the statement."""
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated or isinstance(error.orig, psycopg.InterfaceError):
        return True
    # The client's own errors of connecting have no SQLSTATE.
    state = error.orig.sqlstate or AWAY[0] if isinstance(error.orig, psycopg.OperationalError) else ""
    return state.startswith(AWAY)


def outlast(work: Callable[[], Result], *, seconds: float) -> Result:
    """Return the result of `work`, a transaction, begun again for up to `seconds` while the database is away.

    One that was committed, and whose answer was lost, runs twice: `work` must allow for it.

    Raises:
        DBAPIError: The database is away for longer, or refuses `work`.
    """
    deadline = time.monotonic() + seconds
    pause = FIRST_PAUSE_SECONDS
    while True:
        try:
            return work()
        except DBAPIError as error:
            if not is_outage(error) or time.monotonic() + pause > deadline:
                raise
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
