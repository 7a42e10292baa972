"""Runs that read and judge the stored cases of a service again."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.service.connection import Connection

POLL_SECONDS = 1.0


class Choice(TypedDict):
    """Cases to judge again; times are ISO 8601 in UTC, null without a limit.

    Attributes:
        all: Also cases that this version judged already.
        case: Number of the only case.
    """

    all: bool
    since: str | None
    until: str | None
    case: str | None


class CountDocument(TypedDict):
    """What there is to do."""

    cases: int
    files: int
    file_bytes: int
    drafts: int


class RunDocument(TypedDict):
    """A run; `changes` counts the cases by the kind of what changed in them."""

    id: str
    state: str
    reason: str
    done: int
    total: int
    changes: dict[str, int]


class NoRunError(Exception):
    """No run is in progress."""


def choice_of(
    *,
    takes_all: bool,
    since: datetime | None,
    until: datetime | None,
    older_than: timedelta | None,
    case: str | None,
) -> Choice:
    """Return a choice of cases.

    Args:
        takes_all: Also cases that this version judged already.
        since: Opened then or later, in UTC, without a time zone.
        until: Opened before, likewise.
        older_than: Opened longer ago than this, in place of `until`.
        case: Number of the only case.
    """
    if older_than is not None:
        until = datetime.now(UTC) - older_than
    return {"all": takes_all, "since": _utc(since), "until": _utc(until), "case": case}


def count(connection: Connection, choice: Choice) -> CountDocument:
    """Return what there is to do; nothing begins."""
    counted: CountDocument = connection.change("POST", "reprocess-runs/count", choice)
    return counted


def begin(connection: Connection, choice: Choice) -> RunDocument:
    """Begin a run."""
    run: RunDocument = connection.change("POST", "reprocess-runs", choice)
    return run


def cancel(connection: Connection) -> RunDocument:
    """Cancel the run in progress.

    Raises:
        NoRunError: There is none.
    """
    running = [run for run in connection.items("reprocess-runs", 1) if run["state"] == "running"]
    if not running:
        raise NoRunError("no run is in progress")
    run: RunDocument = connection.change("POST", f"reprocess-runs/{running[0]['id']}/cancel", {})
    return run


def follow(connection: Connection, run: RunDocument, show: Callable[[RunDocument], None]) -> RunDocument:
    """Return the run once it has ended; `show` is called with each state of it."""
    while run["state"] == "running":
        show(run)
        time.sleep(POLL_SECONDS)
        run = connection.get(f"reprocess-runs/{run['id']}")
    return run


def _utc(at: datetime | None) -> str | None:
    return at.replace(tzinfo=UTC).isoformat() if at is not None else None
