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
