"""Quota and free disk space, checked before the first byte, while bytes arrive, and concurrently."""

from __future__ import annotations

import base64
import threading
from typing import TYPE_CHECKING
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import delete, func, select

from backend.accounts import service as accounts
from backend.models import Blob, Case, SpaceReservation, StoredBytes, Upload
from backend.uploads import space
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store

QUOTA = 100_000
TUS = {"Tus-Resumable": "1.0.0"}


class Service:
    """A server with a quota: `QUOTA` bytes more than the database holds already."""

    def __init__(self, settings: Settings, sessions: sessionmaker[Session], store: Store) -> None:
        self.sessions = sessions
        with sessions.begin() as session:
            used = space.stored_bytes(session)
            self.token = accounts.create_api_token(session, name="sender")
        self.settings = settings.model_copy(update={"quota_bytes": used + QUOTA, "guest_paste": True})
        self.app = create_app(self.settings, sessions=sessions, store=store)

    def change(self, **values: int) -> None:
        """Run with other limits from now on."""
        self.settings = self.settings.model_copy(update=values)
        self.app.state.settings = self.settings

    def left_behind(self) -> list[object]:
        """What a request left that stored nothing."""
        files: list[Path] = []
        for directory in (self.settings.staging_dir, self.settings.uploads_dir):
            files += directory.iterdir() if directory.is_dir() else ()
        with self.sessions() as session:
            return [
                *files,
                *session.scalars(select(SpaceReservation.id)),
                *session.scalars(select(Upload.id)),
            ]


@pytest.fixture
def service(app_settings: Settings, own_sessions: sessionmaker[Session], store: Store) -> Iterator[Service]:
    yield Service(app_settings, own_sessions, store)
    with own_sessions.begin() as session:
        session.execute(delete(SpaceReservation))


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with (
        serving(service.app) as address,
        httpx.Client(
            base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {service.token}"}
        ) as made,
    ):
        yield made


@pytest.fixture
def ways(client: httpx.Client) -> Iterator[Way]:
    with httpx.Client(base_url=client.base_url) as nobody:
        yield Way(client, nobody)


class Way:
    """One way in: sends `content` and returns the answer."""

    def __init__(self, client: httpx.Client, nobody: httpx.Client) -> None:
        self.client = client
        self.case = client.post("/cases", json={"title": "space"}).json()["number"]
        made = client.post(f"/cases/{self.case}/tokens", json={"name": "machine"}).json()
        self.drop = {"Authorization": f"Bearer {made['secret']}"}
        self.nobody = nobody

    def multipart(self, content: bytes) -> httpx.Response:
        return self.client.post("/evidence", files=[("files", ("a.txt", content))])

    def multipart_into_case(self, content: bytes) -> httpx.Response:
        return self.client.post(f"/cases/{self.case}/evidence", files=[("files", ("a.txt", content))])

    def put(self, content: bytes) -> httpx.Response:
        return self.client.put("/evidence/a.txt", content=content)

    def put_into_case(self, content: bytes) -> httpx.Response:
        return self.client.put(f"/cases/{self.case}/evidence/a.txt", content=content)

    def put_of_unknown_length(self, content: bytes) -> httpx.Response:
        return self.client.put("/evidence/a.txt", content=iter([content]))

    def multipart_of_unknown_length(self, content: bytes) -> httpx.Response:
        request = self.client.build_request("POST", "/evidence", files=[("files", ("a.txt", content))])
        headers = {"Content-Type": request.headers["content-type"]}
        return self.client.post("/evidence", content=iter([request.read()]), headers=headers)

    def paste(self, content: bytes) -> httpx.Response:
        return self.client.post("/paste", json={"text": content.decode()})

    def paste_into_case(self, content: bytes) -> httpx.Response:
        return self.client.post(f"/cases/{self.case}/paste", json={"text": content.decode()})

    def guest_paste(self, content: bytes) -> httpx.Response:
        return self.nobody.post("/guest/paste", json={"text": content.decode()})

    def guest_multipart(self, content: bytes) -> httpx.Response:
        return self.nobody.post("/guest/evidence", files=[("files", ("a.txt", content))])

    def drop_put(self, content: bytes) -> httpx.Response:
        return self.nobody.put("/drop/a.txt", content=content, headers=self.drop)

    def drop_multipart(self, content: bytes) -> httpx.Response:
        return self.nobody.post("/drop", files=[("files", ("a.txt", content))], headers=self.drop)

    def tus(self, content: bytes) -> httpx.Response:
        return self._tus("/uploads", content, dict(self.client.headers))

    def tus_into_case(self, content: bytes) -> httpx.Response:
        return self._tus(f"/cases/{self.case}/uploads", content, dict(self.client.headers))

    def tus_drop(self, content: bytes) -> httpx.Response:
        return self._tus("/drop/uploads", content, self.drop)

    def _tus(self, place: str, content: bytes, headers: dict[str, str]) -> httpx.Response:
        name = base64.b64encode(b"a.txt").decode()
        announced = {"Upload-Length": str(len(content)), "Upload-Metadata": f"filename {name}"}
        return self.nobody.post(place, headers=headers | TUS | announced)


