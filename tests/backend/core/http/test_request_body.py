"""Request bodies accept no unknown fields, and reject very many of them with one error."""

from __future__ import annotations

import json

import pytest

from backend.core.http import request_examples
from backend.core.http.request_body import MAX_FIELDS, RequestBody


def subclasses(kind: type[RequestBody]) -> set[str]:
    return {one.__name__ for one in kind.__subclasses__()} | {
        name for one in kind.__subclasses__() for name in subclasses(one)
    }


def test_every_json_body_is_a_request_body(app):
    assert app is not None
    assert set(request_examples.BODIES) <= subclasses(RequestBody)


@pytest.mark.parametrize(
    ("fields", "detail"),
    [(1, "body.unknown0: Extra inputs are not permitted"), (20_000, f"at most {MAX_FIELDS} are allowed")],
)
def test_unknown_fields_are_rejected_and_very_many_as_a_whole(web, fields, detail):
    body = {"title": "x"} | {f"unknown{number}": 1 for number in range(fields)}
    answer = web.post("/cases", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert detail in answer.json()["detail"]
    assert len(answer.content) < 1000


NAMES: dict[str, tuple[str, str, str, dict[str, object]]] = {
    "a case": ("POST", "/cases", "title", {}),
    "a token": ("POST", "/service-tokens", "name", {"scopes": ["read"], "role": "viewer"}),
    "an invitation": ("POST", "/invitations", "note", {"role": "viewer"}),
    "a team": ("POST", "/teams", "name", {}),
    "a story": ("POST", "/stories", "title", {}),
}


@pytest.mark.parametrize("named", NAMES)
@pytest.mark.parametrize("hiding", ["\u202e", "\u2066", "\u200b", "\x1b", "\n", "\U000e0041"])
def test_a_name_holds_nothing_that_hides_or_reorders_text(web, named, hiding):
    method, path, field, rest = NAMES[named]
    answer = web.request(method, path, json={field: f"report{hiding}fdp.exe", **rest})
    assert (answer.status_code, answer.json()["code"]) == (422, "InvalidRequest")
    assert f"body.{field}" in answer.json()["detail"]


@pytest.mark.parametrize("title", ["db7 stöhnt", "مرحبا", "数据库", "naïve 🐢"])
def test_a_name_is_in_any_language(web, title):
    assert web.post("/cases", json={"title": title}).json()["title"] == title
