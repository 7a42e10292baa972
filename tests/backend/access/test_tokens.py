"""Tokens: scopes, checksum, expiry, rotation, revocation; and what a case token cannot read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy import select, update

from backend.access import principals, secrets
from backend.access.actions import Scope
from backend.accounts import service, tokens
from backend.core.errors import NotSignedInError
from backend.models import Role, Token, TokenKind, Visibility
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.backend.people import case, person, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session, sessionmaker


def bearer(address: str, secret: str) -> httpx.Client:
    return httpx.Client(base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def ada(address: str, sessions: sessionmaker[Session]) -> Iterator[httpx.Client]:
    with signed_in(address, sessions, person(sessions, "ada", Role.RESPONDER)) as client:
        yield client


@pytest.mark.parametrize("kind", [TokenKind.API, TokenKind.SERVICE, TokenKind.CASE])
def test_a_token_states_its_kind_and_has_a_checksum(kind):
    minted = secrets.mint(kind)
    assert secrets.SHAPE.fullmatch(minted)
    assert secrets.is_intact(minted)
    assert minted != secrets.mint(kind)
    for place in range(6, len(minted)):
        other = "a" if minted[place] != "a" else "b"
        assert not secrets.is_intact(minted[:place] + other + minted[place + 1 :])
        assert not secrets.is_intact(minted[:place])


def test_a_mistyped_token_is_distinguished_from_a_revoked_one(session):
    minted = secrets.mint(TokenKind.API)
    with pytest.raises(NotSignedInError, match="mistyped"):
        principals.by_token(session, minted[:-1])
    with pytest.raises(NotSignedInError, match="not valid"):
        principals.by_token(session, minted)


def test_a_token_is_shown_once_and_stored_as_a_hash(ada, session):
    made = ada.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 1}).json()
    assert made["token"]["prefix"] == made["secret"][:12]
    listed = ada.get("/tokens")
    assert [one["name"] for one in listed.json()["items"]] == ["ci"]
    assert made["secret"] not in listed.text
    assert made["secret"] not in repr([vars(token) for token in session.scalars(select(Token))])


def test_a_token_is_limited_by_its_scopes_and_its_role(ada, address, sessions):
    number = case(sessions).number
    reads = ada.post("/tokens", json={"name": "r", "scopes": ["read"], "days": 1}).json()["secret"]
    with bearer(address, reads) as client:
        assert client.get(f"/cases/{number}").status_code == 200
        refused = client.patch(f"/cases/{number}", json={"title": "x"})
        assert (refused.status_code, "required scope: write" in refused.json()["detail"]) == (403, True)
    everything = {"name": "all", "scopes": ["read", "evidence", "write", "admin"], "days": 1}
    with bearer(address, ada.post("/tokens", json=everything).json()["secret"]) as client:
        assert client.patch(f"/cases/{number}", json={"title": "x"}).status_code == 200
        assert client.get("/service-tokens").status_code == 403


@pytest.mark.parametrize("missing", ["scopes", "days"])
@pytest.mark.parametrize("path", ["/tokens", "/service-tokens"])
def test_a_token_states_its_scopes_and_expiry(ada, web, path, missing):
    creator = ada if path == "/tokens" else web
    asked = {"name": "ci", "scopes": ["read"], "days": 1} | ({"role": "viewer"} if "service" in path else {})
    for answer in (
        creator.post(path, json={name: value for name, value in asked.items() if name != missing}),
        creator.post(path, json={**asked, missing: None}),
    ):
        assert (answer.status_code, missing in answer.text) == (422, True)


def test_a_token_cannot_create_a_token(web):
    answer = web.post("/tokens", json={"name": "x", "scopes": ["admin"], "days": 1})
    assert (answer.status_code, "sign in with a browser" in answer.json()["detail"]) == (403, True)


def test_a_revoked_token_is_refused_by_every_process_at_once(ada, address, app_settings, sessions, store):
    made = ada.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 1}).json()
    with (
        serving(create_app(app_settings, sessions=sessions, store=store)) as other,
        bearer(address, made["secret"]) as here,
        bearer(other, made["secret"]) as there,
    ):
        assert (here.get("/me").status_code, there.get("/me").status_code) == (200, 200)
        assert ada.delete(f"/tokens/{made['token']['id']}").status_code == 204
        assert (here.get("/me").status_code, there.get("/me").status_code) == (401, 401)


def test_a_token_expires_on_time(session):
    secret = service.create_api_token(session, name="ci", lifetime=timedelta(days=1))
    assert principals.by_token(session, secret).name == "owner"
    session.execute(update(Token).values(expires_at=datetime.now(UTC)))
    with pytest.raises(NotSignedInError):
        principals.by_token(session, secret)


def test_a_rotated_token_works_during_the_overlap(ada, address):
    made = ada.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 30}).json()
    path = f"/tokens/{made['token']['id']}/rotate"
    after = ada.post(path, json={"overlap_hours": 1}).json()
    assert after["token"]["scopes"] == ["read"]
    for secret in (made["secret"], after["secret"]):
        with bearer(address, secret) as client:
            assert client.get("/me").status_code == 200
    ends = {one["prefix"]: one["expires_at"] for one in ada.get("/tokens").json()["items"]}
    assert ends[made["secret"][:12]] < ends[after["secret"][:12]]
    last = ada.post(f"/tokens/{after['token']['id']}/rotate", json={"overlap_hours": 0}).json()
    with bearer(address, after["secret"]) as ended, bearer(address, last["secret"]) as client:
        assert (ended.get("/me").status_code, client.get("/me").status_code) == (401, 200)


def test_tokens_of_others_cannot_be_rotated_or_revoked(ada, address, sessions):
    made = ada.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 1}).json()["token"]["id"]
    with signed_in(address, sessions, person(sessions, "ben", Role.ADMIN)) as ben:
        assert ben.delete(f"/tokens/{made}").status_code == 404
        assert ben.post(f"/tokens/{made}/rotate", json={}).status_code == 404
        assert ben.delete(f"/service-tokens/{made}").status_code == 404


def test_the_last_use_of_a_token_is_stored(ada, address):
    made = ada.post("/tokens", json={"name": "ci", "scopes": ["read"], "days": 1}).json()
    assert ada.get("/tokens").json()["items"][0]["last_used_at"] is None
    with bearer(address, made["secret"]) as client:
        client.get("/me")
    assert ada.get("/tokens").json()["items"][0]["last_used_at"] is not None


def test_a_service_token_outlives_its_creator(web, address):
    asked = {"name": "ci", "role": "responder", "scopes": ["read", "evidence"], "days": 1}
    secret = web.post("/service-tokens", json=asked).json()["secret"]
    with bearer(address, secret) as client:
        assert client.get("/me").json()["name"] == "ci"
        assert client.put("/evidence/a.txt", content=b"a\n").status_code == 202
    again = web.post("/service-tokens", json={**asked, "role": "admin"})
    assert (again.status_code, "role responder" in again.json()["detail"]) == (409, True)
    taken = web.post("/service-tokens", json={**asked, "name": "owner", "role": "admin"})
    assert (taken.status_code, "already a person" in taken.json()["detail"]) == (409, True)


def test_a_case_token_uploads_evidence_and_reads_nothing(ada, address, sessions):
    own = ada.post("/cases", json={"title": "db7 stalls"}).json()
    other = case(sessions).number
    secret = ada.post(f"/cases/{own['number']}/tokens", json={"name": "db7"}).json()["secret"]
    with bearer(address, secret) as client:
        sent = client.put("/drop/proc/vmstat", content=b"allocstall 7\n")
        assert sent.status_code == 202
        assert set(sent.json()["files"][0]) == {"filename", "sha256", "size_bytes"}
        assert "db7 stalls" not in sent.text
        several = client.post("/drop", files=[("files", ("dmesg.txt", b"[ 1.0] x\n"))])
        assert several.status_code == 202
        for path in ("/me", "/cases", f"/cases/{own['number']}", f"/cases/{other}", "/signatures", "/status"):
            assert client.get(path).status_code == 403, path
        for number in (own["number"], other):
            assert client.put(f"/cases/{number}/evidence/a.txt", content=b"a").status_code == 403
        assert client.put("/evidence/a.txt", content=b"a").status_code == 403
    assert len(ada.get(f"/cases/{own['number']}/evidence").json()["items"]) == 2


def test_a_case_token_ends_when_its_creator_loses_access(address, sessions):
    made = case(sessions)
    ben = person(sessions, "ben", Role.CURATOR)
    with signed_in(address, sessions, ben) as client:
        secret = client.post(f"/cases/{made.number}/tokens", json={"name": "x"}).json()["secret"]
        client.put(f"/cases/{made.number}/access", json={"visibility": Visibility.RESTRICTED})
    with bearer(address, secret) as client:
        assert client.put("/drop/a.txt", content=b"a").status_code == 404


def test_an_upload_to_a_case_needs_a_valid_case_token(ada, sessions, address):
    refused = ada.put("/drop/a.txt", content=b"a")
    assert (refused.status_code, "requires a case token" in refused.json()["detail"]) == (403, True)
    with sessions.begin() as session:
        owner = service.owner(session)
        _, secret = tokens.make(
            session, owner.id, kind=TokenKind.API, name="x", scopes=[Scope.DROP], lifetime=None
        )
    with bearer(address, secret) as client:
        assert client.put("/drop/a.txt", content=b"a").status_code == 403


def test_a_browser_is_listed_and_signed_out_from_another(address, sessions):
    account = person(sessions, "ada", Role.VIEWER)
    with signed_in(address, sessions, account) as here, signed_in(address, sessions, account) as there:
        listed = here.get("/sessions").json()["items"]
        assert [one["is_this"] for one in listed].count(True) == 1
        other = next(one["id"] for one in listed if not one["is_this"])
        assert here.delete(f"/sessions/{other}").status_code == 204
        assert (here.get("/me").status_code, there.get("/me").status_code) == (200, 401)


def test_the_same_key_with_tokens_of_two_cases_is_two_requests(ada, address):
    """A sender that makes its keys of its bytes must not lose the evidence of the second case."""
    cases = [ada.post("/cases", json={"title": title}).json()["number"] for title in ("db7", "db8")]
    secrets = [ada.post(f"/cases/{number}/tokens", json={"name": "x"}).json()["secret"] for number in cases]
    key = {"Idempotency-Key": "4e1243bd22c66e76"}
    for secret in secrets:
        with bearer(address, secret) as client:
            first, again = (client.put("/drop/vmstat", content=b"nr 7\n", headers=key) for _ in range(2))
            assert (first.status_code, "idempotency-replayed" in first.headers) == (202, False)
            assert again.headers["idempotency-replayed"] == "true"
    assert [len(ada.get(f"/cases/{number}/evidence").json()["items"]) for number in cases] == [1, 1]
