"""Resuming uploads; a case token uploads in chunks and sees nothing of the case."""

from __future__ import annotations

import httpx
import pytest

from backend.access.actions import Scope
from backend.accounts import tokens
from backend.models import Account, Case, TokenKind
from tests.backend.uploads.test_routes import begin, kept, offset_of, place, send, upload_metadata


def waiting(tus, begun):
    """Return what is listed of the case; other tests leave uploads of their own."""
    return [one for one in tus.get("/uploads").json()["items"] if one["case_number"] == begun["case_number"]]


def test_incomplete_uploads_are_listed_with_case_and_fingerprint(tus, pipeline):
    begun = begin(tus, size=60, fingerprint="60:1795270000000").json()
    send(tus, f"/uploads/{begun['upload']['id']}", 0, b"x" * 10)
    (listed,) = waiting(tus, begun)
    assert listed["fingerprint"] == "60:1795270000000"
    assert listed["offset_bytes"] == 10
    send(tus, f"/uploads/{begun['upload']['id']}", 10, b"x" * 50)
    assert waiting(tus, begun) == []
    pipeline.wait_idle()


def test_uploads_of_a_deleted_case_are_not_listed(tus):
    begun = begin(tus, size=60).json()
    assert len(waiting(tus, begun)) == 1
    tus.delete(f"/cases/{begun['case_number']}")
    assert waiting(tus, begun) == []


def test_a_case_with_an_upload_in_progress_is_not_judged(tus, pipeline):
    begun = begin(tus, size=4).json()
    case = f"/cases/{begun['case_number']}"
    assert tus.get(case).json()["arriving_count"] == 1
    send(tus, f"/uploads/{begun['upload']['id']}", 0, b"a 1\n")
    pipeline.wait_idle()
    after = tus.get(case).json()
    assert (after["arriving_count"], after["judged"], after["evidence_count"]) == (0, True, 1)


def test_a_case_is_titled_after_all_dropped_files(tus):
    folder = begin(tus, filename="db7/dmesg", drop_files="3", drop_folder="db7").json()
    assert tus.get(f"/cases/{folder['case_number']}").json()["title"] == "db7 (3 files)"
    loose = begin(tus, drop_files="2").json()
    assert tus.get(f"/cases/{loose['case_number']}").json()["title"] == "perf.script and 1 more file"


def test_space_is_checked_for_a_whole_drop_and_no_case_is_created_without_it(tus):
    before = len(tus.get("/cases").json()["items"])
    refused = begin(tus, size=10, drop_files="2", drop_bytes="9" * 17)
    assert (refused.status_code, refused.json()["code"]) == (507, "NoSpace")
    assert "not enough disk space for" in refused.json()["detail"]
    assert len(tus.get("/cases").json()["items"]) == before


@pytest.mark.parametrize(
    "pair", [{"drop_files": "many"}, {"drop_bytes": "-1"}, {"fingerprint": "x" * 201}], ids=str
)
def test_invalid_upload_metadata_is_refused(tus, pair):
    assert begin(tus, **pair).status_code == 400


@pytest.fixture
def case_id(tus):
    return tus.post("/cases", json={"title": "x"}).json()["id"]


@pytest.fixture
def dropper(tus, pipeline, case_id):
    """A client with a token that sends evidence to one case."""
    with pipeline.sessions.begin() as session:
        owner = session.get_one(Case, case_id).owner_id
        assert session.get(Account, owner)
        _, secret = tokens.make(
            session,
            owner,
            kind=TokenKind.CASE,
            name="db7",
            scopes=[Scope.DROP],
            lifetime=None,
            case_id=case_id,
        )
    headers = {"Authorization": f"Bearer {secret}", "Tus-Resumable": "1.0.0"}
    with httpx.Client(base_url=tus.base_url, headers=headers) as client:
        yield client


def drop(client, size):
    headers = {"Upload-Length": str(size), "Upload-Metadata": upload_metadata(filename="dmesg.txt")}
    return client.post("/drop/uploads", headers=headers)


def test_a_case_token_uploads_in_chunks_and_learns_nothing_of_the_case(dropper, tus, pipeline, case_id):
    answer = drop(dropper, 8)
    assert answer.status_code == 201
    assert set(answer.json()) == {"id", "size_bytes", "offset_bytes", "expires_at"}
    url = place(answer)
    assert url.startswith("/drop/uploads/")
    send(dropper, url, 0, b"a 1\n")
    assert offset_of(dropper, url) == 4
    send(dropper, url, 4, b"b 2\n")
    assert kept(tus, pipeline, url.removeprefix("/drop")) == b"a 1\nb 2\n"
    assert [one["filename"] for one in tus.get(f"/cases/{case_id}/evidence").json()["items"]] == ["dmesg.txt"]


def test_a_case_token_cannot_access_other_uploads(dropper, tus, case_id):
    url = f"/drop{place(begin(tus, size=9, case=case_id))}"
    assert dropper.head(url).status_code == 404
    assert send(dropper, url, 0, b"x").status_code == 404
    assert dropper.delete(url).status_code == 404
    own = place(drop(dropper, 9))
    assert dropper.delete(own).status_code == 204
    assert dropper.head(own).status_code == 404
    assert dropper.get("/uploads").status_code == 403
