"""Sessions of one transaction that ends with the test, and the jobs they would have sent."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.orm import sessionmaker

from backend.core.sessions import session_info, watch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine
    from sqlalchemy.orm import Session

    from backend.core.jobs.queue import PendingPermit
    from backend.core.settings import Settings


class Sent(list["PendingPermit"]):
    """Stands where the broker is: takes jobs, carries them nowhere."""

    def send(self, jobs: list[PendingPermit]) -> None:
        self.extend(jobs)


def as_owner(session: Session) -> None:
    """Act as the owner of the tables until the transaction ends, which the application cannot."""
    session.execute(text("set local role casebook"))


@contextmanager
def rolled_back(engine: Engine, sent: Sent, settings: Settings) -> Iterator[sessionmaker[Session]]:
    """Yield sessions of one transaction, which is rolled back at the end."""
    with engine.connect() as connection:
        outer = connection.begin()
        yield _sessions_on(connection, sent, settings)
        outer.rollback()


@contextmanager
def rolled_back_within(
    outer: sessionmaker[Session], sent: Sent, settings: Settings
) -> Iterator[sessionmaker[Session]]:
    """Yield sessions of a savepoint in the transaction of `outer`, which is rolled back at the end."""
    connection = outer.kw["bind"]
    savepoint = connection.begin_nested()
    yield _sessions_on(connection, sent, settings)
    savepoint.rollback()


def _sessions_on(connection: Connection, sent: Sent, settings: Settings) -> sessionmaker[Session]:
    info = session_info(settings, sent)
    sessions = sessionmaker(connection, join_transaction_mode="create_savepoint", info=info)
    watch(sessions)
    return sessions
