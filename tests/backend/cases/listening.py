"""Listeners of event streams over a real socket, for tests."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from backend.core import events

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker


class Heard(NamedTuple):
    """One event that arrived."""

    id: int
    kind: str
    data: dict[str, Any]


class Stream:
    """An open stream of events."""

    def __init__(self, answer: httpx.Response) -> None:
        self._lines = answer.iter_lines()

    def next(self) -> Heard | None:
        """Return the next event, waited for; None when the stream ends."""
        fields: dict[str, str] = {}
        for line in self._lines:
            name, _, value = line.partition(": ")
            if line:
                fields[name] = value
            elif "data" in fields:
                return Heard(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            else:
                fields = {}
        return None

    def take(self, count: int) -> list[Heard]:
        return [heard for _ in range(count) if (heard := self.next()) is not None]

    def rest(self) -> list[Heard]:
        """Return what comes until the stream ends; it fails when it does not end."""
        return list(iter(self.next, None))


@contextmanager
def listening(
    url: str, case_id: UUID, headers: dict[str, str], *, last: int | None = None
) -> Iterator[Stream]:
    resume = {} if last is None else {"Last-Event-ID": str(last)}
    with (
        httpx.Client(base_url=f"{url}/api/v1", headers=headers | resume) as client,
        client.stream("GET", f"/cases/{case_id}/events") as answer,
    ):
        assert answer.status_code == 200, answer.read()
        yield Stream(answer)


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def happen(sessions: sessionmaker[Session], case_id: UUID, kind: str, **payload: Any) -> None:
    """Commit an event of the case."""
    with sessions.begin() as session:
        events.record(session, kind, case_id=case_id, payload=payload)
