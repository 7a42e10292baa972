"""A server whose database has a real worker: an upload becomes evidence and is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

from backend.accounts import service as accounts
from tests.backend.applications import create_app
from tests.backend.conftest import PATIENCE_SECONDS, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.pipeline import Pipeline


@pytest.fixture
def tus(pipeline: Pipeline) -> Iterator[httpx.Client]:
    """A client that is signed in and speaks tus."""
    with pipeline.sessions.begin() as session:
        token = accounts.create_api_token(session, name="test")
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    headers = {"Authorization": f"Bearer {token}", "Tus-Resumable": "1.0.0"}
    with (
        serving(app) as address,
        httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=PATIENCE_SECONDS) as client,
    ):
        yield client
