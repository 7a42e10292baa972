"""What was created, or begun, says where it can be read; a body of another type says which is needed."""

from __future__ import annotations

import pytest

from backend.core.http.locations import LOCATED, PREFIX
from tests.backend.core.http.test_responses import operations


def test_what_is_created_can_be_read_at_its_location(web):
    answers = [
        web.post("/cases", json={"title": "a stall"}),
        web.put("/evidence/dmesg.txt", content=b"[    1.000000] Linux version 6.1.0\n"),
        web.post("/paste", json={"text": "[    1.000000] Linux version 6.1.0\n"}),
        web.post("/stories", json={"title": "A stall"}),
    ]
    for answer in answers:
        assert answer.status_code in {201, 202}, answer.text
        assert web.get(answer.headers["location"].removeprefix(PREFIX)).status_code == 200


def test_the_schema_names_the_operations_with_a_location():
    named = {
        name
        for name, operation in operations().items()
        if any("Location" in answer.get("headers", ()) for answer in operation["responses"].values())
    }
    assert named == LOCATED


@pytest.mark.parametrize("sent", [None, "application/x-www-form-urlencoded", "text/plain; charset=utf-8"])
def test_json_under_another_type_is_refused_with_the_type_it_needs(web, sent: str | None):
    headers = {"Content-Type": sent} if sent else {}
    answer = web.post("/cases", content=b'{"title": "a stall"}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "WrongContent")
    assert "Content-Type: application/json" in answer.json()["detail"]


def test_broken_json_is_invalid_and_not_of_a_wrong_type(web):
    answer = web.post("/cases", content=b'{"title":', headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
