"""PostgreSQL's LISTEN/NOTIFY: one asynchronous connection per process, outside the connection pool.

PostgreSQL delivers the notifications of all transactions in the order of their commits, and those of one
transaction in the order in which they were sent. None is kept for a connection that is away, so whoever
listens reads again what it may have missed after every connection.

Source: https://www.postgresql.org/docs/18/sql-notify.html
"""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING, Any, LiteralString

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from backend.core.db.engine import conninfo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings

    Connection = psycopg.AsyncConnection[tuple[Any, ...]]

logger = logging.getLogger(__name__)

PROBE_SECONDS = 10.0
"""After so long without a notification the connection is asked whether it lives."""

ANSWER_SECONDS = 5.0
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
FAILURES = (psycopg.OperationalError, psycopg.InterfaceError, OSError, TimeoutError)
"""What a database that is away, restarting or too slow raises."""


def listen_conninfo(settings: Settings, sessions: sessionmaker[Session]) -> str:
    """Return where to listen: the database of `sessions`, unless it is reached by a pooler that cannot."""
    if settings.database_listen_url:
        url = make_url(settings.database_listen_url).set(drivername="postgresql")
        return url.render_as_string(hide_password=False)
    return conninfo(sessions)


async def listen(
    conninfo: str,
    channels: Sequence[str],
    *,
    on_connected: Callable[[], None],
    on_notification: Callable[[str, str], None],
) -> None:
    """Listen until cancelled, and connect again with back-off whenever the connection breaks.

    `on_connected` is called each time LISTEN holds, `on_notification` with channel and payload, in order.
    """
    pause = FIRST_PAUSE_SECONDS
    while True:
        try:
            async with await _connect(conninfo) as connection:
                for channel in channels:
                    await connection.execute(sql.SQL("listen {}").format(sql.Identifier(channel)))
                pause = FIRST_PAUSE_SECONDS
                on_connected()
                while True:
                    async for notification in connection.notifies(timeout=PROBE_SECONDS):
                        on_notification(notification.channel, notification.payload)
                    async with asyncio.timeout(ANSWER_SECONDS):
                        await connection.execute("select 1")
        except FAILURES as error:
            logger.warning("LISTEN broke, connecting again in about %.1f s: %s", pause, error)
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads processes, hides nothing
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


async def _connect(conninfo: str) -> Connection:
    return await psycopg.AsyncConnection.connect(
        conninfo,
        autocommit=True,
        application_name="casebook-events",
        connect_timeout=5,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
        tcp_user_timeout=15_000,
        options="-c timezone=UTC",
    )


class Reader:
    """Runs reading statements one after the other on a connection of its own."""

    def __init__(self, conninfo: str) -> None:
        """Prepare; it connects when first used."""
        self._conninfo = conninfo
        self._lock = asyncio.Lock()
        self._connection: Connection | None = None

    async def rows(self, statement: LiteralString, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement; a connection that broke since its last use is replaced once.

        Raises:
            FAILURES: The database is away or too slow.
        """
        async with self._lock:
            is_fresh = self._connection is None
            try:
                return await self._rows(statement, values)
            except (psycopg.OperationalError, psycopg.InterfaceError):
                await self._drop()
                if is_fresh:
                    raise
                return await self._rows(statement, values)
            except BaseException:
                # Cut off in the middle, the connection is of no use to the next.
                await self._drop()
                raise

    async def close(self) -> None:
        """Close the connection."""
        async with self._lock:
            await self._drop()

    async def _rows(self, statement: LiteralString, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        async with asyncio.timeout(ANSWER_SECONDS):
            if self._connection is None:
                self._connection = await _connect(self._conninfo)
            cursor = await self._connection.execute(statement, values)
            return await cursor.fetchall()

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
