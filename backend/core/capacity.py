"""Capacity of one API process: threads, database connections, and how many requests may be at work.

    requests at work  =  threads  <  connection pool  <  max_connections of PostgreSQL over all processes

A request at work uses one thread and at most two connections at a time: its own session, and a second one
for what commits by itself (the last use of a token, jobs noted as sent). The pool has two for each request
at work, so no request waits for a connection that another one holds while it waits for a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backend.core.settings import Settings

CONNECTIONS_PER_REQUEST = 2
SPARE_CONNECTIONS = 4
"""For what is no request at work, such as reading events for listeners."""

POOL_TIMEOUT_SECONDS = 2.0
"""How long a request waits for a connection of the pool; then it is answered 503."""

DEDICATED_CONNECTIONS = 2
"""Outside the pool: one for the health checks, one that listens for events."""

CONNECTIONS_PER_JOB = 4
"""What a worker opens for each job that it does at a time: its sessions, and the renewal of the lease."""

OTHER_CONNECTIONS = 28
"""For the reaper, commands beside the service, and those PostgreSQL reserves for superusers."""

QUEUE_LENGTH = 256
"""Requests of one process that wait for their turn."""

QUEUE_SECONDS = 2.0
"""How long a request waits for its turn; then it is answered 503."""

STREAM_QUEUE_SECONDS = 20.0
"""How long the beginning of an event stream waits for its turn: a browser that is refused asks no more."""

MAX_LISTENERS = 1000
"""Event streams of one process. They use no thread and no connection while they wait."""

MAX_BODIES = 256
"""Requests of one process whose body is being received."""

MAX_BODY_MEMORY_BYTES = 256 << 20
"""Bytes of bodies that one process holds in memory while they are received; files are streamed to disk."""

RETRY_AFTER_SECONDS = 2


def pool_size(threads: int) -> int:
    """Return the most connections that the pool of a process with so many threads opens."""
    return CONNECTIONS_PER_REQUEST * threads + SPARE_CONNECTIONS


def database_connections(settings: Settings) -> int:
    """Return the most connections that all API processes of `settings` open together."""
    return settings.api_processes * (pool_size(settings.api_threads) + DEDICATED_CONNECTIONS)


def max_connections(settings: Settings) -> int:
    """Return the `max_connections` that PostgreSQL needs for `settings`."""
    jobs = settings.light_workers + settings.heavy_workers
    return database_connections(settings) + CONNECTIONS_PER_JOB * jobs + OTHER_CONNECTIONS
