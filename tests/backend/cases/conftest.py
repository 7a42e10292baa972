"""An application with its own connections, for responses that outlive concurrent writes."""

from __future__ import annotations

import httpx
import pytest

from backend.accounts import service as accounts
from tests.backend.applications import create_app
from tests.backend.conftest import serving


@pytest.fixture
def connected(app_settings, own_sessions, store):
    """A signed-in client of that application."""
    with own_sessions.begin() as session:
        token = accounts.create_api_token(session, name="connected")
    with (
        serving(create_app(app_settings, sessions=own_sessions, store=store)) as url,
        httpx.Client(
            base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=60
        ) as client,
    ):
        yield client