WAYS = sorted(name for name in vars(Way) if not name.startswith("_"))


def sent(size: int, letter: str = "a") -> bytes:
    """Text that no other test sent: what is stored already takes no space."""
    first = uuid4().hex * 2
    return f"{first[:63]}\n".encode() + (letter * 63 + "\n").encode() * (size // 64 - 1)


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


@pytest.mark.parametrize("way", WAYS)
def test_every_entry_point_enforces_the_quota(service, ways, way):
    send: Callable[[bytes], httpx.Response] = getattr(ways, way)
    refused = send(sent(QUOTA + 64_000))
    assert refusal(refused) == (507, "NoSpace")
    assert "are free" in refused.json()["detail"]
    until(lambda: service.left_behind() == [])
    assert send(sent(QUOTA // 2)).status_code in {201, 202}
    assert refusal(send(sent(QUOTA // 2 + 6400, "b"))) == (507, "NoSpace")


@pytest.mark.parametrize("way", WAYS)
def test_every_entry_point_keeps_free_disk_space(service, ways, way):
    send = getattr(ways, way)
    service.change(min_free_bytes=1 << 60)
    refused = send(sent(6400))
    assert refusal(refused) == (507, "NoSpace")
    assert "not enough disk space for" in refused.json()["detail"]
    until(lambda: service.left_behind() == [])


def test_concurrent_bodies_cannot_exceed_the_quota_together(service, client):
    halves = [sent(QUOTA * 3 // 4, letter) for letter in "ab"]
    both_are_open = threading.Barrier(2)
    answers: list[httpx.Response] = []

    def send(content: bytes) -> None:
        def pieces() -> Iterator[bytes]:
            yield content[:64]
            both_are_open.wait(300)
            yield content[64:]

        answers.append(client.put("/evidence/a.txt", content=pieces()))

    senders = [threading.Thread(target=send, args=(half,)) for half in halves]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert sorted(answer.status_code for answer in answers) == [202, 507]
    until(lambda: service.left_behind() == [])


def test_a_body_of_unknown_length_is_stopped_at_the_limit(service, client):
    client.post("/cases", json={"title": "awake"})
    asked = 0

    def endless() -> Iterator[bytes]:
        nonlocal asked
        while asked < 64 << 20:
            asked += 1 << 20
            yield bytes(1 << 20)

    try:
        assert refusal(client.put("/evidence/endless", content=endless())) == (507, "NoSpace")
    except httpx.TransportError:
        # The answer came and the connection was closed while the sender still wrote.
        assert asked < 64 << 20
    # The sender may learn of it before the server has deleted the received bytes.
    until(lambda: service.left_behind() == [])
    with service.sessions() as session:
        assert space.free_space(session, service.settings).quota_bytes == QUOTA


def test_an_upload_stops_when_space_runs_out(service, client, ways):
    place = ways.tus(sent(6400)).headers["location"].removeprefix("/api/v1")
    service.change(min_free_bytes=1 << 60)
    headers = TUS | {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    assert refusal(client.patch(place, content=sent(6400), headers=headers)) == (507, "NoSpace")
    service.change(min_free_bytes=0)
    assert client.patch(place, content=sent(6400), headers=headers).status_code == 204


def test_limits_include_the_remaining_quota(service, client):
    before = client.get("/limits").json()
    assert (before["quota_bytes"], before["left_bytes"]) == (service.settings.quota_bytes, QUOTA)
    assert client.put("/evidence/a.txt", content=sent(6400)).status_code == 202
    assert client.get("/limits").json()["left_bytes"] == QUOTA - 6400


def test_an_unrenewed_reservation_expires(service, client):
    with service.sessions.begin() as session:
        long_ago = func.now() - 2 * space.EXPIRY
        session.add(SpaceReservation(size_bytes=QUOTA, received_bytes=0, updated_at=long_ago))
    assert client.put("/evidence/a.txt", content=sent(6400)).status_code == 202
    assert service.left_behind() == []


def test_usage_follows_every_change(own_sessions, settings):
    with own_sessions.begin() as session:
        before = space.stored_bytes(session)
        session.add_all(Blob(sha256=f"{number:064x}", size_bytes=7) for number in range(900))
    with own_sessions.begin() as session:
        for number in range(700):
            session.execute(delete(Blob).where(Blob.sha256 == f"{number:064x}"))
    with own_sessions.begin() as session:
        assert space.stored_bytes(session) == before + 200 * 7
        space.require(session, settings, 0)
        assert session.scalar(select(func.count()).select_from(StoredBytes)) == 1
        assert space.stored_bytes(session) == before + 200 * 7
        session.execute(delete(Blob).where(Blob.size_bytes == 7))
    with own_sessions() as session:
        assert space.stored_bytes(session) == before
        assert session.scalar(select(func.count()).select_from(Case)) is not None
