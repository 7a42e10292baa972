"""PostgreSQL's LISTEN/NOTIFY: one asynchronous connection per process, outside the connection pool.

PostgreSQL delivers notifications in commit order, and those of one transaction in the order sent. None is
stored for a disconnected listener, so a listener must read what it may have missed after every connect.


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
"""Interval after which an idle connection is checked."""

ANSWER_SECONDS = 5.0
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
FAILURES = (psycopg.OperationalError, psycopg.InterfaceError, OSError, TimeoutError)
"""Errors of a database that is unreachable, restarting or too slow."""


def listen_conninfo(settings: Settings, sessions: sessionmaker[Session]) -> str:
    """Return the connection string for LISTEN: a direct one where `sessions` use a pooler."""
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
    """Listen until cancelled; reconnect with back-off when the connection breaks.

    `on_connected` is called after each LISTEN, `on_notification` with channel and payload, in order.
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
            logger.warning("LISTEN connection lost, reconnecting in about %.1f s: %s", pause, error)
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
    """Runs read-only statements one at a time on its own connection."""

    def __init__(self, conninfo: str) -> None:
        """Connects at first use."""
        self._conninfo = conninfo
        self._lock = asyncio.Lock()
        self._connection: Connection | None = None

    async def rows(self, statement: LiteralString, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement; a broken connection is replaced once.

        Raises:
            FAILURES: The database is unreachable or too slow.
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
                # Interrupted mid-query, the connection is unusable.
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
