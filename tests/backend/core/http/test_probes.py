"""Warnings about the database at the first readiness probe."""

from __future__ import annotations

import asyncio

import pytest

from backend.core import capacity
from backend.core.http.probes import Probes
from backend.core.sessions import create_sessions
from backend.core.storage.object_store import Store


@pytest.mark.parametrize(("processes", "warns"), [(1, False), (64, True)])
def test_too_few_connections_for_all_processes_are_logged(settings, tmp_path, caplog, processes, warns):
    servers = {"database_url": settings.effective_database_url, "broker_url": settings.effective_broker_url}
    own = {"data_dir": tmp_path, "api_processes": processes, "api_threads": 2}
    settings = settings.model_copy(update={**servers, **own})

    async def look() -> bool:
        probes = Probes(settings, create_sessions(settings), Store.open(settings))
        try:
            return (await probes.database.result()).is_ok
        finally:
            await probes.close()

    assert asyncio.run(look())
    needed = f"may need {capacity.max_connections(settings)}:"
    assert (needed in caplog.text) is warns
