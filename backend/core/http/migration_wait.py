"""Answers 503 with `Retry-After` while the database waits for its migration.

An API process of a new version may start before `casebook migrate`: clients are asked to repeat what they
sent, of which nothing was done, and are answered from the moment at which the migration commits. Health
checks and the pages are answered throughout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request

from backend.core.http import problems
from backend.core.http.locations import PREFIX

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from backend.core.http.probes import Probes

RETRY_SECONDS = 5
BEING_UPGRADED = "the service is being upgraded; nothing was done, retry in a moment"


class MigrationWait:
    """Forwards requests unless the database was behind when the process began, and still is."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or refuse it."""
        if scope["type"] == "http" and _needs_tables(scope["path"]):
            probes: Probes = scope["app"].state.probes
            if probes.was_behind and await probes.is_behind():
                await _refuse(scope, receive, send)
                return
        await self.app(scope, receive, send)


def _needs_tables(path: str) -> bool:
    return path.startswith(f"{PREFIX}/") and path != f"{PREFIX}/health"


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer 503; the rest of the body is not read."""
    headers = {"Retry-After": str(RETRY_SECONDS)}
    if scope["method"] not in {"GET", "HEAD", "OPTIONS"}:
        headers["Connection"] = "close"
    response = problems.respond(Request(scope), 503, problems.AWAY, BEING_UPGRADED, headers=headers)
    await response(scope, receive, send)
