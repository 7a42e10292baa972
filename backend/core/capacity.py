"""Capacity of one API process: threads, database connections, concurrent requests.

    requests at work  =  threads  <  connection pool  <  max_connections of PostgreSQL over all processes

A request at work uses one thread and at most two connections at a time: its own session, and a second one
for independent commits (last use of a token, jobs marked as sent). The pool has two for each request at work,
so no request waits for a connection held by another that waits for its second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backend.core.settings import Settings

CONNECTIONS_PER_REQUEST = 2
SPARE_CONNECTIONS = 4
"""Connections for background work, such as reading events for listeners."""

POOL_TIMEOUT_SECONDS = 2.0
"""Longest wait for a connection of the pool; then 503."""

DEDICATED_CONNECTIONS = 2
"""Outside the pool: one for the health checks, one that LISTENs for events."""

CONNECTIONS_PER_JOB = 4
"""Connections of a worker per concurrent job: its sessions, and the renewal of the lease."""

OTHER_CONNECTIONS = 28
"""Connections for the reaper, CLI commands, and those PostgreSQL reserves for superusers."""

QUEUE_LENGTH = 256
"""Longest queue of waiting requests per process."""

QUEUE_SECONDS = 2.0
"""Longest wait in the queue; then 503."""

STREAM_QUEUE_SECONDS = 20.0
"""Longest wait of an event stream: a browser does not reconnect after a refusal."""

MAX_LISTENERS = 1000
"""Event streams per process. An idle one uses no thread and no connection."""

MAX_BODIES = 256
"""Request bodies received concurrently per process."""

MAX_BODY_MEMORY_BYTES = 256 << 20
"""Bytes of request bodies in memory per process while received; files are streamed to disk."""

RETRY_AFTER_SECONDS = 2


def pool_size(threads: int) -> int:
    """Return the maximum pool size of a process with this many threads."""
    return CONNECTIONS_PER_REQUEST * threads + SPARE_CONNECTIONS


def database_connections(settings: Settings) -> int:
    """Return the maximum number of connections of all API processes together."""
    return settings.api_processes * (pool_size(settings.api_threads) + DEDICATED_CONNECTIONS)


def max_connections(settings: Settings) -> int:
    """Return the `max_connections` that PostgreSQL needs for `settings`."""
    jobs = settings.light_workers + settings.heavy_workers
    return database_connections(settings) + CONNECTIONS_PER_JOB * jobs + OTHER_CONNECTIONS
