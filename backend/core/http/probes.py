"""Readiness probes of one process: database, migrations, broker, store.

Each probe uses a connection of its own, outside every pool, and is bounded in time. A result is kept for a
moment, and probes that are asked for at the same time run once, so asking costs nothing however often it is
done. Who asks is anybody, so a result names no address and no user; those are logged, once.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
import psycopg
from valkey.asyncio import Valkey
from valkey.exceptions import ValkeyError

from backend.core import capacity
from backend.core.db import migrate
from backend.core.db.engine import conninfo
from backend.core.errors import CasebookError
from backend.core.http.rate_limits import client_url

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

logger = logging.getLogger(__name__)

KEEP_SECONDS = 1.0
STALE_SECONDS = 3.0
TIMEOUT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Result:
    """What a probe found.

    Attributes:
        detail: What is wrong, for anybody.
        cause: Why, for the log.
    """

    is_ok: bool
    detail: str
    cause: str = ""


OK = Result(is_ok=True, detail="ok")


class Probe:
    """One check, its result kept for a moment."""

    def __init__(self, name: str, check: Callable[[], Awaitable[Result]]) -> None:
        """Run `check` when asked, at most once at a time."""
        self._name = name
        self._check = check
        self._running: asyncio.Task[Result] | None = None
        self._result = OK
        self._checked_at = -math.inf

    async def result(self) -> Result:
        """Return what the check says now, or said within the last seconds.

        A result older than a second is returned once more while the next check runs, so that whoever asks
        often never waits; one older than three seconds is not.
        """
        age_seconds = time.monotonic() - self._checked_at
        if age_seconds > KEEP_SECONDS and self._running is None:
            self._running = asyncio.create_task(self._run())
        if age_seconds <= STALE_SECONDS or self._running is None:
            return self._result
        return await asyncio.shield(self._running)

    async def _run(self) -> Result:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                found = await self._check()
        except TimeoutError:
            found = _failed(f"the {self._name} did not answer within {TIMEOUT_SECONDS:.0f} seconds")
        finally:
            self._checked_at = time.monotonic()
            self._running = None
        if not found.is_ok and found.detail != self._result.detail:
            logger.warning("not ready: %s: %s", found.detail, found.cause)
        self._result = found
        return found


class Probes:
    """The probes of one process, by component."""

    def __init__(self, settings: Settings, sessions: sessionmaker[Session], store: Store) -> None:
        """Probe the broker of `settings` and the database of `sessions`; connections open when needed."""
        self._conninfo = conninfo(sessions)
        self._needed_connections = capacity.max_connections(settings)
        self._connection: psycopg.AsyncConnection[tuple[str]] | None = None
        self._connecting = asyncio.Lock()
        self._broker = Valkey.from_url(
            client_url(settings.effective_broker_url),
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            single_connection_client=True,
        )
        self._store = store
        self._store_thread = anyio.CapacityLimiter(1)
        self.database = Probe("database", self._check_database)
        self._all = {
            "database": self.database,
            "migrations": Probe("database", self._check_migrations),
            "broker": Probe("broker", self._check_broker),
            "store": Probe("store", self._check_store),
        }

    async def results(self) -> dict[str, Result]:
        """Return the result of every probe, by component."""
        results = await asyncio.gather(*(probe.result() for probe in self._all.values()))
        return dict(zip(self._all, results, strict=True))

    async def close(self) -> None:
        """Close the connections."""
        await self._broker.aclose()
        if self._connection is not None:
            await self._connection.close()

    async def _check_database(self) -> Result:
        return await self._ask("select '1'", lambda _: OK)

    async def _check_migrations(self) -> Result:
        return await self._ask("select version_num from alembic_version", _judge_version)

    async def _ask(self, query: str, judge: Callable[[str], Result]) -> Result:
        """Return what `judge` says of the answer to `query`."""
        # The timeout covers the wait for the lock, so the two probes of the database cannot add up.
        async with self._connecting:
            try:
                connection = await self._connected()
                cursor = await connection.execute(query)
                row = await cursor.fetchone()
            except psycopg.errors.UndefinedTable:
                return _failed("the database has no tables yet; run `casebook migrate`")
            except psycopg.Error as error:
                await self._forget_connection()
                return _failed("the database is away", error)
            except asyncio.CancelledError:
                await self._forget_connection()
                raise
        return judge(row[0] if row else "")

    async def _connected(self) -> psycopg.AsyncConnection[tuple[str]]:
        """Return the connection; a new one is asked whether there are enough for all processes."""
        if self._connection is not None and not self._connection.closed:
            return self._connection
        self._connection = await psycopg.AsyncConnection.connect(
            self._conninfo, autocommit=True, application_name="casebook health"
        )
        cursor = await self._connection.execute("select current_setting('max_connections')")
        row = await cursor.fetchone()
        allowed = int(row[0]) if row else 0
        if allowed < self._needed_connections:
            logger.warning(
                "PostgreSQL allows %d connections (max_connections); API processes and workers may need %d: "
                "raise it, or requests are answered 503 under load",
                allowed,
                self._needed_connections,
            )
        return self._connection

    async def _forget_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _check_broker(self) -> Result:
        try:
            await self._broker.ping()
        except (ValkeyError, OSError) as error:
            return _failed("the broker is away", error)
        return OK

    async def _check_store(self) -> Result:
        try:
            await anyio.to_thread.run_sync(
                self._store.check, limiter=self._store_thread, abandon_on_cancel=True
            )
        except CasebookError as error:
            return _failed("the store is away", error)
        return OK


def _judge_version(version: str) -> Result:
    """Say whether this code can work with the tables of a migration; a newer one stays compatible."""
    if migrate.is_behind(version):
        return _failed(
            f"the database is at migration {version}, this is {migrate.head()}: run `casebook migrate`"
        )
    return OK


def _failed(detail: str, error: Exception | None = None) -> Result:
    return Result(is_ok=False, detail=detail, cause="" if error is None else str(error).partition("\n")[0])
