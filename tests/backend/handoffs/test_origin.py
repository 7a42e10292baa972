"""A bundle that is dropped on another instance opens as a case: its evidence, its verdicts, its origin."""

from __future__ import annotations

import io
import json
import tarfile

import httpx
import pytest
import zstandard

from backend.accounts import service as accounts
from backend.app import create_app
from backend.client import Client
from backend.handoffs import bundle
from tests.backend.conftest import serving
from tests.backend.handoffs.conftest import SECRETS
from tests.backend.handoffs.test_handoffs import bundle_of


class Elsewhere:
    """Another instance: its own database, data directory, store and worker."""

    def __init__(self, url, token):
        self.casebook = Client(url, token=token)
        self._web = httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.casebook.close()
        self._web.close()

    def opened(self, tmp_path, content):
        path = tmp_path / "case-1.casebook.tar.zst"
        path.write_bytes(content)
        case = self.casebook.put_file(path).case
        return self.casebook.wait_until_judged(case.id, timeout_seconds=120)

    def origins(self, case):
        answer = self._web.get(f"/cases/{case.number}/origins")
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def elsewhere(pipeline):
    with serving(create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)) as url:
        with pipeline.sessions.begin() as session:
            token = accounts.create_api_token(session, name="elsewhere")
        with Elsewhere(url, token) as there:
            yield there


def altered(content: bytes, verdict: str) -> bytes:
    """Return a bundle whose first finding says `verdict`."""
    plain = zstandard.ZstdDecompressor().decompressobj().decompress(content)
    written = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(plain)) as old, tarfile.open(fileobj=written, mode="w") as new:
        for member in old:
            text = old.extractfile(member).read()
            if member.name == bundle.FINDINGS:
                told = json.loads(text)
                told["findings"][0]["verdict"] = verdict
                text = json.dumps(told).encode()
            member.size = len(text)
            new.addfile(member, io.BytesIO(text))
    return zstandard.ZstdCompressor().compress(written.getvalue())


def test_its_evidence_stands_where_it_stood_and_every_verdict_is_what_it_was(
    maker, handoff, elsewhere, tmp_path, case
):
    content = bundle_of(maker, handoff)
    there = elsewhere.opened(tmp_path, content)
    evidence = elsewhere.casebook.evidence(there.id)
    paths = [one.captured_path for one in evidence if one.parent_id is not None]
    assert sorted(paths) == ["auth.log", "hold.txt", "stacks.txt"]
    log = next(one for one in evidence if one.captured_path == "auth.log")
    shown = "\n".join(elsewhere.casebook.lines(log.id, first=1, last=3).lines)
    assert "Accepted publickey for" in shown
    assert not [secret for secret in SECRETS if secret in shown]
    (origin,) = elsewhere.origins(there)
    assert (origin["number"], origin["title"]) == (case.number, handoff["title"])
    assert origin["compared"] > 0
    assert (origin["differences"], origin["reason"]) == ([], "")


def test_a_verdict_that_is_another_one_here_is_told(maker, handoff, elsewhere, tmp_path):
    there = elsewhere.opened(tmp_path, altered(bundle_of(maker, handoff), "not_known_here"))
    (origin,) = elsewhere.origins(there)
    (difference,) = origin["differences"]
    assert difference["before"] == "not_known_here"
    assert difference["after"] == "suspect"


def test_a_case_that_came_otherwise_has_no_origin(maker):
    assert maker.web.get(f"{maker.url.removesuffix('/handoffs')}/origins").json() == []
