"""An application with its own connections, for responses that outlive concurrent writes."""

from __future__ import annotations

import httpx
import pytest

from backend.accounts import service as accounts
from backend.cases import event_hub, long_poll, routes_events
from tests.backend.applications import create_app
from tests.backend.conftest import serving


@pytest.fixture(autouse=True)
def _nothing_comes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no keep-alive, no check without a notification and no time-out come during a test.

    What arrives was pushed.
    """
    for module, name in (
        (event_hub, "KEEP_ALIVE_SECONDS"),
        (event_hub, "SWEEP_SECONDS"),
        (long_poll, "LOOK_SECONDS"),
        (routes_events, "SEND_SECONDS"),
    ):
        monkeypatch.setattr(module, name, 3600.0)


@pytest.fixture
def connected(app_settings, own_sessions, store):
    """A signed-in client of that application."""
    with own_sessions.begin() as session:
        token = accounts.create_api_token(session, name="connected")
    with (
        serving(create_app(app_settings, sessions=own_sessions, store=store)) as url,
        httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"}) as client,
    ):
        yield client
