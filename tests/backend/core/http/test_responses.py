"""Every operation names its problems by code; the schema of the API is small and valid."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from backend.core.http import responses
from backend.core.http.problem_pages import types
from tests.backend.applications import api_schema

if TYPE_CHECKING:
    import httpx


def operations() -> dict[str, Any]:
    paths = api_schema()["paths"].values()
    return {operation["operationId"]: operation for path in paths for operation in path.values()}


def test_every_operation_names_its_problems_and_each_has_a_page():
    problem = {"$ref": "#/components/responses/Problem"}
    for name, operation in operations().items():
        codes = operation[responses.KEY]
        assert {"TooManyRequests", "Unavailable", "InternalError"} <= set(codes) <= set(types()), name
        refused = {status: body for status, body in operation["responses"].items() if status[0] in "45"}
        assert refused == {"4XX": problem, "5XX": problem}, name


def test_the_schema_is_small_and_has_no_two_equivalent_paths():
    schema = api_schema()
    assert len(json.dumps(schema, indent=2)) < 1_000_000
    shapes = [re.sub(r"\{\w+\}", "{}", path) for path in schema["paths"]]
    assert len(shapes) == len(set(shapes))


def test_extra_responses_belong_to_existing_operations():
    assert set(responses.OWN) <= set(operations())


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
    stated = operations()
    for name, answer in refused.items():
        assert answer.is_client_error, name
        assert answer.json()["code"] in stated[name][responses.KEY], (name, answer.text)
