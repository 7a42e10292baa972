"""Two requests at the same time: the second runs while the transaction of the first is open."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import text

from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session, sessionmaker

First = TypeVar("First")
Second = TypeVar("Second")

WAITING = text(
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
)


def at_the_same_time(
    sessions: sessionmaker[Session], first: Callable[[Session], First], second: Callable[[Session], Second]
) -> tuple[First, Second]:
    """Return what both return; `first` commits once `second` has returned, or waits for a lock."""

    def run() -> Second:
        with sessions.begin() as session:
            return second(session)

    with ThreadPoolExecutor(1) as other:
        with sessions.begin() as session:
            returned = first(session)
            session.flush()
            result = other.submit(run)
            until(lambda: result.done() or is_waiting(sessions))
        return returned, result.result()


def is_waiting(sessions: sessionmaker[Session]) -> bool:
    with sessions() as session:
        return bool(session.scalar(WAITING))
