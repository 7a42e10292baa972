"""Keyset pagination: stable under inserts and deletes, and invalid cursors are refused."""

from __future__ import annotations

import base64
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import select

from backend.core.errors import InvalidCursorError
from backend.core.http.pagination import WHOLE, Page, is_paged
from backend.core.http.shared_parts import parameters_of
from backend.library import index
from backend.models.note import Note
from backend.postmortems import queries
from tests.backend.applications import api_schema

WHOLE_BY_NATURE = {
    "/api/v1/cases/{case_id}/histograms": "drawn together, from one cached answer",
    "/api/v1/cases/{case_id}/series": "the menu of what can be drawn",
}


EXPORTS = {"/api/v1/cases.json": "a file of the whole list with its columns, as cases.csv is"}


@pytest.fixture
def pages(web):
    """Every page of a list, by its `Link`s."""

    def walk(path: str, limit: int) -> list[dict]:
        answer = web.get(path, params={"limit": limit})
        result = [answer.json()]
        while link := answer.links.get("next"):
            assert parse_qs(urlsplit(link["url"]).query)["cursor"] == [result[-1]["next_cursor"]]
            answer = web.get(str(answer.url.join(link["url"])))
            result.append(answer.json())
        assert answer.status_code == 200, answer.text
        assert result[-1]["next_cursor"] is None
        return result

    return walk


@pytest.fixture
def number(web):
    number = web.post("/cases", json={"title": "db7 stalls"}).json()["number"]
    for text in ("one", "two", "three", "four", "five"):
        web.post(f"/cases/{number}/notes", json={"text": text})
    return number


def test_every_list_has_the_same_envelope_and_is_paginated():
    listed = set()
    for path, method, operation, shape in _answers():
        assert (shape.get("type") == "array") == (path in EXPORTS), f"{method} {path} answers a bare array"
        is_list = "next_cursor" in shape.get("properties", {})
        assert is_list or not is_paged(operation), f"{method} {path} is paginated without the envelope"
        if is_list and method not in {"put", "patch"}:
            listed.add(path)
            assert shape["properties"]["items"]["type"] == "array"
            assert {"items", "next_cursor"} <= set(shape["required"])
            assert is_paged(operation) != (path in WHOLE_BY_NATURE), path
            assert is_paged(operation) == ("Link" in operation["responses"]["200"].get("headers", {}))
    assert len(listed) >= 30
    assert listed >= {"/api/v1/cases", "/api/v1/library/search", "/api/v1/frames/cases", *WHOLE_BY_NATURE}


