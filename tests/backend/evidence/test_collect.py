"""The collector is served with the case token filled in, and its upload arrives in that case."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
from typing import TYPE_CHECKING

import httpx
import pytest

from backend.models import Role
from ingest import collect
from tests.backend.people import case, person, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy.orm import Session, sessionmaker

    from backend.models import Case

QUICK = ("--grab", "--user", "--seconds", "1", "--yes")


@pytest.fixture
def incident(sessions: sessionmaker[Session]) -> Case:
    return case(sessions)


@pytest.fixture
def ada(address: str, sessions: sessionmaker[Session]) -> Iterator[httpx.Client]:
    with signed_in(address, sessions, person(sessions, "ada", Role.ADMIN)) as client:
        yield client


@pytest.fixture
def secret(ada: httpx.Client, incident: Case) -> str:
    made = ada.post(f"/cases/{incident.id}/tokens", json={"name": "db-07", "days": 1})
    return made.json()["secret"]


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the collector leaves what it did not send."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def fetched(address: str, secret: str = "") -> httpx.Response:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return httpx.get(f"{address}/collect.sh", headers=headers)


def ran(script: str, *before: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*before, "sh", "-s", "--", *QUICK],
        input=script,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def names_in(ada: httpx.Client, incident: Case) -> list[str]:
    return [one["filename"] for one in ada.get(f"/cases/{incident.id}/evidence").json()["items"]]


def test_without_a_token_the_script_has_the_url_only(address):
    answer = fetched(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/x-shellscript; charset=utf-8"
    assert f"server='{address}'\ntoken=''" in answer.text
    assert answer.text == collect.script(server=address)
    digest = base64.b64encode(hashlib.sha256(answer.content).digest()).decode()
    assert answer.headers["repr-digest"] == f"sha-256=:{digest}:"


def test_with_a_case_token_the_script_has_url_and_token(address, secret):
    answer = fetched(address, secret)
    assert answer.text == collect.script(server=address, token=secret)
    assert answer.headers["cache-control"] == "no-store"


def test_an_expired_token_gets_no_script(address, secret, ada, incident):
    (token,) = ada.get(f"/cases/{incident.id}/tokens").json()["items"]
    ada.delete(f"/cases/{incident.id}/tokens/{token['id']}")
    assert fetched(address, secret).status_code == 401
    assert fetched(address, secret[:-1]).status_code == 401


def test_a_token_with_more_scopes_is_not_embedded(address, token):
    answer = fetched(address, token)
    assert answer.status_code == 403
    assert "a token made for one case" in answer.json()["detail"]


def test_collected_output_arrives_in_the_case_of_the_token(address, secret, ada, incident):
    done = ran(fetched(address, secret).text)
    assert done.returncode == 0, done.stderr
    assert f"sent to {address}" in done.stderr
    (name,) = names_in(ada, incident)
    assert name.startswith(f"casebook-{os.uname().nodename}-")
    assert secret not in done.stderr + done.stdout


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to hide curl")
def test_wget_sends_it_where_there_is_no_curl(address, secret, ada, incident):
    hide = 'for f in $(which -a curl); do mount --bind /dev/null "$f"; done; exec "$@"'
    done = ran(fetched(address, secret).text, "unshare", "--mount", "sh", "-c", hide, "sh")
    assert done.returncode == 0, done.stderr
    assert len(names_in(ada, incident)) == 1


def test_a_refusal_is_reported_and_loses_nothing(address, secret, ada, incident, left):
    script = fetched(address, secret).text
    (token,) = ada.get(f"/cases/{incident.id}/tokens").json()["items"]
    ada.delete(f"/cases/{incident.id}/tokens/{token['id']}")
    done = ran(script)
    assert done.returncode == 1
    assert "not valid" in done.stderr
    (text,) = left.glob("casebook-*.txt")
    assert f"the text is in {text}" in done.stderr
    assert names_in(ada, incident) == []


def test_without_a_terminal_consent_is_refused(address, secret, ada, incident, left):
    quiet = [option for option in QUICK if option != "--yes"]
    done = subprocess.run(
        ["setsid", "sh", "-s", "--", *quiet],
        input=fetched(address, secret).text,
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    assert "nobody is here to ask: not sent" in done.stderr
    assert names_in(ada, incident) == []
    assert list(left.glob("casebook-*.txt"))
