"""Readiness probes of one process: database, migrations, broker, store.

Each probe uses its own connection, outside every pool, and has a timeout. A result is cached briefly, and
concurrent requests share one run, so probing is cheap at any rate. Anyone may probe, so a result names no
address and no user; those are logged.
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
    """Result of a probe.

    Attributes:
        detail: The problem, safe for the public.
        cause: The cause, for the log.
    """

    is_ok: bool
    detail: str
    cause: str = ""


OK = Result(is_ok=True, detail="ok")


class Probe:
    """One check with a briefly cached result."""

    def __init__(self, name: str, check: Callable[[], Awaitable[Result]]) -> None:
        """Run `check` on demand, one run at a time."""
        self._name = name
        self._check = check
        self._running: asyncio.Task[Result] | None = None
        self._result = OK
        self._checked_at = -math.inf

    async def result(self) -> Result:
        """Return the result of the check, at most a few seconds old.

        A result older than one second is returned while the next check runs, so frequent probing never waits;
        one older than three seconds is not.
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
            found = _failed(f"the {self._name} did not respond within {TIMEOUT_SECONDS:.0f} seconds")
        finally:
            self._checked_at = time.monotonic()
            self._running = None
        if not found.is_ok and found.detail != self._result.detail:
            logger.warning("not ready: %s: %s", found.detail, found.cause)
        self._result = found
        return found


class Probes:
    """The readiness probes of one process, by component.

    Attributes:
        was_behind: Whether the database waited for a migration of this version when it was last looked at.
    """

    def __init__(self, settings: Settings, sessions: sessionmaker[Session], store: Store) -> None:
        """Probe the broker of `settings` and the database of `sessions`; connects on demand."""
        self._conninfo = conninfo(sessions)
        self._needed_connections = capacity.max_connections(settings)
        self._connection: psycopg.AsyncConnection[tuple[str]] | None = None
        self._connecting = asyncio.Lock()
        self.was_behind = False
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

    async def is_behind(self) -> bool:
        """Return whether the database waits for a migration of this version."""
        await self._all["migrations"].result()
        return self.was_behind

    async def close(self) -> None:
        """Close the connections."""
        await self._broker.aclose()
        if self._connection is not None:
            await self._connection.close()

    async def _check_database(self) -> Result:
        return await self._query("select '1'", lambda _: OK)

    async def _check_migrations(self) -> Result:
        return await self._query("select version_num from alembic_version", self._judge_version)

    def _judge_version(self, version: str) -> Result:
        """Return whether this code works with the tables of a migration; newer ones are compatible."""
        self.was_behind = migrate.is_behind(version)
        if self.was_behind:
            return _failed(
                f"the database is at migration {version}, this is {migrate.head()}: run `casebook migrate`"
            )
        return OK

    async def _query(self, query: str, judge: Callable[[str], Result]) -> Result:
        """Return the judgement of `judge` on the result of `query`."""
        # The timeout includes the wait for the lock, so the two database probes cannot add up.
        async with self._connecting:
            try:
                connection = await self._connected()
                cursor = await connection.execute(query)
                row = await cursor.fetchone()
            except psycopg.errors.UndefinedTable:
                return _failed("the database has no tables yet; run `casebook migrate`")
            except psycopg.Error as error:
                await self._forget_connection()
                return _failed("the database is unavailable", error)
            except asyncio.CancelledError:
                await self._forget_connection()
                raise
        return judge(row[0] if row else "")

    async def _connected(self) -> psycopg.AsyncConnection[tuple[str]]:
        """Return the connection; a new one checks that `max_connections` suffices for all processes."""
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
                "PostgreSQL allows %d connections (max_connections), API processes and workers may need %d: "
                "raise it, or requests fail with 503 under load",
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
            return _failed("the broker is unavailable", error)
        return OK

    async def _check_store(self) -> Result:
        try:
            await anyio.to_thread.run_sync(
                self._store.check, limiter=self._store_thread, abandon_on_cancel=True
            )
        except CasebookError as error:
            return _failed("the object store is unavailable", error)
        return OK


def _failed(detail: str, error: Exception | None = None) -> Result:
    return Result(is_ok=False, detail=detail, cause="" if error is None else str(error).partition("\n")[0])