def _answers():
    """Yield the path, method, operation and schema of every successful JSON response."""
    shapes = api_schema()["components"]["schemas"]
    for path, operations in api_schema()["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                shape = response.get("content", {}).get("application/json", {}).get("schema")
                if status.startswith("2") and shape is not None:
                    whole = {**operation, "parameters": parameters_of(api_schema(), operation)}
                    yield path, method, whole, shapes.get(shape.get("$ref", "").rpartition("/")[2], shape)


LISTS = {
    "/cases/{case}/notes": ("/cases/{case}/notes", {"text": "again"}),
    "/cases/{case}/evidence": ("/cases/{case}/paste", {"text": "Linux {n}"}),
    "/cases/{case}/tokens": ("/cases/{case}/tokens", {"name": "db{n}", "days": 1}),
    "/service-tokens": ("/service-tokens", {"name": "a{n}", "role": "viewer", "scopes": ["read"], "days": 1}),
    "/invitations": ("/invitations", {"role": "viewer", "note": "{n}", "days": 1}),
    "/teams": ("/teams", {"name": "paged{n}"}),
    "/stories/drafts": ("/stories", {"title": "{n}", "area": "mm", "symptoms": [], "text": "x"}),
}
"""A list, and what makes a row of it."""


def test_the_pages_together_are_the_whole_list(web, pages, number):
    for listed, (at, body) in LISTS.items():
        for n in range(3):
            result = json.loads(json.dumps(body).replace("{n}", str(n)))
            assert web.post(at.replace("{case}", str(number)), json=result).is_success
        path = listed.replace("{case}", str(number))
        whole = web.get(path, params={"limit": 1000}).json()["items"]
        assert len(whole) >= 3
        result = pages(path, len(whole) // 3)
        assert [row for page in result for row in page["items"]] == whole
    for path in ("/members", "/signatures", f"/cases/{number}/jobs"):
        whole = web.get(path, params={"limit": 1000}).json()["items"]
        assert [row for page in pages(path, max(1, len(whole) // 2)) for row in page["items"]] == whole


def test_the_timeline_goes_on_where_a_page_ends(pages, number):
    (whole,) = pages(f"/cases/{number}/timeline", 1000)
    entries = [entry for page in pages(f"/cases/{number}/timeline", 2) for entry in page["items"]]
    assert entries == whole["items"]
    assert len(entries) >= 5


def test_a_search_cursor_keeps_its_query(session, web):
    index.fill_session(session)
    ask = {"text": "ps aux hangs"}
    whole = web.post("/library/search", params={"limit": 1000}, json=ask).json()["items"]
    first = web.post("/library/search", params={"limit": 1}, json=ask)
    link = str(first.url.join(first.links["next"]["url"]))
    assert web.post(link, json=ask).json()["items"] == whole[1:2]
    other = web.post(link, json={"text": "something else"})
    assert (other.status_code, other.json()["code"]) == (422, "InvalidCursor")


def test_pagination_is_stable_under_inserts_and_deletes(web, number):
    path = f"/cases/{number}/notes"
    first = web.get(path, params={"limit": 2})
    one, two = first.json()["items"]
    web.delete(f"/notes/{one['id']}")
    web.delete(f"/notes/{two['id']}")
    web.post(path, json={"text": "six"})
    rest = web.get(str(first.url.join(first.links["next"]["url"])), params={"limit": 100})
    assert [note["text"] for note in rest.json()["items"]] == ["three", "four", "five", "six"]
    assert "next" not in rest.links


def test_rows_with_equal_sort_keys_appear_on_exactly_one_page(session, web, number):
    case_id = web.get(f"/cases/{number}").json()["id"]
    query = select(Note).where(Note.case_id == case_id)
    whole = [note.id for (note,) in WHOLE.of(session, query, Note.author, Note.id, is_descending=True)]
    seen, page = [], Page("notes", None, 2)
    while True:
        seen += [note.id for (note,) in page.of(session, query, Note.author, Note.id, is_descending=True)]
        if page.next_cursor is None:
            break
        page = Page("notes", page.next_cursor, 2)
    assert seen == whole == sorted(whole, reverse=True)


def test_a_cursor_of_another_list_or_filter_is_refused_with_what_to_do(web, number):
    link = web.get(f"/cases/{number}/notes", params={"limit": 1}).links["next"]["url"]
    cursor = link.partition("cursor=")[2]
    for path in (f"/cases/{number}/timeline", "/teams", f"/cases/{number}/facts"):
        answer = web.get(f"{path}?cursor={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (422, "InvalidCursor")
        assert "start without one" in answer.json()["detail"]
    page = web.get(str(web.base_url.join(answer.json()["type"]))).text
    assert "Request the list without a cursor" in page
    first = web.get("/cases", params={"limit": 1, "sort": "title"})
    assert first.is_success


def test_a_forged_cursor_is_refused_with_422(session, web, number):
    link = web.get(f"/cases/{number}/notes", params={"limit": 1}).links["next"]["url"]
    name, at, note_id = json.loads(base64.urlsafe_b64decode(link.partition("cursor=")[2].replace("%3D", "=")))
    result = [
        [],
        {},
        None,
        7,
        "x",
        [name],
        [name, at],
        [name, at, "7"],
        [name, 1, note_id],
        [name, None, None],
    ]
    made = [base64.urlsafe_b64encode(json.dumps(one).encode()).decode() for one in result]
    for cursor in [*made, "bm9wZQ==", "a", "é", "[" * 400]:
        answer = web.get(f"/cases/{number}/notes", params={"cursor": cursor})
        assert (answer.status_code, answer.json()["code"]) == (422, "InvalidCursor"), cursor
    case = session.scalars(queries.note_of_id(note_id)).one().case_id
    for value in ("a\0b", 2**80, True, 1.5, ["x"]):
        before = Page("n", None, 1)
        before._more((value,))
        page = Page("n", before.next_cursor, 1)
        with pytest.raises(InvalidCursorError):
            page.of(session, select(Note).where(Note.case_id == case), Note.revision)
