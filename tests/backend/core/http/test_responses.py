"""Every operation names its problems by code; the schema of the API is small and valid."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from backend.core.http import responses
from backend.core.http.problem_pages import types
from tests.backend.applications import api_schema

if TYPE_CHECKING:
    import httpx

SCHEMA = api_schema()
OPERATIONS = {
    operation["operationId"]: operation for path in SCHEMA["paths"].values() for operation in path.values()
}


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_operation_names_its_problems_and_each_has_a_page(name):
    operation = OPERATIONS[name]
    codes = operation[responses.KEY]
    assert {"TooManyRequests", "Unavailable", "InternalError"} <= set(codes) <= set(types())
    problem = {"$ref": "#/components/responses/Problem"}
    assert {status: response for status, response in operation["responses"].items() if status[0] in "45"} == {
        "4XX": problem,
        "5XX": problem,
    }


def test_the_schema_is_small_and_has_no_two_equivalent_paths():
    assert len(json.dumps(SCHEMA, indent=2)) < 800_000
    shapes = [re.sub(r"\{\w+\}", "{}", path) for path in SCHEMA["paths"]]
    assert len(shapes) == len(set(shapes))


def test_extra_responses_belong_to_existing_operations():
    assert set(responses.OWN) <= set(OPERATIONS)


def test_error_responses_match_the_schema(web, browser):
    """One request for each way to be refused that many operations share."""
    number = web.post("/cases", json={"title": "db7 stalls"}).json()["number"]
    once = {"Idempotency-Key": "one"}
    web.post(f"/cases/{number}/notes", json={"text": "a"}, headers=once)
    link = web.get("/cases", params={"limit": 1, "sort": "number"}).headers.get("Link", "cursor=x>")
    refused: dict[str, httpx.Response] = {
        "read_case": web.get("/cases/99999999"),
        "list_cases": web.get("/cases", params={"cursor": link.partition("cursor=")[2]}),
        "list_notes": browser.get(f"/cases/{number}/notes"),
        "list_tokens": web.get("/tokens"),
        "write_note": web.post(f"/cases/{number}/notes", json={"text": "b"}, headers=once),
        "update_case": web.patch(f"/cases/{number}", json={"title": "x"}, headers={"If-Match": '"old"'}),
        "create_case": web.post("/cases", json={"title": 7}),
        "create_team": web.post("/teams", content=b"x" * (2 << 20)),
        "paste": web.post("/paste", json={"text": "a", "captured_path": "../a"}),
        "send_bytes": web.patch(f"/uploads/{number}", content=b"a"),
        "create_upload": web.post("/uploads", headers={"Upload-Length": "x", "Tus-Resumable": "1.0.0"}),
        "read_story": web.get("/stories/none"),
    }
    for name, answer in refused.items():
        assert answer.is_client_error, name
        assert answer.json()["code"] in OPERATIONS[name][responses.KEY], (name, answer.text)
