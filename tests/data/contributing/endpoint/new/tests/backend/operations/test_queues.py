"""The lengths of the queues, from the real application and database."""

from __future__ import annotations

import httpx

from backend.access.actions import Scope
from backend.accounts import service


def test_an_upload_lengthens_a_queue(web):
    assert web.get("/queues").json() == []
    web.post("/paste", json={"text": "main;read_file;copy_to_user 42\n"})
    [queue] = web.get("/queues").json()
    assert queue["queued"] >= 1


def test_the_queues_are_refused_without_permission(address, sessions):
    url = f"{address}/api/v1/queues"
    assert httpx.get(url).status_code == 401
    with sessions.begin() as session:
        sender = service.create_api_token(session, name="sender", scopes=frozenset({Scope.EVIDENCE}))
    assert httpx.get(url, headers={"Authorization": f"Bearer {sender}"}).status_code == 403
