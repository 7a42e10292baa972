"""Conditional GET and optimistic locking by `If-Match`."""

from __future__ import annotations

import pytest


@pytest.fixture
def case(web) -> str:
    return f"/cases/{web.post('/cases', json={'title': 'first'}).json()['number']}"


@pytest.mark.parametrize("place", ["", "/notes", "/evidence", "/access", "/findings", "/timeline"])
def test_an_unchanged_response_is_answered_304(web, case, place):
    first = web.get(case + place)
    again = web.get(case + place, headers={"If-None-Match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


def test_a_changed_response_is_sent_in_full(web, case):
    first = web.get(f"{case}/notes")
    web.post(f"{case}/notes", json={"text": "x"})
    again = web.get(f"{case}/notes", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, len(again.json()["items"])) == (200, 1)


def test_the_same_list_has_the_same_tag_packed_or_not(web):
    packed, plain = (web.get("/signatures", headers={"Accept-Encoding": how}) for how in ("gzip", "identity"))
    assert packed.headers.get("content-encoding") == "gzip"
    assert packed.headers["etag"] == plain.headers["etag"]


def test_errors_and_raw_bytes_have_no_etag(web, case):
    assert "etag" not in web.get("/cases/999999").headers
    sent = web.put(f"{case}/evidence/a.txt", content=b"slow\n").json()["evidence"][0]
    content = web.get(f"/evidence/{sent['id']}/content")
    assert (content.status_code, content.content, "etag" in content.headers) == (200, b"slow\n", False)


def test_a_change_with_the_current_etag_succeeds_and_returns_the_new_one(web, case):
    tag = web.get(case).headers["etag"]
    changed = web.patch(case, json={"title": "second"}, headers={"If-Match": tag})
    assert (changed.status_code, changed.headers["etag"]) == (200, web.get(case).headers["etag"])


def test_a_change_with_an_outdated_etag_is_refused(web, case):
    tag = web.get(case).headers["etag"]
    web.patch(case, json={"title": "by somebody else"})
    for change in (
        web.patch(case, json={"title": "mine"}, headers={"If-Match": tag}),
        web.delete(case, headers={"If-Match": tag}),
    ):
        assert (change.status_code, change.json()["code"]) == (412, "Precondition")
    assert web.get(case).json()["title"] == "by somebody else"


def test_a_change_by_version_succeeds_while_evidence_arrives_and_not_over_an_edit(web, case):
    first = web.get(case).json()
    web.put(f"{case}/evidence/a.txt", content=b"slow\n")
    read = web.get(case)
    assert read.json()["version"] == first["version"]
    assert read.json()["evidence_count"] == first["evidence_count"] + 1
    held = {"If-Match": f'"{first["version"]}"'}
    changed = web.patch(case, json={"title": "second"}, headers=held)
    assert (changed.status_code, changed.json()["version"] != first["version"]) == (200, True)
    for change in (web.patch(case, json={"severity": "low"}, headers=held), web.delete(case, headers=held)):
        assert (change.status_code, change.json()["code"]) == (412, "Precondition")
    assert (
        web.patch(case, json={"severity": "low"}, headers={"If-Match": read.headers["etag"]}).status_code
        == 412
    )


@pytest.mark.parametrize(
    "change",
    [
        {"title": "x"},
        {"state": "closed"},
        {"severity": "low"},
        {"resolution": {"cause": "the limit"}},
        {"resolution": {"fix": "the limit"}},
    ],
)
def test_a_case_version_changes_with_every_edit(web, case, change):
    before = web.get(case).json()["version"]
    after = web.patch(case, json=change).json()["version"]
    assert (after != before, web.get(case).json()["version"]) == (True, after)


def test_visibility_changes_need_the_current_etag(web, case):
    tag = web.get(f"{case}/access").headers["etag"]
    body = {"visibility": "restricted", "team_id": None}
    assert web.put(f"{case}/access", json=body, headers={"If-Match": tag}).status_code == 200
    assert web.put(f"{case}/access", json=body, headers={"If-Match": tag}).status_code == 412


def test_if_match_star_accepts_any_version(web, case):
    assert web.patch(case, json={"title": "x"}, headers={"If-Match": "*"}).status_code == 200
