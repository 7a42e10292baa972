"""Request bodies accept no unknown fields, and reject very many of them with one error."""

from __future__ import annotations

import itertools
import json
from contextlib import suppress
from typing import Annotated, Literal, get_origin

import pytest
from pydantic import TypeAdapter, ValidationError

from backend.accounts.schemas_members import MemberName, PasswordSignIn
from backend.core.http import request_examples
from backend.core.http.request_body import MAX_FIELDS, RequestBody


def subclasses(kind: type[RequestBody]) -> set[type[RequestBody]]:
    return set(kind.__subclasses__()).union(*map(subclasses, kind.__subclasses__()))


def test_every_json_body_is_a_request_body(app):
    assert app is not None
    assert set(request_examples.BODIES) <= {one.__name__ for one in subclasses(RequestBody)}


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


SHOWN_NAMES = {"author", "label", "name", "note", "recipient", "signature", "title"}
NAMES: dict[str, tuple[str, str, str, dict[str, object]]] = {
    "a case": ("POST", "/cases", "title", {}),
    "a token": ("POST", "/service-tokens", "name", {"scopes": ["read"], "role": "viewer", "days": 1}),
    "an invitation": ("POST", "/invitations", "note", {"role": "viewer"}),
    "a team": ("POST", "/teams", "name", {}),
    "a story": ("POST", "/stories", "title", {}),
}


HIDING = [
    "\u202e",
    "\u2066",
    "\u200b",
    "\u200f",
    "\u061c",
    "\u00ad",
    "\u3164",
    "\u115f",
    "\x1b",
    "\n",
    "\U000e0041",
]


def test_a_name_holds_nothing_that_hides_or_reorders_text(web):
    for named, hiding in itertools.product(NAMES, HIDING):
        method, path, field, rest = NAMES[named]
        answer = web.request(method, path, json={field: f"report{hiding}fdp.exe", **rest})
        assert (answer.status_code, answer.json()["code"]) == (422, "InvalidRequest"), (named, hiding)
        assert f"body.{field}" in answer.json()["detail"]


def test_every_field_that_names_something_is_one_line_of_shown_text(app):
    assert app is not None
    hiding = set()
    for body in subclasses(RequestBody) - {PasswordSignIn}:
        for name, field in body.model_fields.items():
            if name in SHOWN_NAMES and get_origin(field.annotation) is not Literal:
                kind = TypeAdapter(Annotated[field.annotation, field])
                assert kind.validate_python("db7")
                with suppress(ValidationError):
                    kind.validate_python("report\u202efdp.exe")
                    hiding.add(f"{body.__name__}.{name}")
    assert hiding == set()


def test_a_name_is_in_any_language(web):
    for title in ("db7 stöhnt", "مرحبا", "数据库", "naïve 🐢", "می‌خواهم", "👩‍💻", "葛󠄀城"):
        assert web.post("/cases", json={"title": title}).json()["title"] == title


KIND_OF_NAME: TypeAdapter[str] = TypeAdapter(MemberName)


@pytest.mark.parametrize(
    "alike",
    ["own\u200der", "owner\u200c", "\u3164owner", "owner\ufe0f", "o\u034fwner", "owner\U000e0100", "\u115f"],
)
def test_no_name_of_a_member_looks_like_another_by_characters_that_are_not_seen(alike):
    with pytest.raises(ValidationError):
        KIND_OF_NAME.validate_python(alike)


def test_a_name_of_a_member_is_one_however_its_characters_are_composed():
    composed, decomposed = "Ren\u00e9", "Rene\u0301"
    assert KIND_OF_NAME.validate_python(decomposed) == composed
    assert PasswordSignIn(name=decomposed, password="x").name == composed
    assert KIND_OF_NAME.validate_python("अमित") == "अमित"
