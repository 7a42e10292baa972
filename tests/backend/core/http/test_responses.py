"""Every operation says by example what it answers, and by code what it may refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema
import pytest

from backend.app import describe_api
from backend.core.http import responses
from backend.core.http.problem_pages import types

if TYPE_CHECKING:
    import httpx

SCHEMA = describe_api().openapi()
OPERATIONS = {
    operation["operationId"]: operation for path in SCHEMA["paths"].values() for operation in path.values()
}
CHECKER = jsonschema.FormatChecker()


def shapes(operation):
    """Yield the JSON answers of an operation that have a body."""
    for status, response in operation["responses"].items():
        content = response.get("content", {}).get("application/json")
        if status.startswith("2") and content is not None:
            yield content


def test_every_answer_has_an_example_that_its_shape_takes_and_no_example_is_of_nothing():
    heads = {path["head"]["operationId"] for path in SCHEMA["paths"].values() if "head" in path}
    answered = {name for name, operation in OPERATIONS.items() if any(shapes(operation))} - heads
    assert set(responses.answers()) == answered
    for name in answered:
        for content in shapes(OPERATIONS[name]):
            shape = {**content["schema"], "components": SCHEMA["components"]}
            jsonschema.Draft202012Validator(shape, format_checker=CHECKER).validate(content["example"])


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_operation_tells_its_problems_by_status_with_a_page_for_each(name):
    operation, known = OPERATIONS[name], types()
    codes = operation[responses.KEY]
    assert {"TooManyRequests", "Unavailable", "InternalError"} <= set(codes)
    for code in codes:
        response = operation["responses"][str(known[code].status)]
        if "$ref" in response:
            response = SCHEMA["components"]["responses"][response["$ref"].rpartition("/")[2]]
        told = response["content"]["application/problem+json"]["examples"][code]["$ref"].rpartition("/")[2]
        example = SCHEMA["components"]["examples"][told]["value"]
        assert (example["code"], example["type"]) == (code, f"/problems/{code}")
        jsonschema.Draft202012Validator(SCHEMA["components"]["schemas"]["Problem"]).validate(example)


def test_what_is_the_operations_own_is_of_an_operation_that_is_there():
    assert set(responses.OWN) <= set(OPERATIONS)


def test_what_is_refused_is_what_the_schema_says(web, browser):
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
        "begin_upload": web.post("/uploads", headers={"Upload-Length": "x", "Tus-Resumable": "1.0.0"}),
        "read_story": web.get("/stories/none"),
    }
    for name, answer in refused.items():
        assert answer.is_client_error, name
        assert answer.json()["code"] in OPERATIONS[name][responses.KEY], (name, answer.text)
        assert str(answer.status_code) in OPERATIONS[name]["responses"], (name, answer.text)
